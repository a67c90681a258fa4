// The drawing by sigma.js (WebGL), for graphs of more nodes than vis-network draws well. It gives
// the page the same as renderer.js. Nodes and edges are found under the pointer by arithmetic.

const SHAPES = { disc: 0, square: 1, diamond: 2, triangle: 3 };
const EDGES_WHILE_MOVING_UP_TO = 15000; // without a GPU more would make panning jerk
const ARROWS_UP_TO = 6000; // lines in sight; above, an arrow's head would only be a speck

// sigma blends with colours that are multiplied by their opacity already
const blended = new Map();
function premultiplied(hex, alpha) {
  const key = `${hex} ${alpha}`;
  if (!blended.has(key)) {
    const [r, g, b] = [1, 3, 5].map((at) => Math.round(parseInt(hex.slice(at, at + 2), 16) * alpha));
    blended.set(key, `rgba(${r},${g},${b},${alpha})`);
  }
  return blended.get(key);
}

// Edges between the same two nodes lie apart: the first is straight, the others bend to both sides.
function bends() {
  const lanes = new Map();
  return graph.edges.map((e) => {
    const pair = `${Math.min(e.from, e.to)} ${Math.max(e.from, e.to)}`;
    const lane = lanes.get(pair) ?? 0;
    lanes.set(pair, lane + 1);
    return 0.22 * Math.ceil(lane / 2) * (lane % 2 ? 1 : -1) * (e.from < e.to ? 1 : -1) || 0;
  });
}

function sigmaRenderer(box, { hover, pick }) {
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const paint = labelPainter();
  const bend = bends();
  const order = graph.nodes.map((n) => n.id).sort((a, b) => weight(b) - weight(a) || a - b);
  const ends = (e) => [graph.nodes[e.from], graph.nodes[e.to]];
  let visible = { nodes: [], edges: [] };
  let near = null; // ids of the nodes to stand out, null for all
  let nearEdges = new Set();
  let chosen = null;
  let painted = [];
  let regions = [];
  let dense = 0; // how many edges are in sight
  let full = 1; // and how opaque they are, so that many do not make one dark spot
  let waiting = true; // until it is known what is in sight
  let sigma = null;

  function weight(id) {
    const n = graph.nodes[id];
    return n.papers * 1000 + n.out.length + n.in.length;
  }
  // Marks shrink less than the plane when one zooms out, up to where they would cover one another;
  // but they can always be seen.
  const large = graph.nodes.map((n) => n.r).sort((a, b) => a - b)[Math.floor(0.9 * (graph.nodes.length - 1))];
  const growth = (scale) => Math.max(Math.min(Math.max(0.95 / scale, 1) ** 0.6, 1 + 15 / large), 0.2 / scale, 1);

  function node(id) {
    const n = graph.nodes[id];
    const faint = near !== null && !near.has(n.id);
    return {
      x: n.x, y: -n.y, size: n.r, hidden: !visible.nodes[n.id],
      shape: SHAPES[typeOf(n).shape] + (n.id === chosen ? 4 : 0), color: premultiplied(colourOf(n), faint ? 0.16 : 1),
    };
  }
  function edge(id) {
    const e = graph.edges[id];
    const strong = nearEdges.has(e.id);
    return {
      hidden: !visible.edges[e.id], size: Math.min(1 + 0.8 * Math.sqrt(Math.max(e.papers - 1, 0)), 5) * (strong ? 1.5 : 1),
      type: strong || dense <= ARROWS_UP_TO ? "arrow" : "line", bend: bend[e.id],
      color: premultiplied(familyColour(familyOf(e)), strong ? 0.95 : near !== null ? 0.06 : full * weightOf(e)),
    };
  }

  function start() {
    const held = () => waiting;
    const plane = new sigmaBundle.MultiDirectedGraph();
    graph.nodes.forEach((n) => plane.addNode(n.id, { x: n.x, y: -n.y }));
    graph.edges.forEach((e) => plane.addEdgeWithKey(e.id, e.from, e.to));
    sigma = new Plane(plane, box, {
      nodeReducer: node, edgeReducer: edge, renderLabels: false, minEdgeThickness: 1.3, stagePadding: 24,
      // the names are those that sigma itself would make programs for
      defaultNodeType: "circle", defaultEdgeType: "line",
      nodeProgramClasses: { circle: whenNeeded(shapeProgram(colour), held) }, nodeHoverProgramClasses: { circle: whenNeeded(null, held) },
      edgeProgramClasses: { line: whenNeeded(lineProgram(), held), arrow: whenNeeded(arrowProgram(bend.some(Boolean) ? 6 : 1), held) },
      itemSizesReference: "positions", zoomToSizeRatioFunction: (ratio) => ratio / growth(scaleAt(ratio)), defaultDrawNodeHover: () => {},
      hideEdgesOnMove: graph.edges.length > EDGES_WHILE_MOVING_UP_TO,
      inertiaDuration: calm ? 0 : 200, zoomDuration: calm ? 0 : 200,
    });
    sigma.on("afterRender", label);
    for (const name of ["clickNode", "clickStage"]) sigma.on(name, ({ event }) => pick(thingAt(event)));
    for (const name of ["wheelStage", "wheelNode", "downStage", "downNode", "leaveStage"]) sigma.on(name, () => hover(null));
    waiting = false;
    sigma.scheduleRender();
  }

  // Pixels of the screen to a pixel of the layout, now and at another ratio of the camera.
  const onScreen = (x, y) => sigma.graphToViewport({ x, y: -y }, { cameraState: sigma.getCamera().getState() });
  const scaleNow = () => onScreen(1, 0).x - onScreen(0, 0).x;
  const scaleAt = (ratio) => (sigma === null ? 1 : (scaleNow() * sigma.getCamera().ratio) / ratio);
  const inPlane = (x, y) => {
    const scale = scaleNow();
    const zero = onScreen(0, 0);
    return { x: (x - zero.x) / scale, y: (y - zero.y) / scale, scale };
  };

  function label() {
    if (sigma === null) return;
    const context = sigma.getCanvases().labels.getContext("2d");
    const { width, height } = sigma.getDimensions();
    const ratio = context.canvas.width / width;
    const scale = scaleNow();
    const zero = onScreen(0, 0);
    const size = scale * growth(scale);
    const shown = [];
    for (const id of order) {
      const n = graph.nodes[id];
      const isNear = near !== null && near.has(id);
      if (!visible.nodes[id] || (near !== null && !isNear)) continue;
      const x = zero.x + n.x * scale;
      const y = zero.y + n.y * scale;
      if (x < -60 || y < -60 || x > width + 60 || y > height + 60) continue;
      // the weightiest get a name; of the others only the large ones must stay uncovered
      if (shown.length > 500 && n.r * size < 4) break;
      shown.push({ id, label: n.label, x, y, r: n.r * size, weight: weight(id), strong: id === chosen ? 2 : isNear ? 1 : 0, faint: false });
    }
    context.save();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const seen = near === null ? regions.map((r) => ({ ...r, x: zero.x + r.x * scale, y: zero.y + r.y * scale, r: r.r * scale })) : [];
    painted = paint(context, shown, { width, height, scale, regions: seen, ink: colour("--ink"), soft: colour("--soft"), halo: colour("--halo") });
    if (nearEdges.size <= 40) {
      const lines = [...nearEdges].filter((id) => visible.edges[id]).map((id) => ({ at: middle(id), edge: graph.edges[id] }));
      paintKinds(context, lines, blocked(painted, shown), colour("--halo"));
    }
    context.restore();
    box.dataset.labels = String(painted.length);
  }

  function middle(id) {
    const [a, b] = ends(graph.edges[id]);
    return onScreen((a.x + b.x) / 2 + ((b.y - a.y) * bend[id]) / 2, (a.y + b.y) / 2 - ((b.x - a.x) * bend[id]) / 2);
  }

  // What lies under a point of the screen: the nearest node, else the nearest line, else nothing.
  function thingAt(point) {
    const { x, y, scale } = inPlane(point.x, point.y);
    let best = null;
    let least = Infinity;
    for (const n of graph.nodes) {
      if (!visible.nodes[n.id]) continue;
      const gap = Math.hypot(n.x - x, n.y - y) - Math.max(n.r * growth(scale), 4 / scale);
      if (gap < Math.min(least, 0)) [best, least] = [{ node: n.id }, gap];
    }
    if (best !== null) return best;
    least = 4 / scale;
    for (const e of graph.edges) {
      if (!visible.edges[e.id] || (near !== null && !nearEdges.has(e.id))) continue;
      const gap = gapTo(e, x, y, least);
      if (gap < least) [best, least] = [{ edge: e.id }, gap];
    }
    return best;
  }
  function gapTo(e, x, y, least) {
    const [a, b] = ends(e);
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy || 1;
    const room = Math.abs(bend[e.id]) * Math.sqrt(length) + least;
    const t = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / length, 0), 1);
    const straight = Math.hypot(a.x + t * dx - x, a.y + t * dy - y);
    if (bend[e.id] === 0 || straight > room) return straight;
    let gap = Infinity;
    for (let i = 0; i <= 24; i += 1) {
      const s = i / 24;
      const push = 2 * s * (1 - s) * bend[e.id];
      gap = Math.min(gap, Math.hypot(a.x + s * dx + push * dy - x, a.y + s * dy - push * dx - y));
    }
    return gap;
  }

  let pointed = false;
  box.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || event.buttons || pointed || sigma === null) return;
    pointed = true;
    requestAnimationFrame(() => {
      pointed = false;
      const frame = box.getBoundingClientRect();
      const at = { x: event.clientX - frame.left, y: event.clientY - frame.top };
      hover(thingAt(at), at);
    });
  });

  const dress = () => sigma?.scheduleRefresh();
  function go(state, duration) {
    const camera = sigma.getCamera();
    if (calm || duration === 0) camera.setState(state);
    else camera.animate(state, { duration });
  }
  function framed(x, y) {
    const at = onScreen(x, y);
    return sigma.viewportToFramedGraph(at, { cameraState: sigma.getCamera().getState() });
  }
  function fit(ids = null, animate = true) {
    const all = (ids ?? order).filter((id) => visible.nodes[id]).map((id) => graph.nodes[id]);
    if (all.length === 0 || sigma === null) return;
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (const n of all) {
      box.left = Math.min(box.left, n.x - n.r);
      box.right = Math.max(box.right, n.x + n.r);
      box.top = Math.min(box.top, n.y - n.r);
      box.bottom = Math.max(box.bottom, n.y + n.r);
    }
    const { width, height } = sigma.getDimensions();
    const scale = Math.min((width - 90) / (box.right - box.left), (height - 70) / (box.bottom - box.top), 1.6);
    go({ ...framed((box.left + box.right) / 2, (box.top + box.bottom) / 2), ratio: scaleAt(1) / scale }, animate ? 350 : 0);
  }

  return {
    fit,
    show(passes) {
      visible = passes;
      regions = regionsOf(passes);
      dense = passes.edges.filter(Boolean).length;
      full = Math.max(0.12, 0.62 * Math.min(1, 1200 / (dense + 1)) ** 0.35);
      if (sigma === null) start(); else dress();
    },
    mark(id, around, aroundEdges) {
      const same = id === chosen && around === null && near === null;
      chosen = id;
      near = around;
      nearEdges = aroundEdges;
      if (!same) dress();
    },
    zoom(factor) {
      const camera = sigma.getCamera();
      go({ ratio: Math.min(Math.max(camera.ratio / factor, scaleAt(1) / 6), scaleAt(1) / 0.004) }, 150);
    },
    move(dx, dy) {
      const { width, height } = sigma.getDimensions();
      go(sigma.viewportToFramedGraph({ x: width / 2 + dx, y: height / 2 + dy }, { cameraState: sigma.getCamera().getState() }), 0);
    },
    repaint: dress,
    place: (id) => onScreen(graph.nodes[id].x, graph.nodes[id].y),
    middle,
    labels: () => painted.map((p) => ({ id: p.id, community: p.community, ...p.box })),
  };
}
