"""Every format that is no JSON: what its fields become, and what one bad entry costs."""

from __future__ import annotations

import pytest

from kg.errors import InputError
from kg.readers.bibtex import unprotected
from kg.readers.formats import FORMATS
from kg.records import Abstract

FIRST = "We grow a tree of prompts and prune it by a learned critic."
SECOND = "A sketch of the gradient is shared between workers that never meet."


# --- plain text


def test_plain_text_drops_the_heading_and_keeps_paragraphs(read):
    papers, skipped = read("a.txt", f"Some Venue 2031 Papers\n\n{FIRST}\n\n\n{SECOND}\n")
    assert [(p.abstract, p.title, p.id) for p in papers] == [(FIRST, "", ""), (SECOND, "", "")]
    assert [p.source.rpartition(":")[2] for p in papers] == ["3", "6"]
    assert skipped == []


def test_plain_text_without_a_heading_and_with_wrapped_lines(read):
    wrapped = FIRST.replace(" and ", "\r\nand ")
    papers, skipped = read("a.txt", f"\r\n{wrapped}\r\n \t\r\n{SECOND}")
    assert [p.abstract for p in papers] == [FIRST, SECOND]
    assert skipped == []


def test_a_later_heading_is_named_and_left_out(read):
    papers, skipped = read("a.txt", f"{FIRST}\n\nAnother section\n\n{SECOND}")
    assert [p.abstract for p in papers] == [FIRST, SECOND]
    assert [s.source.rpartition(":")[2] for s in skipped] == ["3"]
    assert "Another section" in skipped[0].reason


@pytest.mark.parametrize(
    "text",
    [
        r"In $d_{\rm{type2}}'$ we edit with $\mu$KE, and \projectname wins by 5\% of BLEU.",
        "Wir zeigen, daß größere Modelle übermütig werden!",
        "我们提出一种新的稀疏注意力机制,用于长文档摘要任务,并在三个数据集上验证了其有效性。",
        "Is attention explanation? (We argue that it is not.)",
    ],
)
def test_plain_text_stays_as_given(read, text):
    papers, _ = read("a.txt", f"Papers\n\n{text}\n")
    assert [p.document for p in papers] == [text]


# --- BibTeX

BIBTEX = r"""% a comment, then a name for a venue
@string{ws = "Workshop on {Foo}"}
@comment{nothing}

@inproceedings{lee-etal-2031-tree,
    title = "{TREE}: {P}rompts in {G}{\"o}del's \emph{garden} of $x_{i}$",
    author = "Lee, Ada  and
      M{\"u}ller, J{\'o}zef and {Blue Team} and van der Berg, Jr., Kim and others",
    booktitle = ws # " 2031",
    month = jun,
    year = "2031",
    url = "https://aclanthology.org/2031.foo-long.7",
    doi = "10.18653/v1/2031.foo-long.7",
    abstract = "We grow a {\em tree} of
       prompts, \textbf{5\%} better in $x_{1}$.",
}

@ARTICLE(roe31, title={{A Double Brace}}, journal={arXiv preprint arXiv:3101.01234},
  author = {Jane Roe and John Q. Public}, date = {2031-02-03}, keywords = {sketches, graphs},
  abstract={{Workers share a sketch.}})
"""


def test_bibtex_fields(read):
    papers, skipped = read("anthology.bib", BIBTEX)
    assert skipped == []
    tree, double = papers
    assert tree == Abstract(
        id="lee-etal-2031-tree",
        title=r"""TREE: Prompts in G{\"o}del's \emph{garden} of $x_{i}$""",
        abstract=r"We grow a {\em tree} of prompts, \textbf{5\%} better in $x_{1}$.",
        authors=("Ada Lee", "Józef Müller", "Blue Team", "Kim van der Berg Jr."),
        venue="Workshop on Foo 2031",
        year=2031,
        identifiers=("doi:10.18653/v1/2031.foo-long.7", "acl:2031.foo-long.7"),
        url="https://aclanthology.org/2031.foo-long.7",
        source=tree.source,
    )
    assert tree.source.endswith("anthology.bib:5")
    assert double.title == "A Double Brace"
    assert double.abstract == "Workers share a sketch."
    assert double.authors == ("Jane Roe", "John Q. Public")
    assert double.year == 2031
    assert double.identifiers == ("arxiv:3101.01234",)
    assert double.keywords == ("sketches", "graphs")


@pytest.mark.parametrize(
    "broken",
    [
        "@article{bad, title = {never closed,\n year = 2031\n",
        "@article{bad, title = {twice}, title = {again}, abstract = {x}}\n",
        "@article{bad title = 3 } }\n",
        "@article{bad, title {no equals sign}}\n",
    ],
)
def test_a_broken_bibtex_entry_costs_itself_alone(read, broken):
    good = "@misc{%s, title={T}, abstract={Some words that say something.}}\n"
    papers, skipped = read("a.bib", good % "one" + broken + good % "two")
    assert [p.id for p in papers] == ["one", "two"]
    assert [s.source.rpartition(":")[2] for s in skipped] == ["2"]


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("{BERT} and {{GPT}}", "BERT and GPT"),
        (r"\emph{Deep} {N}ets", r"\emph{Deep} Nets"),
        (r"On $\mathcal{O}(n^{2})$ {Bounds}", r"On $\mathcal{O}(n^{2})$ Bounds"),
        (r"Erd\H{o}s, P{\'o}lya, \'{E}variste", r"Erd\H{o}s, P{\'o}lya, \'{E}variste"),
        (r"\frac{a}{b} of {X}", r"\frac{a}{b} of X"),
        (r"a set \{x\} and {unclosed", r"a set \{x\} and unclosed"),
        ("stray } brace", "stray } brace"),
    ],
)
def test_only_protective_braces_go(title, plain):
    assert unprotected(title) == plain


# --- RIS, nbib

RIS = f"""TY  - JOUR
ID  - x1
T1  - A tree
      of prompts
A1  - Lee, Ada
A1  - Müller, Józef
Y1  - 2031/05/01/
JO  - Journal of Trees
N2  - {FIRST[:30]}
{FIRST[30:]}
DO  - https://doi.org/10.1234/ABC.5
KW  - trees
KW  - prompts
UR  - https://example.org/x1
ER  -{" "}

TY  - CONF
TI  - Sketches
AU  - Roe, Jane
PY  - 2030
T2  - Sketch Conference
AB  - {SECOND}
TY  - JOUR
TI  - Nothing inside
ER  -{" "}
"""


def test_ris_fields(read):
    papers, skipped = read("a.ris", RIS)
    tree, sketch = papers
    assert tree == Abstract(
        id="x1", title="A tree of prompts", abstract=f"{FIRST[:30].strip()} {FIRST[30:]}",
        authors=("Ada Lee", "Józef Müller"), venue="Journal of Trees", year=2031,
        identifiers=("doi:10.1234/abc.5",), url="https://example.org/x1",
        keywords=("trees", "prompts"), source=tree.source,
    )  # fmt: skip
    assert (sketch.title, sketch.venue, sketch.abstract) == (
        "Sketches",
        "Sketch Conference",
        SECOND,
    )
    assert [(s.source.rpartition(":")[2], s.reason) for s in skipped] == [
        ("23", "no abstract for Nothing inside")
    ]


def test_ris_with_one_space_and_a_line_that_looks_like_a_tag(read):
    papers, _ = read("a.ris", f"TY - JOUR\nTI - T\nAB - {FIRST}\nER -\n")
    assert [(p.title, p.abstract) for p in papers] == [("T", FIRST)]
    papers, _ = read("b.ris", "TY  - JOUR\nAB  - Trees of\nAI - made prompts.\nER  - \n")
    assert [p.abstract for p in papers] == ["Trees of AI - made prompts."]


NBIB = f"""
PMID- 12345678
OWN - NLM
TI  - A tree of prompts for
      clinical notes.
LID - 10.1234/ABC.5 [doi]
LID - S0001 [pii]
AB  - {FIRST[:30]}
      {FIRST[30:]}
FAU - Lee, Ada
AU  - Lee A
FAU - Müller, Józef
AU  - Müller J
JT  - Journal of trees
DP  - 2031 May 1
OT  - prompting

PMID- 23456789
TI  - Nothing inside.

PMID- 34567890
AB  - {SECOND}
"""


def test_nbib_fields(read):
    papers, skipped = read("a.nbib", NBIB)
    tree, sketch = papers
    assert tree == Abstract(
        id="12345678", title="A tree of prompts for clinical notes.",
        abstract=f"{FIRST[:30].strip()} {FIRST[30:]}", authors=("Ada Lee", "Józef Müller"),
        venue="Journal of trees", year=2031, identifiers=("doi:10.1234/abc.5", "pmid:12345678"),
        url="https://pubmed.ncbi.nlm.nih.gov/12345678/", keywords=("prompting",),
        source=tree.source,
    )  # fmt: skip
    assert tree.source.endswith("a.nbib:2")
    assert sketch.identifiers == ("pmid:34567890",)
    assert [s.source.rpartition(":")[2] for s in skipped] == ["18"]


# --- tables


@pytest.mark.parametrize("mark", [",", ";", "|", "\t"])
def test_tables_by_their_headings(read, mark):
    rows = [
        ["Paper Title", "Abstract", "Author(s)", "Publication Year", "Source title", "DOI"],
        ["A tree", f'"{FIRST} He said ""no"".\nTwice."', '"Lee, A.; Roe, J."', "2031.0", "JoT",
         "10.1/X"],
        [],
        ["Empty", "nan", "", "", "", ""],
        ["Sketches", SECOND, "Ada Lee", "", "", ""],
    ]  # fmt: skip
    name = "a.tsv" if mark == "\t" else "a.csv"
    papers, skipped = read(name, "\n".join(mark.join(row) for row in rows))
    assert papers[0].abstract == f'{FIRST} He said "no".\nTwice.'
    assert (papers[0].title, papers[0].year, papers[0].venue) == ("A tree", 2031, "JoT")
    assert papers[0].identifiers == ()  # "10.1/X" is no DOI: its prefix is too short
    assert [p.source.rpartition(":")[2] for p in papers] == ["2", "6"]
    assert [s.source.rpartition(":")[2] for s in skipped] == ["5"]


def test_authors_of_a_table(read):
    papers, _ = read("a.csv", f'title,abstract,authors\nT,"{FIRST}","Lee, Ada; Roe, Jane"\n')
    assert papers[0].authors == ("Ada Lee", "Jane Roe")


def test_excels_own_first_line(read):
    papers, skipped = read("a.csv", f"sep=;\r\ntitle;abstract\r\nT;{FIRST}\r\n")
    assert [(p.title, p.abstract) for p in papers] == [("T", FIRST)]
    assert skipped == []


def test_a_row_of_too_many_fields_is_skipped(read):
    papers, skipped = read("a.csv", f"title,abstract\nT,one, two, three\nU,{SECOND}\n")
    assert [p.title for p in papers] == ["U"]
    assert [(s.source.rpartition(":")[2], s.reason) for s in skipped] == [
        ("2", "broken row: 4 fields under 2 headings")
    ]


def test_a_table_without_abstracts_is_refused(read):
    with pytest.raises(InputError, match=r"no column of abstracts.*'title'.*'pages'"):
        read("a.csv", "title,pages\nT,3\n")


# --- Atom

ATOM = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <title>arXiv Query</title>
  <entry>
    <id>http://arxiv.org/abs/3101.01234v2</id>
    <published>2031-01-05T10:00:00Z</published>
    <title>A tree
  of prompts</title>
    <summary>  {FIRST[:30]}
{FIRST[30:]} With a &lt; b &amp; c.
</summary>
    <author><name>Ada Lee</name></author>
    <author><name>Józef Müller</name></author>
    <arxiv:doi>10.1234/ABC.5</arxiv:doi>
    <link href="https://arxiv.org/abs/3101.01234v2" rel="alternate" type="text/html"/>
    <link title="pdf" href="https://arxiv.org/pdf/3101.01234v2" rel="related"/>
    <category term="cs.CL"/><category term="cs.AI"/>
  </entry>
  <entry><id>http://arxiv.org/abs/3101.09999v1</id><title>Withdrawn</title><summary/></entry>
  <entry>
    <id>oai:arXiv.org:3101.05678v1</id><title>Sketches</title>
    <summary>arXiv:3101.05678v1 Announce Type: new
Abstract: {SECOND}</summary>
  </entry>
</feed>
"""


def test_atom_fields(read):
    papers, skipped = read("query.xml", ATOM)
    tree, sketch = papers
    assert tree == Abstract(
        id="http://arxiv.org/abs/3101.01234v2", title="A tree of prompts",
        abstract=f"{FIRST[:30].strip()} {FIRST[30:]} With a < b & c.",
        authors=("Ada Lee", "Józef Müller"), year=2031,
        identifiers=("doi:10.1234/abc.5", "arxiv:3101.01234"),
        url="https://arxiv.org/abs/3101.01234v2", keywords=("cs.CL", "cs.AI"), source=tree.source,
    )  # fmt: skip
    assert tree.source.endswith("query.xml:4")
    assert (sketch.abstract, sketch.identifiers) == (SECOND, ("arxiv:3101.05678",))
    assert [s.source.rpartition(":")[2] for s in skipped] == ["19"]


def test_broken_xml_keeps_the_entries_before_it(read):
    papers, skipped = read("a.xml", ATOM.replace("<entry>\n    <id>oai", "<entry>\n    </id>oai"))
    assert [p.title for p in papers] == ["A tree of prompts"]
    assert "the XML breaks here" in skipped[-1].reason


# --- the table of formats


def test_every_format_has_its_own_name_and_suffixes():
    names = [row.name for row in FORMATS]
    suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in suffixes)


SAMPLES = {
    "text": f"Papers\n\n{FIRST}\n",
    "bibtex": BIBTEX,
    "ris": RIS,
    "nbib": NBIB,
    "csv": f"title,abstract\nT,{FIRST}\n",
    "tsv": f"title\tabstract\nT\t{FIRST}\n",
    "atom": ATOM,
    "jsonl": f'{{"title": "T", "abstract": "{FIRST}"}}\n{{"abstract": "{SECOND}"}}\n',
    "json": f'[{{"title": "T",\n "abstract": "{FIRST}"}}]',
}


@pytest.mark.parametrize("name", ["papers", "papers.txt", "papers.TXT", "papers.dat", "a.b.c"])
@pytest.mark.parametrize("sample", sorted(SAMPLES))
def test_content_goes_before_the_suffix(read, sample, name):
    papers, _ = read(name, SAMPLES[sample])
    asked, _ = read("asked", SAMPLES[sample], format=sample)
    assert papers
    assert [p.abstract for p in papers] == [p.abstract for p in asked]


def test_the_samples_are_of_every_format():
    assert set(SAMPLES) == {row.name for row in FORMATS}


def test_an_unknown_format_is_named_with_the_known_ones(read):
    with pytest.raises(InputError, match="unknown format 'docx'; known are atom, bibtex"):
        read("a.txt", FIRST, format="docx")
