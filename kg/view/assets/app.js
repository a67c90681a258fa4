// The page itself: what is selected, the panel beside the drawing, and the keys.

const root = document.documentElement;
const stage = by("stage");
let passes = passing();
let selected = null;

function setTheme(name) {
  root.dataset.theme = name;
  by("theme").textContent = name === "dark" ? "Light" : "Dark";
}
setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

const renderer = (graph.vis ? visRenderer : sigmaRenderer)(by("canvas"), { hover: showTip, pick: select });
const showDetails = detailsPanel(by("details"), { pick: choose });
const table = nodeTable(by("table"), { pick: choose });

function showTip(thing, at) {
  const tip = by("tip");
  tip.hidden = thing === null;
  stage.style.cursor = thing === null ? "" : "pointer";
  if (thing === null) return;
  if (thing.node !== undefined) {
    const node = graph.nodes[thing.node];
    tip.replaceChildren(bdi(node.label), make("span", { class: "faint" }, [typeOf(node).name, node.papers ? counted(node.papers, "paper") : ""].filter(Boolean).join(" · ")));
  } else {
    const edge = graph.edges[thing.edge];
    tip.replaceChildren(bdi(graph.nodes[edge.from].label), ` ${kindOf(edge).label} `, bdi(graph.nodes[edge.to].label),
      make("span", { class: "faint" }, edge.papers ? counted(edge.papers, "paper") : ""));
  }
  const room = stage.getBoundingClientRect();
  tip.style.left = `${Math.min(at.x + 14, Math.max(0, room.width - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.min(at.y + 14, Math.max(0, room.height - tip.offsetHeight - 8))}px`;
}

const edgesOf = (id) => [...graph.nodes[id].out, ...graph.nodes[id].in].filter((e) => passes.edges[e.id]);
const neighbours = (id) => [id, ...edgesOf(id).flatMap((e) => [e.from, e.to])];

// Selection. `select` comes from the drawing, `choose` from elsewhere and moves the drawing there.
function select(thing) {
  selected = thing;
  if (thing === null || thing.missing !== undefined) renderer.mark(null, null, new Set());
  else if (thing.node !== undefined) {
    renderer.mark(thing.node, new Set(neighbours(thing.node)), new Set(edgesOf(thing.node).map((e) => e.id)));
  } else if (thing.edge !== undefined) {
    const edge = graph.edges[thing.edge];
    renderer.mark(null, new Set([edge.from, edge.to]), new Set([edge.id]));
  } else {
    const members = new Set(graph.nodes.filter((n) => n.community === thing.community).map((n) => n.id));
    renderer.mark(null, members, new Set(graph.edges.filter((e) => members.has(e.from) && members.has(e.to)).map((e) => e.id)));
  }
  showDetails(thing);
  if (thing !== null) openTab("details");
  remember();
}
function choose(thing) {
  if (thing !== null && thing.node !== undefined && !passes.nodes[thing.node]) reveal(graph.nodes[thing.node]);
  if (thing !== null && thing.edge !== undefined && !passes.edges[thing.edge]) revealEdge(graph.edges[thing.edge]);
  select(thing);
  if (thing === null || thing.missing !== undefined) return;
  if (thing.node !== undefined) renderer.fit(neighbours(thing.node));
  else if (thing.edge !== undefined) renderer.fit([graph.edges[thing.edge].from, graph.edges[thing.edge].to]);
  else renderer.fit(graph.nodes.filter((n) => n.community === thing.community).map((n) => n.id));
}
function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of ["details", "table", "filters"]) {
    const on = tab === name;
    by(`tab-${tab}`).setAttribute("aria-selected", String(on));
    by(`tab-${tab}`).tabIndex = on ? 0 : -1;
    if (tab !== "filters") by(tab).hidden = !on;
  }
  if (name === "table") table.open();
}
const tabs = ["details", "table", "filters"].map((name) => by(`tab-${name}`));
tabs.forEach((tab, i) => {
  tab.addEventListener("click", () => openTab(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const open = tabs.filter((t) => t.offsetParent !== null);
    const next = open[(open.indexOf(tabs[i]) + step + open.length) % open.length];
    openTab(next.id.slice(4));
    next.focus();
  });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") select(null);
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) { search.focus(); search.select(); event.preventDefault(); }
});
by("canvas").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
  if (step) renderer.move(...step);
  else if (event.key === "+" || event.key === "=") renderer.zoom(1.3);
  else if (event.key === "-") renderer.zoom(1 / 1.3);
  else if (event.key === "0") renderer.fit();
  else return;
  event.preventDefault();
});
by("closer").addEventListener("click", () => renderer.zoom(1.4));
by("farther").addEventListener("click", () => renderer.zoom(1 / 1.4));
by("all").addEventListener("click", () => renderer.fit());
by("theme").addEventListener("click", () => {
  setTheme(dark() ? "light" : "dark");
  repaintTicks();
  repaint();
});
// Colours have changed.
function repaint() {
  renderer.repaint();
  showDetails(selected);
  table.show(passes);
}
