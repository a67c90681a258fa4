// The page itself: filters, search, selection, keys, and its state in the address.

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
const showTable = nodeTable(by("table"), { pick: choose });

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

// Filters: built once, their counts renewed with every change.
function tick(list, number, picture, text, off) {
  const input = make("input", { type: "checkbox" });
  input.checked = !off.has(number);
  const label = make("label", { class: "tick" }, input, picture(), make("span", { class: "grow" }, text), make("span", { class: "count" }));
  input.addEventListener("change", () => {
    if (input.checked) off.delete(number); else off.add(number);
    refresh();
  });
  list.append(label);
  return { label, input, picture, count: label.lastChild, number, off };
}
const typeTicks = graph.types.map((t, i) => tick(by("types"), i, () => mark(t), t.name || "Node", filters.typesOff));
const roleTicks = graph.roles.map((r, i) => tick(by("roles"), i, () => "", r.label, filters.rolesOff));
const venueTicks = graph.venues.map((v, i) => tick(by("venues"), i, () => "", v || "No venue", filters.venuesOff));
const kindTicks = graph.kinds.map((k, i) => tick(by("kinds"), i, () => stroke(graph.families[k.family]), k.label, filters.kindsOff));
by("types").hidden = graph.types.length === 0;
by("kinds").hidden = graph.kinds.length === 0;
by("roles").hidden = graph.roles.length < 2;
by("venues").hidden = graph.venues.length < 2;
by("support").max = String(Math.min(mostSupport, 20));
by("support").closest("label").hidden = mostSupport < 2;
by("sure").closest("label").hidden = ![...graph.edges, ...graph.nodes].some((t) => typeof t.confidence === "number");
by("key").append(...graph.types.map((t) => make("li", {}, mark(t), t.name || "Node")));
by("least").max = String(Math.min(mostPapers, 50));
by("least").closest("label").hidden = mostPapers < 2;
by("years").hidden = bounds === null || bounds[0] === bounds[1];
if (bounds) {
  for (const [id, at] of [["from", 0], ["until", 1]]) {
    by(id).min = bounds[0];
    by(id).max = bounds[1];
    by(id).placeholder = bounds[at];
  }
}
by("loose-line").hidden = looseNodes === 0 || graph.edges.length === 0;

const allTicks = [...typeTicks, ...kindTicks, ...roleTicks, ...venueTicks];
function takeNumbers() {
  for (const name of ["least", "support", "sure"]) filters[name] = Number(by(name).value);
  const year = (id) => (/^\d{1,4}$/.test(by(id).value) ? Number(by(id).value) : null);
  filters.from = year("from");
  filters.until = year("until");
  filters.loose = by("loose").checked;
}
for (const id of ["least", "support", "sure", "from", "until", "loose"]) {
  by(id).addEventListener("input", () => { takeNumbers(); refresh(); });
}
by("reset").addEventListener("click", () => {
  allTicks.forEach((t) => t.off.clear());
  Object.assign(filters, START, { loose: looseAtStart });
  fillControls();
  refresh();
});
function fillControls() {
  allTicks.forEach((t) => { t.input.checked = !t.off.has(t.number); });
  for (const name of ["least", "support", "sure"]) by(name).value = String(filters[name]);
  by("from").value = filters.from ?? "";
  by("until").value = filters.until ?? "";
  by("loose").checked = filters.loose;
}

function refresh() {
  passes = passing();
  for (const [ticks, counts] of [[typeTicks, passes.types], [kindTicks, passes.kinds], [roleTicks, passes.roles], [venueTicks, passes.venues]]) {
    ticks.forEach((t) => {
      t.count.textContent = counts[t.number].toLocaleString("en");
      t.label.classList.toggle("off", t.off.has(t.number));
      t.label.classList.toggle("none", counts[t.number] === 0);
    });
  }
  by("least-said").textContent = counted(filters.least, "paper");
  by("support-said").textContent = counted(filters.support, "paper");
  by("sure-said").textContent = filters.sure.toFixed(2);
  by("loose-count").textContent = passes.loose.toLocaleString("en");
  const nodes = passes.nodes.filter(Boolean).length;
  const edges = passes.edges.filter(Boolean).length;
  by("summary").replaceChildren(`${counted(nodes, "node")} · ${counted(edges, "relation")}`, graph.note ? ` · ${graph.note}` : "");
  by("nothing").hidden = nodes > 0;
  renderer.show(passes);
  showTable(passes);
  remember();
}

const edgesOf = (id) => [...graph.nodes[id].out, ...graph.nodes[id].in].filter((e) => passes.edges[e.id]);
const neighbours = (id) => [id, ...edgesOf(id).flatMap((e) => [e.from, e.to])];

// Selection. `select` comes from the drawing, `choose` from elsewhere and moves the drawing there.
function select(thing) {
  selected = thing;
  if (thing === null) renderer.mark(null, null, new Set());
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
  if (thing === null) return;
  if (thing.node !== undefined) renderer.fit(neighbours(thing.node));
  else if (thing.edge !== undefined) renderer.fit([graph.edges[thing.edge].from, graph.edges[thing.edge].to]);
  else renderer.fit(graph.nodes.filter((n) => n.community === thing.community).map((n) => n.id));
}
// A node that was asked for by name is shown, whatever the filters said.
function reveal(node) {
  letNode(node);
  if (!passing().nodes[node.id]) filters.loose = true;
  fillControls();
  refresh();
}
function letNode(node) {
  filters.typesOff.delete(node.type);
  if (!someOn(node.roles, filters.rolesOff)) filters.rolesOff.clear();
  if (!someOn(node.venues, filters.venuesOff)) filters.venuesOff.clear();
  if (node.papers < filters.least && node.papers > 0) filters.least = node.papers;
  if (!sureEnough(node)) filters.sure = 0;
  if (!inYears(node)) Object.assign(filters, { from: null, until: null });
}
function revealEdge(edge) {
  letNode(graph.nodes[edge.from]);
  letNode(graph.nodes[edge.to]);
  filters.kindsOff.delete(edge.kind);
  if (!someOn(edge.venues, filters.venuesOff)) filters.venuesOff.clear();
  if (edge.papers < filters.support && edge.papers > 0) filters.support = edge.papers;
  if (!sureEnough(edge)) filters.sure = 0;
  if (!passing().edges[edge.id]) Object.assign(filters, { from: null, until: null });
  fillControls();
  refresh();
}

function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of ["details", "table", "filters"]) {
    const on = tab === name;
    by(`tab-${tab}`).setAttribute("aria-selected", String(on));
    by(`tab-${tab}`).tabIndex = on ? 0 : -1;
    if (tab !== "filters") by(tab).hidden = !on;
  }
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

// Search with suggestions (the ARIA pattern of a combobox with a list).
const search = by("search");
const suggestions = by("suggestions");
let offered = [];
let active = -1;
function offer() {
  offered = find(search.value);
  active = offered.length ? 0 : -1;
  suggestions.replaceChildren(...offered.map(({ node, name }, i) => {
    const item = make("li", { role: "option", id: `suggestion-${i}`, "aria-selected": String(i === active) }, mark(typeOf(node)),
      make("span", { class: "grow" }, bdi(node.label), name ? make("span", { class: "also" }, bdi(name)) : null),
      make("span", { class: "count" }, node.papers ? String(node.papers) : ""));
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(i); });
    return item;
  }));
  if (search.value.trim() && !offered.length) suggestions.replaceChildren(make("li", { class: "faint" }, "No name contains this"));
  suggestions.hidden = !search.value.trim();
  search.setAttribute("aria-expanded", String(!suggestions.hidden));
  pointAt(active);
}
function pointAt(i) {
  active = i;
  [...suggestions.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === i)));
  if (i >= 0) search.setAttribute("aria-activedescendant", `suggestion-${i}`); else search.removeAttribute("aria-activedescendant");
}
function closeOffer() {
  suggestions.hidden = true;
  search.setAttribute("aria-expanded", "false");
}
function take(i) {
  const { node } = offered[i];
  search.value = node.label;
  closeOffer();
  choose({ node: node.id });
}
search.addEventListener("input", offer);
search.addEventListener("blur", closeOffer);
search.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { search.value = ""; closeOffer(); search.blur(); event.stopPropagation(); }
  if (suggestions.hidden || !offered.length) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    pointAt((active + (event.key === "ArrowDown" ? 1 : -1) + offered.length) % offered.length);
    event.preventDefault();
  }
  if (event.key === "Enter") take(Math.max(active, 0));
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
  kindTicks.forEach((t) => { const old = t.label.querySelector(".stroke"); old.replaceWith(t.picture()); });
  renderer.repaint();
  showDetails(selected);
});

// The state in the address: a link to the file with this fragment opens the same view.
let ready = false;
function remember() {
  if (!ready) return;
  const state = new URLSearchParams();
  if (selected?.node !== undefined) state.set("node", graph.nodes[selected.node].iri);
  if (selected?.edge !== undefined) {
    const edge = graph.edges[selected.edge];
    state.set("edge", [graph.nodes[edge.from].iri, kindOf(edge).name, graph.nodes[edge.to].iri].join(" "));
  }
  if (filters.typesOff.size) state.set("without", [...filters.typesOff].map((i) => graph.types[i].name).sort().join(","));
  if (filters.kindsOff.size) state.set("no", [...filters.kindsOff].map((i) => graph.kinds[i].name).sort().join(","));
  if (filters.rolesOff.size) state.set("role", [...filters.rolesOff].map((i) => graph.roles[i].name).sort().join(","));
  // venues hold commas: one each
  [...filters.venuesOff].map((i) => graph.venues[i]).sort().forEach((venue) => state.append("venue", venue));
  for (const name of ["least", "support", "sure"]) if (filters[name] > START[name]) state.set(name, filters[name]);
  if (filters.from !== null) state.set("from", filters.from);
  if (filters.until !== null) state.set("until", filters.until);
  if (filters.loose !== looseAtStart) state.set("loose", filters.loose ? 1 : 0);
  history.replaceState(null, "", `#${state}`);
}
function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const set = (off, table, name) => {
    off.clear();
    (state.get(name) ?? "").split(",").forEach((word) => {
      const i = word ? table.findIndex((row) => row.name === word) : -1;
      if (i >= 0) off.add(i);
    });
  };
  set(filters.typesOff, graph.types, "without");
  set(filters.kindsOff, graph.kinds, "no");
  set(filters.rolesOff, graph.roles, "role");
  filters.venuesOff.clear();
  state.getAll("venue").map((venue) => graph.venues.indexOf(venue)).filter((i) => i >= 0).forEach((i) => filters.venuesOff.add(i));
  const sure = /^0?\.\d{1,2}$/.test(state.get("sure") ?? "") ? Number(state.get("sure")) : 0;
  const whole = (name) => (/^\d{1,4}$/.test(state.get(name) ?? "") ? Number(state.get(name)) : null);
  Object.assign(filters, { least: whole("least") || 1, support: whole("support") || 1, sure, from: whole("from"), until: whole("until"), loose: state.has("loose") ? state.get("loose") === "1" : looseAtStart });
  fillControls();
  refresh();
  const node = graph.nodes.find((n) => n.iri === state.get("node"));
  const edge = graph.edges.find((e) => [graph.nodes[e.from].iri, kindOf(e).name, graph.nodes[e.to].iri].join(" ") === state.get("edge"));
  return node ? { node: node.id } : edge ? { edge: edge.id } : null;
}

by("title").textContent = graph.title;
openTab("details");
const asked = recall() ?? (graph.focus === null ? null : { node: graph.focus });
renderer.fit(null, false);
if (asked === null) select(null); else choose(asked);
ready = true;
window.addEventListener("hashchange", () => { ready = false; const thing = recall(); select(null); if (thing) choose(thing); ready = true; });
root.dataset.ready = "yes";
// For tests: where a node or an edge stands on the screen, and which labels are drawn.
root.addEventListener("kg-where", (event) => {
  const { node, edge } = JSON.parse(root.dataset.ask);
  root.dataset.answer = JSON.stringify(node !== undefined ? renderer.place(node) : edge !== undefined ? renderer.middle(edge) : renderer.labels());
  event.stopPropagation();
});
