// The panel beside the drawing: the whole graph, a node, or an edge.

const AT_FIRST = 6;

function detailsPanel(panel, { pick }) {
  const pickNode = (node, ...rest) => make("button", { type: "button", class: "pick", click: () => pick({ node: node.id }) },
    markOf(node), make("span", { class: "grow" }, bdi(node.label)), ...rest);
  const pickGroup = (number, count) => make("button", { type: "button", class: "pick", click: () => pick({ community: number }) },
    mark({ shape: "disc" }, graph.communities[number].colour), make("span", { class: "grow" }, bdi(graph.communities[number].name)), make("span", { class: "count" }, count));
  const papersOf = (n) => make("span", { class: "count", title: counted(n, "paper") }, n ? n.toLocaleString("en") : "");

  function list(items, most = AT_FIRST) {
    const rows = make("ul", { class: "rows" }, ...items.slice(0, most).map((item) => make("li", {}, ...item())));
    if (items.length <= most) return [rows];
    const more = make("button", { type: "button", class: "plain small", click: () => {
      rows.append(...items.slice(most).map((item) => make("li", {}, ...item())));
      more.remove();
    } }, `${(items.length - most).toLocaleString("en")} more`);
    return [rows, more];
  }

  function overview() {
    const parts = [make("h2", {}, graph.title), make("p", { class: "faint" }, "Click a node or a line, or find a name, to see the sentences behind it.")];
    graph.types.forEach((type, number) => {
      const members = graph.nodes.filter((n) => n.type === number);
      if (!members.length) return;
      parts.push(make("h3", {}, type.name ? `${type.name}s with most papers` : "Nodes"));
      parts.push(...list(members.map((n) => () => [pickNode(n, papersOf(n.papers))]), 4));
    });
    const all = graph.communities.map((c, number) => ({ ...c, number })).filter((c) => !c.loose && c.size > 2);
    if (all.length > 1) {
      parts.push(make("h3", {}, "Communities"));
      parts.push(...list(all.map((c) => () => [pickGroup(c.number, counted(c.size, "node"))]), 8));
    }
    return parts;
  }

  function yearChart(counts) {
    if (counts.length === 0) return [];
    const first = counts[0][0];
    const last = counts[counts.length - 1][0];
    const of = new Map(counts);
    const most = Math.max(...of.values());
    const width = `${(last - first + 1) * 34}px`;
    const chart = make("div", { class: "years", role: "img", "aria-label": `Papers by year: ${counts.map(([y, n]) => `${y}: ${n}`).join(", ")}` });
    for (let year = first; year <= last; year += 1) {
      const n = of.get(year) ?? 0;
      const bar = make("div", { title: `${year}: ${counted(n, "paper")}` });
      bar.style.height = `${Math.round((100 * n) / most)}%`;
      chart.append(bar);
    }
    const axis = make("div", { class: "axis" }, make("span", {}, String(first)), first === last ? null : make("span", {}, String(last)));
    chart.style.maxWidth = axis.style.maxWidth = width;
    return [make("h3", {}, "Papers by year"), chart, axis];
  }

  function said(statement, withKind) {
    const quote = make("blockquote", {}, ...statement.parts.map(([which, text]) => (which ? make("mark", { class: which }, text) : text)));
    const paper = statement.paper === null ? null : evidence.papers[statement.paper];
    const foot = make("footer", {});
    if (paper) {
      const title = paper.title || "Untitled abstract";
      foot.append(paper.url ? make("a", { href: paper.url, target: "_blank", rel: "noopener noreferrer" }, bdi(title)) : bdi(title));
      const rest = [paper.venue, paper.year].filter(Boolean).join(" ");
      if (rest) foot.append(" · ", bdi(rest));
    }
    if (withKind && statement.kind) foot.append(" · ", `${statement.kind} it`);
    foot.append(" · ", make("span", { title: "Confidence of the extraction" }, statement.confidence.toFixed(2)));
    return make("article", { class: "said" }, quote, foot);
  }

  function statements(all, withKind) {
    const box = make("div", {});
    box.append(...all.slice(0, AT_FIRST).map((s) => said(s, withKind)));
    if (all.length > AT_FIRST) {
      const more = make("button", { type: "button", class: "plain small", click: () => {
        more.replaceWith(...all.slice(AT_FIRST).map((s) => said(s, withKind)));
      } }, `${all.length - AT_FIRST} more`);
      box.append(more);
    }
    return box;
  }

  function copyButton() {
    const button = make("button", { type: "button", class: "plain small", click: async () => {
      const text = [...panel.querySelectorAll("h2, h3, h4, .pick, .ends, .said, .fact")].map((e) => e.innerText.trim()).join("\n");
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(panel);
        button.textContent = "Selected: press Ctrl+C";
      }
    } }, "Copy");
    return button;
  }

  const top = (badge) => make("div", { class: "row" }, badge, make("span", {}, copyButton(), " ",
    make("button", { type: "button", class: "plain small", "aria-label": "Close", click: () => pick(null) }, "×")));

  function relations(node) {
    const groups = new Map();
    const put = (edge, outward) => {
      const key = `${outward ? 0 : 1}|${edge.kind}`;
      (groups.get(key) ?? groups.set(key, []).get(key)).push({ edge, other: graph.nodes[outward ? edge.to : edge.from] });
    };
    node.out.forEach((e) => put(e, true));
    node.in.forEach((e) => put(e, false));
    const sorted = [...groups].sort(([a, x], [b, y]) => a.split("|")[0] - b.split("|")[0] || y.length - x.length || (a < b ? -1 : 1));
    return sorted.flatMap(([key, all]) => {
      const kind = kindOf(all[0].edge);
      all.sort((a, b) => b.edge.papers - a.edge.papers || b.other.papers - a.other.papers || a.other.id - b.other.id);
      const heading = key.startsWith("0") ? `${kind.label} …` : `… ${kind.label} it`;
      return [make("h4", {}, stroke(familyOf(all[0].edge)), heading),
        ...list(all.map(({ edge, other }) => () => [pickNode(other),
          make("button", { type: "button", class: "quotes", "aria-label": `Sentences: ${kind.label}, ${other.label}`, click: () => pick({ edge: edge.id }) },
            edge.papers ? counted(edge.papers, "paper") : "open")]))];
    });
  }

  function communityDetails(number) {
    const group = graph.communities[number];
    const members = graph.nodes.filter((n) => n.community === number);
    const ties = new Map();
    graph.edges.forEach((e) => {
      const [a, b] = [graph.nodes[e.from].community, graph.nodes[e.to].community];
      if (a !== b && (a === number || b === number)) ties.set(a === number ? b : a, (ties.get(a === number ? b : a) ?? 0) + 1);
    });
    const order = [...ties].sort((x, y) => y[1] - x[1] || x[0] - y[0]);
    return [
      top(make("span", { class: "badge" }, mark({ shape: "disc" }, group.colour), "Community")),
      make("h2", {}, group.name),
      make("p", { class: "fact" }, `${counted(group.size, "node")} that have more relations with one another than with others`),
      make("h3", {}, "Members"), ...list(members.map((n) => () => [pickNode(n, papersOf(n.papers))]), 20),
      ...(order.length ? [make("h3", {}, "Relations to other communities"), ...list(order.map(([c, n]) => () => [pickGroup(c, counted(n, "relation"))]), 8)] : []),
    ];
  }

  function missing(iri) {
    return [
      top(make("span", { class: "badge" }, "Not on this page")),
      make("p", {}, "The link asks for something that was left out of this drawing."),
      make("p", { class: "faint fact any" }, bdi(iri)),
    ];
  }

  function nodeDetails(node) {
    const about = evidence.nodes[node.id];
    const when = Number.isInteger(node.first) ? `${node.first}${node.last === node.first ? "" : `–${node.last}`}` : "";
    const heading = about.said.length ? make("h3", { tabindex: "-1" }, "What papers say") : null;
    // the number of papers leads to what they say: with many relations that stands far below
    const papers = node.papers ? counted(node.papers, "paper") : null;
    const facts = [papers && heading ? make("button", { type: "button", class: "leads", click: () => {
      heading.scrollIntoView({ block: "start" });
      heading.focus({ preventScroll: true });
    } }, papers) : papers, when].filter(Boolean);
    // names that differ in case or number alone tell a reader nothing, though the search knows them
    const bare = (name) => name.toLowerCase().replace(/[\s-]+/g, " ").replace(/s$/, "");
    const told = new Set([bare(node.label)]);
    const also = node.also.filter((name) => !told.has(bare(name)) && told.add(bare(name)));
    const group = graph.communities[node.community];
    const parts = [
      top(make("span", { class: "badge" }, markOf(node), typeOf(node).name)),
      make("h2", {}, node.label),
      also.length ? make("p", { class: "faint fact any" }, "Also: ", ...also.slice(0, 12).flatMap((n, i) => (i ? [" · ", bdi(n)] : [bdi(n)]))) : null,
      facts.length ? make("p", { class: "fact" }, ...facts.flatMap((f, i) => (i ? [" · ", f] : [f]))) : null,
      group && !group.loose && group.size > 2 ? make("div", { class: "stands" }, make("span", { class: "faint" }, "Stands with"), pickGroup(node.community, counted(group.size, "node"))) : null,
      ...(about.years.length > 1 ? yearChart(about.years) : []),
    ];
    const related = relations(node);
    if (related.length) parts.push(make("h3", {}, "Relations"), ...related);
    if (heading) parts.push(heading, statements(about.said, typeOf(node).name !== "Paper"));
    return parts;
  }

  function edgeDetails(edge) {
    const all = evidence.edges[edge.id];
    return [
      top(make("span", { class: "badge" }, stroke(familyOf(edge)), kindOf(edge).label)),
      make("div", { class: "ends" }, pickNode(graph.nodes[edge.from]), make("span", { class: "verb" }, kindOf(edge).label), pickNode(graph.nodes[edge.to])),
      edge.papers ? make("p", { class: "fact" }, counted(edge.papers, "paper")) : null,
      make("h3", {}, all.length ? "What papers say" : "No sentence is kept for this line"),
      statements(all, false),
    ];
  }

  let now = null;
  return function show(thing) {
    now = thing;
    const sentences = thing?.node !== undefined || thing?.edge !== undefined;
    if (sentences && evidence === null) {
      panel.replaceChildren(make("p", { class: "faint" }, "Reading the sentences …"));
      readEvidence().then(() => { if (now === thing) show(thing); });
      return;
    }
    const parts = thing === null ? overview() : thing.node !== undefined ? nodeDetails(graph.nodes[thing.node])
      : thing.edge !== undefined ? edgeDetails(graph.edges[thing.edge])
      : thing.community !== undefined ? communityDetails(thing.community) : missing(thing.missing);
    panel.replaceChildren(...parts.filter((p) => p !== null));
    panel.scrollTop = 0;
  };
}
