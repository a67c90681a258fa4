// The data of the page and what passes the filters. Nothing here touches the document's elements,
// save that `make` builds them: text goes in as text, attributes by a closed list.

// Large blocks are packed: gzip in base64.
async function read(id) {
  const block = document.getElementById(id);
  if (block.type === "application/json") return JSON.parse(block.textContent);
  const bytes = Uint8Array.from(atob(block.textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
const graph = await read("graph-data");
// The sentences are read when they are first asked for; `evidence` is null until then.
let evidence = null;
let evidenceComing = null;
const readEvidence = () => (evidenceComing ??= read("evidence-data").then((data) => { evidence = data; }));

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
const dated = graph.nodes.filter((n) => Number.isInteger(n.first));
const bounds = dated.length ? [dated.reduce((y, n) => Math.min(y, n.first), Infinity), dated.reduce((y, n) => Math.max(y, n.last), -Infinity)] : null;
const mostPapers = graph.nodes.reduce((most, n) => Math.max(most, n.papers), 1);
const looseNodes = graph.nodes.filter((n) => !n.out.length && !n.in.length).length;

const mostSupport = graph.edges.reduce((most, e) => Math.max(most, e.papers), 1);

const START = { least: 1, support: 1, sure: 0, from: null, until: null };
const filters = {
  typesOff: new Set(), kindsOff: new Set(), rolesOff: new Set(), venuesOff: new Set(), groupsOff: new Set(), ...START,
  // entities without a relation are most often noise beside those with; alone they are all there is
  loose: looseNodes > 0.6 * graph.nodes.length,
};
const looseAtStart = filters.loose;

function inYears(thing) {
  if (filters.from === null && filters.until === null) return true;
  if (!Number.isInteger(thing.first)) return false;
  return thing.last >= (filters.from ?? -Infinity) && thing.first <= (filters.until ?? Infinity);
}
const someOn = (have, off) => off.size === 0 || have.length === 0 || have.some((i) => !off.has(i));
const sureEnough = (thing) => typeof thing.confidence !== "number" || thing.confidence >= filters.sure;

// What is to be seen, and how many nodes each tick would let pass beside all other filters.
function passing() {
  const fits = graph.nodes.map((n) => (n.papers >= filters.least || n.papers === 0) && inYears(n) && sureEnough(n));
  const byType = (n) => !filters.typesOff.has(n.type);
  const byRole = (n) => someOn(n.roles, filters.rolesOff);
  const byVenue = (n) => someOn(n.venues, filters.venuesOff);
  const inGroup = (n) => !filters.groupsOff.has(n.group);
  const on = graph.nodes.map((n) => fits[n.id] && byType(n) && byRole(n) && byVenue(n) && inGroup(n));
  const tied = new Array(graph.nodes.length).fill(false);
  const kinds = new Array(graph.kinds.length).fill(0);
  const edges = graph.edges.map((e) => {
    if (!on[e.from] || !on[e.to]) return false;
    if (e.papers < filters.support && e.papers > 0) return false;
    if (!sureEnough(e) || !inYears(Number.isInteger(e.first) ? e : graph.nodes[e.from])) return false;
    if (!someOn(e.venues, filters.venuesOff)) return false;
    kinds[e.kind] += 1;
    if (filters.kindsOff.has(e.kind)) return false;
    tied[e.from] = tied[e.to] = true;
    return true;
  });
  const nodes = on.map((passes, id) => passes && (filters.loose || tied[id]));
  const count = (table, of, off, others) => {
    const counts = new Array(table.length).fill(0);
    graph.nodes.forEach((n) => {
      const beside = fits[n.id] && others.every((passes) => passes(n));
      of(n).forEach((i) => { if (off.has(i) ? beside : nodes[n.id]) counts[i] += 1; });
    });
    return counts;
  };
  return {
    nodes, edges, kinds,
    types: count(graph.types, (n) => [n.type], filters.typesOff, [byRole, byVenue, inGroup]),
    roles: count(graph.roles, (n) => n.roles, filters.rolesOff, [byType, byVenue, inGroup]),
    venues: count(graph.venues, (n) => n.venues, filters.venuesOff, [byType, byRole, inGroup]),
    groups: count(groups, (n) => [n.group], filters.groupsOff, [byType, byRole, byVenue]),
    loose: on.filter((passes, id) => passes && !tied[id]).length,
  };
}

// The largest communities have a colour and a tick of their own, the others share one.
const OWN = 8;
const groups = graph.communities.filter((c, i) => !c.loose && i < OWN).map((c) => ({ name: c.name, colour: c.colour }));
{
  const grey = graph.communities[OWN]?.colour ?? graph.communities.find((c) => c.loose)?.colour;
  const rest = graph.communities.some((c, i) => !c.loose && i >= OWN) ? groups.push({ name: "Smaller communities", colour: grey }) - 1 : null;
  const loose = graph.communities.some((c) => c.loose) ? groups.push({ name: "Without a relation", colour: grey }) - 1 : null;
  graph.nodes.forEach((n) => { n.group = graph.communities[n.community].loose ? loose : n.community < OWN ? n.community : rest; });
}
let colouring = "type";
const byGroup = () => colouring === "community";
const colourOf = (node) => (byGroup() ? graph.communities[node.community] : typeOf(node)).colour;
const markOf = (node) => mark(typeOf(node), colourOf(node));

// Where there are many lines, those of one paper that cross from community to community are what
// makes a tangle: they stand back until an end of theirs is chosen.
const crowded = graph.edges.length > 150;
const weightOf = (edge) => (crowded && graph.nodes[edge.from].community !== graph.nodes[edge.to].community ? (edge.papers < 2 ? 0.4 : 0.75) : 1);

// Names as a person types them: no case, no accents.
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
let folded = null;
const names = () => (folded ??= graph.nodes.map((n) => [n.label, ...n.also].map((name) => [fold(name), name])));

function find(typed, most = 8) {
  const wanted = fold(typed.trim());
  if (!wanted) return [];
  const found = [];
  graph.nodes.forEach((node) => {
    let best = null;
    names()[node.id].forEach(([text, name], place) => {
      const at = text.indexOf(wanted);
      if (at < 0) return;
      const start = at === 0 ? 0 : /[\p{L}\p{N}]/u.test(text[at - 1]) ? 2 : 1;
      const rank = (text === wanted ? -1 : start) + (place ? 0.5 : 0);
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

function mark(type, colour) {
  const picture = svg("svg", { viewBox: "0 0 14 14", class: "mark", "aria-hidden": "true" });
  const shape = {
    square: ["rect", { x: 2, y: 2, width: 10, height: 10 }],
    diamond: ["path", { d: "M7 .5 13.5 7 7 13.5 .5 7Z" }],
    triangle: ["path", { d: "M7 1 13.5 12.5H.5Z" }],
  }[type.shape] ?? ["circle", { cx: 7, cy: 7, r: 6 }];
  picture.append(svg(shape[0], { ...shape[1], fill: colour }));
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
