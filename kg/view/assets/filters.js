// The filters, which are the legend too: built once, their counts renewed with every change.
function tick(list, number, picture, text, off) {
  // a long name is cut short, its whole shown by the pointer
  const input = make("input", { type: "checkbox" });
  input.checked = !off.has(number);
  const label = make("label", { class: "tick" }, input, picture(), make("span", { class: "grow", title: text }, text), make("span", { class: "count" }));
  input.addEventListener("change", () => {
    if (input.checked) off.delete(number); else off.add(number);
    refresh();
  });
  list.append(label);
  return { label, input, picture, count: label.lastChild, number, off };
}
const typeTicks = graph.types.map((t, i) => tick(by("types"), i, () => mark(t, byGroup() ? "currentColor" : t.colour), t.name || "Node", filters.typesOff));
const groupTicks = groups.map((g, i) => tick(by("groups"), i, () => mark({ shape: "disc" }, byGroup() ? g.colour : "none"), g.name, filters.groupsOff));
const roleTicks = graph.roles.map((r, i) => tick(by("roles"), i, () => "", r.label, filters.rolesOff));
const venueTicks = graph.venues.map((v, i) => tick(by("venues"), i, () => "", v || "No venue", filters.venuesOff));
const kindTicks = graph.kinds.map((k, i) => tick(by("kinds"), i, () => stroke(graph.families[k.family]), k.label, filters.kindsOff));
by("types").hidden = graph.types.length === 0;
by("groups").hidden = groups.length < 2;
by("colouring").hidden = groups.length < 2;
by("kinds").hidden = graph.kinds.length === 0;
by("roles").hidden = graph.roles.length < 2;
by("venues").hidden = graph.venues.length < 2;
by("support").max = String(Math.min(mostSupport, 20));
by("support").closest("label").hidden = mostSupport < 2;
by("sure").closest("label").hidden = ![...graph.edges, ...graph.nodes].some((t) => typeof t.confidence === "number");
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

const allTicks = [...typeTicks, ...groupTicks, ...kindTicks, ...roleTicks, ...venueTicks];
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
  for (const [ticks, counts] of [[typeTicks, passes.types], [groupTicks, passes.groups], [kindTicks, passes.kinds], [roleTicks, passes.roles], [venueTicks, passes.venues]]) {
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
  table.show(passes);
  remember();
}


// What a node's colour stands for; the legend says it.
function colourBy(what) {
  colouring = what;
  for (const name of ["type", "community"]) by(`by-${name}`).setAttribute("aria-pressed", String(name === what));
  document.body.dataset.colouring = what;
  // the legend of the colours stands first
  if (byGroup()) by("types").before(by("groups")); else by("roles").before(by("groups"));
  by("key").replaceChildren(...(byGroup() ? groups.map((g) => make("li", {}, mark({ shape: "disc" }, g.colour), make("span", {}, bdi(g.name))))
    : graph.types.map((t) => make("li", {}, mark(t, t.colour), t.name || "Node"))));
  repaintTicks();
}
function repaintTicks() {
  for (const t of [...typeTicks, ...groupTicks, ...kindTicks]) t.label.querySelector("svg").replaceWith(t.picture());
}
for (const name of ["type", "community"]) {
  by(`by-${name}`).addEventListener("click", () => {
    colourBy(name);
    repaint();
    remember();
  });
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
  filters.groupsOff.delete(node.group);
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
