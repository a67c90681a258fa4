"""The analytic ready questions in DuckDB's SQL, by name, for the facts of `synthetic.Rows`.

Tables: paper(paper, year, venue), type(entity, type), role(paper, role, entity), edge(paper, head,
relation, tail). `{Method}` and the like are IRIs. Each gives the columns of the saved query that
are named in `COLUMNS`, all of them where it is not there.
"""

from __future__ import annotations

TOP = """
SELECT entity, count(*) papers, count(*) FILTER (role = {proposes}) proposing,
       min(year) first, max(year) last
FROM role JOIN type USING (entity) JOIN paper USING (paper)
WHERE type = {KIND} GROUP BY entity ORDER BY papers DESC, entity LIMIT 25
"""
MOVING = """
WITH year AS (SELECT max(year) this, max(year) - 1 that FROM paper),
share AS (SELECT year, count(*) n FROM paper GROUP BY year),
seen AS (
  SELECT entity, count(*) FILTER (year = that) then_, count(*) FILTER (year = this) now_
  FROM role JOIN type USING (entity) JOIN paper USING (paper), year
  WHERE type = {Method} GROUP BY entity),
part AS (
  SELECT entity, that, then_, round(10000.0 * then_ / a.n) / 100 share_then,
         this, now_, round(10000.0 * now_ / b.n) / 100 share_now
  FROM seen, year JOIN share a ON a.year = that JOIN share b ON b.year = this
  WHERE then_ + now_ >= 3)
SELECT * FROM part WHERE CONDITION ORDER BY ORDERING, entity LIMIT 25
"""
UNTRIED = """
WITH stated AS (SELECT DISTINCT head, tail FROM edge WHERE relation = {REL}),
side AS (SELECT head, count(DISTINCT paper) n FROM edge WHERE relation = {REL} GROUP BY head),
other AS (SELECT tail, count(DISTINCT paper) n FROM edge WHERE relation = {REL} GROUP BY tail),
peer AS (SELECT head FROM stated GROUP BY head HAVING count(*) <= 25),
weight AS (SELECT tail, 1.0::DOUBLE / count(*) weight FROM stated GROUP BY tail),
bridge AS (
  SELECT m.head, t.tail, round(1000 * sum(weight)) / 1000 score,
         count(DISTINCT p.head) bridges, min(p.head) peer, min(p.tail) near
  FROM stated m JOIN stated p ON m.tail = p.tail JOIN stated t ON t.head = p.head
  JOIN weight ON weight.tail = p.tail
  JOIN peer ON peer.head = p.head JOIN side ON side.head = m.head JOIN other ON other.tail = t.tail
  WHERE p.head <> m.head AND p.tail <> t.tail AND side.n >= 3 AND other.n >= 3
  GROUP BY m.head, t.tail),
together AS (SELECT DISTINCT a.entity head, b.entity tail FROM role a JOIN role b USING (paper))
SELECT head, tail, score, bridges, side.n, other.n, peer, near
FROM bridge JOIN side USING (head) JOIN other USING (tail)
WHERE NOT EXISTS (SELECT 1 FROM together t WHERE t.head = bridge.head AND t.tail = bridge.tail)
ORDER BY score DESC, bridges DESC, side.n + other.n DESC, head, tail LIMIT 25
"""

SQL: dict[str, str] = {
    **{
        f"top-{plural}": TOP.replace("KIND", kind)
        for plural, kind in (("methods", "Method"), ("tasks", "Task"), ("metrics", "Metric"),
                             ("datasets", "Dataset"))
    },
    "top-benchmarks": """
SELECT entity, count(*) FILTER (role = {evaluatesOn}) evaluating, count(*) papers,
       min(year) FILTER (role = {evaluatesOn}), max(year) FILTER (role = {evaluatesOn})
FROM role JOIN type USING (entity) JOIN paper USING (paper)
WHERE type IN ({Benchmark}, {Dataset}) GROUP BY entity HAVING evaluating > 0
ORDER BY evaluating DESC, papers DESC, entity LIMIT 25
""",
    "papers-by-year": """
SELECT year, venue, count(*) FROM paper GROUP BY year, venue ORDER BY year, venue LIMIT 200
""",
    "first-seen": """
WITH seen AS (
  SELECT entity, min(year) y, count(*) papers FROM role JOIN type USING (entity)
  JOIN paper USING (paper) WHERE type = {Method} GROUP BY entity HAVING papers >= 2)
SELECT y, entity, count(*) that_year, any_value(papers) papers
FROM seen JOIN role USING (entity) JOIN paper ON paper.paper = role.paper AND paper.year = y
GROUP BY entity, y ORDER BY y DESC, that_year DESC, papers DESC, entity LIMIT 25
""",
    "methods-for-task": """
SELECT head, tail, count(*) papers, min(year), max(year) FROM edge JOIN paper USING (paper)
WHERE relation = {usedFor} GROUP BY head, tail ORDER BY papers DESC, tail, head LIMIT 25
""",
    "evaluated-on": """
SELECT head, tail, count(*) papers, min(year), max(year) FROM edge JOIN paper USING (paper)
WHERE relation = {evaluatedOn} GROUP BY head, tail ORDER BY papers DESC, tail, head LIMIT 25
""",
    "co-used-pairs": """
WITH own AS (
  SELECT entity, count(*) n FROM role JOIN type USING (entity) WHERE type = {Method}
  GROUP BY entity HAVING n >= 10),
used AS (SELECT paper, entity, n FROM role JOIN own USING (entity))
SELECT a.entity one, b.entity other, count(*) together,
       round(100.0 * together * (SELECT count(*) FROM paper) / (a.n * b.n)) / 100 lift
FROM used a JOIN used b ON a.paper = b.paper AND a.entity < b.entity
GROUP BY one, other, a.n, b.n HAVING together >= 3
ORDER BY together DESC, lift DESC, one, other LIMIT 25
""",
    "uptake": """
WITH seen AS (
  SELECT entity, count(*) FILTER (role = {proposes}) proposing,
         min(year) FILTER (role = {proposes}) introduced,
         count(*) FILTER (role <> {proposes}) taken_up,
         min(year) FILTER (role <> {proposes}) followed
  FROM role JOIN type USING (entity) JOIN paper USING (paper)
  WHERE type = {Method}
    AND role IN ({proposes}, {evaluatesOn}, {comparesWith}, {uses}, {studies}) GROUP BY entity)
SELECT *, followed - introduced FROM seen WHERE proposing > 0 AND taken_up > 0
  AND (followed IS NULL OR followed >= introduced)
ORDER BY taken_up DESC, introduced, entity LIMIT 25
""",
    "standing": """
WITH part AS (
  SELECT head entity, paper, 0 side FROM edge WHERE relation = {outperforms}
  UNION ALL SELECT tail, paper, 1 FROM edge WHERE relation = {outperforms}
  UNION ALL SELECT head, paper, 2 FROM edge WHERE relation = {comparedWith}
  UNION ALL SELECT tail, paper, 2 FROM edge WHERE relation = {comparedWith})
SELECT entity, count(DISTINCT paper) FILTER (side = 0) better,
       count(DISTINCT paper) FILTER (side = 1) worse, count(DISTINCT paper) FILTER (side = 2) even_
FROM part GROUP BY entity ORDER BY better + worse + even_ DESC, entity LIMIT 25
""",
    "life-curves": """
WITH each AS (
  SELECT entity, year, count(*) n FROM role JOIN paper USING (paper) WHERE role = {evaluatesOn}
  GROUP BY entity, year)
SELECT entity, min(year), arg_max(year, n * 10000 - year), max(n), max(year), sum(n) papers
FROM each GROUP BY entity HAVING papers >= 3 ORDER BY papers DESC, entity LIMIT 25
""",
    "tasks-without-benchmark": """
WITH task AS (
  SELECT tail, count(DISTINCT head) methods, count(DISTINCT paper) papers FROM edge
  WHERE relation = {usedFor} GROUP BY tail HAVING methods >= 2)
SELECT tail, methods, papers,
  (SELECT count(DISTINCT a.paper) FROM role a JOIN role b USING (paper)
   WHERE a.entity = tail AND a.role = {addresses} AND b.role = {evaluatesOn})
FROM task WHERE tail NOT IN (SELECT tail FROM edge WHERE relation = {benchmarkFor})
ORDER BY methods DESC, papers DESC, tail LIMIT 25
""",
    "one-paper-benchmarks": """
SELECT entity, any_value(role), any_value(paper), any_value(year) y
FROM role JOIN type USING (entity) JOIN paper USING (paper) WHERE type = {Benchmark}
GROUP BY entity HAVING count(*) = 1 ORDER BY y DESC, entity LIMIT 25
""",
    # shares are decimals in SPARQL: here equal differences would differ in their last bits
    "rising": MOVING.replace("CONDITION", "then_ > 0 AND share_now > share_then").replace(
        "ORDERING", "round(share_now - share_then, 2) DESC"
    ),
    "fading": MOVING.replace("CONDITION", "now_ > 0 AND share_now < share_then").replace(
        "ORDERING", "round(share_then - share_now, 2) DESC"
    ),
    "new": """
SELECT entity, min(year) first, count(*) papers
FROM role JOIN type USING (entity) JOIN paper USING (paper) WHERE type = {Method}
GROUP BY entity HAVING first = (SELECT max(year) FROM paper)
ORDER BY papers DESC, first, entity LIMIT 25
""",
    "vanished": """
SELECT entity, min(year), max(year) last, count(*) papers, round(10.0 * papers
  * (SELECT count(*) FROM paper WHERE year = (SELECT max(year) FROM paper))
  / (SELECT count(*) FROM paper WHERE year < (SELECT max(year) FROM paper))) / 10
FROM role JOIN type USING (entity) JOIN paper USING (paper) WHERE type = {Method}
GROUP BY entity HAVING last < (SELECT max(year) FROM paper) AND papers >= 2
ORDER BY papers DESC, last DESC, entity LIMIT 25
""",
    "support": """
SELECT head, relation, tail, count(*) papers FROM edge GROUP BY head, relation, tail
ORDER BY papers DESC, head, relation, tail LIMIT 25
""",
    "adopters": """
SELECT entity, count(*) papers FROM role JOIN type USING (entity)
WHERE type = {Method} AND role IN ({evaluatesOn}, {comparesWith}, {uses}, {studies})
GROUP BY entity ORDER BY papers DESC, entity LIMIT 25
""",
    "untried-tasks": UNTRIED.replace("REL", "usedFor"),
    "untried-benchmarks": UNTRIED.replace("REL", "evaluatedOn"),
}  # fmt: skip

#: Of some questions, only these columns are asked of the tables.
COLUMNS = {
    "evaluated-on": ("method", "benchmark", "papers", "first", "last"),
    "support": ("head", "relation", "tail", "papers"),
    "adopters": ("entity", "papers"),
}
