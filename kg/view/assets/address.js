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
  if (selected?.community !== undefined) state.set("community", selected.community);
  if (byGroup()) state.set("colour", "community");
  if (filters.groupsOff.size) state.set("group", [...filters.groupsOff].sort((a, b) => a - b).join(","));
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
  filters.groupsOff.clear();
  (state.get("group") ?? "").split(",").forEach((word) => { if (/^\d$/.test(word) && groups[word]) filters.groupsOff.add(Number(word)); });
  colourBy(state.get("colour") === "community" && groups.length > 1 ? "community" : "type");
  filters.venuesOff.clear();
  state.getAll("venue").map((venue) => graph.venues.indexOf(venue)).filter((i) => i >= 0).forEach((i) => filters.venuesOff.add(i));
  const sure = /^0?\.\d{1,2}$/.test(state.get("sure") ?? "") ? Number(state.get("sure")) : 0;
  const whole = (name) => (/^\d{1,4}$/.test(state.get(name) ?? "") ? Number(state.get(name)) : null);
  Object.assign(filters, { least: whole("least") || 1, support: whole("support") || 1, sure, from: whole("from"), until: whole("until"), loose: state.has("loose") ? state.get("loose") === "1" : looseAtStart });
  fillControls();
  refresh();
  const wanted = state.get("node");
  if (wanted === null && !state.has("edge")) return graph.communities[whole("community") ?? -1] ? { community: whole("community") } : null;
  const node = graph.nodes.find((n) => n.iri === wanted);
  const edge = graph.edges.find((e) => [graph.nodes[e.from].iri, kindOf(e).name, graph.nodes[e.to].iri].join(" ") === state.get("edge"));
  return node ? { node: node.id } : edge ? { edge: edge.id } : { missing: wanted ?? "" };
}
