// The data of the page and what passes the filters. Nothing here touches the document's elements,
// save that `make` builds them: text goes in as text, attributes by a closed list.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const graph = read("graph-data");
let evidenceRead = null;
const evidence = () => (evidenceRead ??= read("evidence-data"));

const ATTRIBUTES = new Set(["id", "class", "type", "role", "href", "target", "rel", "title", "lang",
  "aria-label", "aria-selected", "aria-pressed", "aria-sort", "download", "for", "tabindex", "scope"]);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "click") element.addEventListener("click", value);
    else if (ATTRIBUTES.has(name)) element.setAttribute(name, value);
    else throw new Error(`attribute ${name}`);
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

const bdi = (text) => make("bdi", {}, text);
const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const by = (n) => document.getElementById(n);

graph.nodes.forEach((node, id) => Object.assign(node, { id, out: [], in: [] }));
graph.edges.forEach((edge, id) => {
  edge.id = id;
  graph.nodes[edge.from].out.push(edge);
  graph.nodes[edge.to].in.push(edge);
});
const typeOf = (node) => graph.types[node.type];
const kindOf = (edge) => graph.kinds[edge.kind];
const familyOf = (edge) => graph.families[kindOf(edge).family];
const allYears = graph.nodes.flatMap((n) => [n.first, n.last]).filter((y) => Number.isInteger(y));
const bounds = allYears.length ? [Math.min(...allYears), Math.max(...allYears)] : null;
const mostPapers = Math.max(1, ...graph.nodes.map((n) => n.papers));
const looseNodes = graph.nodes.filter((n) => !n.out.length && !n.in.length).length;

const filters = {
  typesOff: new Set(), kindsOff: new Set(), least: 1, from: null, until: null,
  // entities without a relation are most often noise beside those with; alone they are all there is
  loose: looseNodes > 0.6 * graph.nodes.length,
};
const looseAtStart = filters.loose;

function inYears(node) {
  if (filters.from === null && filters.until === null) return true;
  if (!Number.isInteger(node.first)) return false;
  return node.last >= (filters.from ?? -Infinity) && node.first <= (filters.until ?? Infinity);
}

// What is to be seen, and how many of each type and kind; a type's count does not depend on its own tick.
function passing() {
  const fits = graph.nodes.map((n) => (n.papers >= filters.least || n.papers === 0) && inYears(n));
  const on = graph.nodes.map((n) => fits[n.id] && !filters.typesOff.has(n.type));
  const tied = new Array(graph.nodes.length).fill(false);
  const kinds = new Array(graph.kinds.length).fill(0);
  const edges = graph.edges.map((e) => {
    if (!on[e.from] || !on[e.to]) return false;
    kinds[e.kind] += 1;
    if (filters.kindsOff.has(e.kind)) return false;
    tied[e.from] = tied[e.to] = true;
    return true;
  });
  const nodes = on.map((passes, id) => passes && (filters.loose || tied[id]));
  const types = new Array(graph.types.length).fill(0);
  graph.nodes.forEach((n) => {
    if (filters.typesOff.has(n.type) ? fits[n.id] : nodes[n.id]) types[n.type] += 1;
  });
  const loose = on.filter((passes, id) => passes && !tied[id]).length;
  return { nodes, edges, types, kinds, loose };
}

// Names as a person types them: no case, no accents.
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const names = graph.nodes.map((n) => [n.label, ...n.also].map((name) => [fold(name), name]));

function find(typed, most = 8) {
  const wanted = fold(typed.trim());
  if (!wanted) return [];
  const found = [];
  graph.nodes.forEach((node) => {
    let best = null;
    names[node.id].forEach(([folded, name], place) => {
      const at = folded.indexOf(wanted);
      if (at < 0) return;
      const start = at === 0 ? 0 : /[\p{L}\p{N}]/u.test(folded[at - 1]) ? 2 : 1;
      const rank = (folded === wanted ? -1 : start) + (place ? 0.5 : 0);
      if (best === null || rank < best.rank) best = { node, rank, name: place ? name : "" };
    });
    if (best) found.push(best);
  });
  found.sort((a, b) => a.rank - b.rank || b.node.papers - a.node.papers || a.node.id - b.node.id);
  return found.slice(0, most);
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function mark(type) {
  const picture = svg("svg", { viewBox: "0 0 14 14", class: "mark", "aria-hidden": "true" });
  const shape = {
    square: ["rect", { x: 2, y: 2, width: 10, height: 10 }],
    diamond: ["path", { d: "M7 .5 13.5 7 7 13.5 .5 7Z" }],
    triangle: ["path", { d: "M7 1 13.5 12.5H.5Z" }],
  }[type.shape] ?? ["circle", { cx: 7, cy: 7, r: 6 }];
  picture.append(svg(shape[0], { ...shape[1], fill: type.colour }));
  return picture;
}

const DASHES = { solid: "none", dashed: "5 3", dotted: "1.5 3" };
const dark = () => document.documentElement.dataset.theme === "dark";
const familyColour = (family) => (dark() ? family.dark : family.colour);

function stroke(family) {
  const picture = svg("svg", { viewBox: "0 0 24 10", class: "stroke", "aria-hidden": "true" });
  picture.append(svg("path", { d: "M1 5H19", fill: "none", stroke: familyColour(family), "stroke-width": 2, "stroke-dasharray": DASHES[family.stroke] }));
  picture.append(svg("path", { d: "M18 1.8 23.5 5 18 8.2Z", fill: familyColour(family) }));
  return picture;
}
