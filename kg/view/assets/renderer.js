// The drawing by vis-network. What the page needs of a renderer: show, mark, fit, zoom, move,
// repaint, labels; and calls of hover(thing, x, y) and pick(thing), a thing being {node} or {edge}.

function visRenderer(box, { hover, pick }) {
  const data = graph.vis;
  const nodes = new vis.DataSet(data.nodes);
  const edges = new vis.DataSet(data.edges.map((e) => ({ ...e, color: { color: "#888888", opacity: 0.4 } })));
  const network = new vis.Network(box, { nodes, edges }, data.options);
  const paint = labelPainter();
  let visible = { nodes: [], edges: [] };
  let near = null; // ids of the nodes to stand out, null for all
  let nearEdges = new Set();
  let chosen = null;
  let painted = [];
  let regions = [];
  let growth = 1; // marks and lines shrink less than the plane when one zooms out
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function dress() {
    edges.update(graph.edges.map((e) => {
      const strong = nearEdges.has(e.id);
      const faint = near !== null && !strong;
      return {
        id: e.id, hidden: !visible.edges[e.id],
        color: { color: familyColour(familyOf(e)), opacity: faint ? 0.07 : strong ? 0.95 : 0.62 * weightOf(e) },
        width: data.edges[e.id].width * growth * (strong ? 1.5 : 1),
        arrows: { to: { enabled: true, scaleFactor: 0.45 * Math.min(growth, 1.4) } },
      };
    }));
    nodes.update(graph.nodes.map((n) => ({
      id: n.id, hidden: !visible.nodes[n.id],
      opacity: near !== null && !near.has(n.id) ? 0.16 : 1,
      color: { background: colourOf(n), border: n.id === chosen ? colour("--ink") : colour("--page") },
      borderWidth: (n.id === chosen ? 3 : 1.5) * growth, size: n.r * growth,
    })));
  }

  let waiting = false;
  function grow(scale) {
    const wanted = Math.min(Math.max(0.95 / scale, 1), 2) ** 0.75;
    if (waiting || Math.abs(wanted / growth - 1) < 0.06) return;
    waiting = true;
    requestAnimationFrame(() => {
      growth = wanted;
      waiting = false;
      dress();
    });
  }

  network.on("afterDrawing", (context) => {
    const scale = network.getScale();
    grow(scale);
    const ratio = context.canvas.width / context.canvas.clientWidth;
    const width = context.canvas.clientWidth;
    const height = context.canvas.clientHeight;
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const shown = graph.nodes.filter((n) => visible.nodes[n.id]).map((n) => {
      const at = network.canvasToDOM(network.getPosition(n.id));
      const isNear = near !== null && near.has(n.id);
      return {
        id: n.id, label: n.label, x: at.x, y: at.y, r: n.r * growth * scale, weight: n.papers * 1000 + n.out.length + n.in.length,
        strong: n.id === chosen ? 2 : isNear ? 1 : 0, faint: near !== null && !isNear,
      };
    });
    const seen = near === null ? regions.map((r) => ({ ...r, ...network.canvasToDOM(r), r: r.r * scale })) : [];
    painted = paint(context, near === null ? shown : shown.filter((n) => !n.faint), { width, height, scale, regions: seen, ink: colour("--ink"), soft: colour("--soft"), halo: colour("--halo") });
    if (nearEdges.size <= 40) paintKinds(context, nearLines(), blocked(painted, shown.filter((n) => !n.faint)), colour("--halo"));
    context.restore();
    box.dataset.labels = String(painted.length);
  });

  const middle = (id) => network.canvasToDOM(network.body.edges[id].edgeType.getPoint(0.5));
  const nearLines = () => [...nearEdges].filter((id) => visible.edges[id] && network.body.edges[id]?.connected)
    .map((id) => ({ at: middle(id), edge: graph.edges[id] }));
  const thing = (pointer) => {
    const node = network.getNodeAt(pointer);
    if (node !== undefined) return { node };
    const edge = network.getEdgeAt(pointer);
    return edge === undefined ? null : { edge };
  };
  network.on("click", (event) => pick(thing(event.pointer.DOM)));
  network.on("hoverNode", (event) => hover({ node: event.node }, event.pointer.DOM));
  network.on("hoverEdge", (event) => hover({ edge: event.edge }, event.pointer.DOM));
  for (const name of ["blurNode", "blurEdge", "dragStart", "zoom"]) network.on(name, () => hover(null));

  const moved = (options) => (calm ? { ...options, animation: false } : options);
  const animation = { duration: 350, easingFunction: "easeInOutQuad" };
  function fit(ids = null, animate = true) {
    const all = (ids ?? graph.nodes.map((n) => n.id)).filter((id) => visible.nodes[id]);
    if (all.length) network.fit(moved({ nodes: all, maxZoomLevel: 1.6, animation: animate ? animation : false }));
  }
  return {
    fit,
    show(passes) { visible = passes; regions = regionsOf(passes); dress(); },
    mark(node, around, aroundEdges) {
      chosen = node;
      near = around;
      nearEdges = aroundEdges;
      dress();
    },
    zoom(factor) { network.moveTo(moved({ scale: Math.min(Math.max(network.getScale() * factor, 0.02), 6), animation: { duration: 150, easingFunction: "easeOutQuad" } })); },
    move(dx, dy) {
      const at = network.getViewPosition();
      const scale = network.getScale();
      network.moveTo({ position: { x: at.x + dx / scale, y: at.y + dy / scale }, animation: false });
    },
    repaint: dress,
    place: (id) => network.canvasToDOM(network.getPosition(id)),
    middle,
    labels: () => painted.map((p) => ({ id: p.id, community: p.community, ...p.box })),
  };
}
