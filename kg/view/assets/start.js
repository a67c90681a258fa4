// All is defined: draw what the address asks for.

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
