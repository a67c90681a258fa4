// Labels in the drawing: the weightiest first, each where it covers neither a label nor a node.
// Given places in pixels of the screen, so that any renderer can use it.

function labelPainter() {
  const widths = new Map();
  const measure = (context, text, font) => {
    const key = `${font}|${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context.font = font;
      width = context.measureText(text).width;
      if (widths.size > 20000) widths.clear();
      widths.set(key, width);
    }
    return width;
  };
  const short = (text, most) => {
    const characters = Array.from(text.replace(/\s+/g, " "));
    return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
  };
  const hits = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

  // A coarse grid finds what a rectangle may hit without looking at everything.
  function crowd(cell = 90) {
    const cells = new Map();
    const over = (box, visit) => {
      for (let i = Math.floor(box.x / cell); i <= Math.floor((box.x + box.w) / cell); i += 1) {
        for (let j = Math.floor(box.y / cell); j <= Math.floor((box.y + box.h) / cell); j += 1) {
          const key = i * 100003 + j;
          if (visit(cells, key)) return true;
        }
      }
      return false;
    };
    return {
      add: (box) => over(box, (all, key) => { (all.get(key) ?? all.set(key, []).get(key)).push(box); return false; }),
      // discs smaller than `small` may be covered
      hit: (box, owner, small) => over(box, (all, key) => (all.get(key) ?? []).some((b) => b.owner !== owner && !(b.disc < small) && hits(box, b))),
    };
  }

  // The names of the larger communities, seen from afar: over or under their nodes, never on a larger
  // one of them. regions: {community, names, x, y, r}; fading as one comes near.
  function overview(context, regions, taken, { width, height, soft, halo }) {
    const room = Math.min(width, height);
    const drawn = [];
    for (const region of regions) {
      const near = (0.75 * room - region.r) / (0.25 * room);
      if (region.r < 24 || near <= 0) continue;
      const size = region.r < 60 ? 11 : 13;
      const font = `italic 600 ${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif`;
      const text = region.names.slice(0, region.r < 60 ? 1 : 2).map((name) => short(name, 28)).join(" · ");
      const w = measure(context, text, font) + 6;
      const h = size + 5;
      const left = Math.min(Math.max(region.x - w / 2, 4), Math.max(4, width - w - 4));
      const spots = [1, 1.15, 0.85, -1, -1.15, -0.85].map((up) => ({ x: left, y: region.y - up * region.r - h / 2, w, h }));
      const spot = spots.find((s) => s.y > 2 && s.y + h < height - 2 && !taken.hit(s, -2, 5));
      if (!spot) continue;
      taken.add({ ...spot, owner: -1 });
      drawn.push({ id: null, community: region.community, text, font, x: spot.x + 3, y: spot.y + h / 2, alpha: Math.min(near, 1) * 0.85, colour: soft, box: spot });
    }
    return drawn;
  }

  // nodes: {id, label, x, y, r, weight, strong}; returns what got a label, with its box.
  return function paint(context, nodes, { width, height, ink, soft, halo, scale, regions = [] }) {
    const taken = crowd();
    const seen = nodes.filter((n) => n.x > -60 && n.y > -60 && n.x < width + 60 && n.y < height + 60);
    seen.forEach((n) => taken.add({ x: n.x - n.r, y: n.y - n.r, w: 2 * n.r, h: 2 * n.r, owner: n.id, disc: n.strong ? Infinity : n.r }));
    taken.add({ x: width - 50, y: height - 118, w: 50, h: 118, owner: -3 }); // the buttons that zoom
    const most = Math.max(12, (width * height) / 9000);
    const named = overview(context, regions, taken, { width, height, soft, halo });
    const told = new Set(named.map((n) => n.text)); // where a community has but one name
    seen.sort((a, b) => b.strong - a.strong || b.weight - a.weight || a.id - b.id);
    const drawn = [];
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.lineJoin = "round";
    for (const node of seen) {
      if (drawn.length >= most && !node.strong) break;
      if (told.has(node.label) && !node.strong) continue;
      const size = Math.min(16, 11 + node.r * 0.16 + (node.strong > 1 ? 1 : 0));
      const font = `${node.strong > 1 || node.r > 13 ? "600" : "500"} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif`;
      const text = short(node.label, node.strong ? 60 : scale > 1.2 ? 48 : 30);
      const w = measure(context, text, font) + 4;
      const h = size + 3;
      const gap = node.r + 2;
      const spots = [
        { x: node.x - w / 2, y: node.y + gap }, { x: node.x - w / 2, y: node.y - gap - h },
        { x: node.x + gap + 1, y: node.y - h / 2 }, { x: node.x - gap - w - 1, y: node.y - h / 2 },
        { x: node.x + gap * 0.7, y: node.y + gap * 0.7 }, { x: node.x + gap * 0.7, y: node.y - gap * 0.7 - h },
        { x: node.x - gap * 0.7 - w, y: node.y + gap * 0.7 }, { x: node.x - gap * 0.7 - w, y: node.y - gap * 0.7 - h },
      ];
      const inside = (s) => s.x > 2 && s.y > 2 && s.x + w < width - 2 && s.y + h < height - 2;
      const free = (small) => spots.find((s) => inside(s) && !taken.hit({ ...s, w, h }, node.id, small));
      const spot = free(0) ?? free(node.strong ? Infinity : node.r * 0.7) ?? (node.strong > 1 ? spots[0] : null);
      if (!spot) continue;
      taken.add({ ...spot, w, h, owner: -1 });
      drawn.push({ id: node.id, text, font, x: spot.x + 2, y: spot.y + h / 2, faint: node.faint, box: { ...spot, w, h } });
    }
    const all = [...named, ...drawn];
    for (const label of all) {
      context.font = label.font;
      context.globalAlpha = label.alpha ?? (label.faint ? 0.3 : 1);
      context.lineWidth = 3.5;
      context.strokeStyle = halo;
      context.strokeText(label.text, label.x, label.y);
      context.fillStyle = label.colour ?? ink;
      context.fillText(label.text, label.x, label.y);
    }
    context.globalAlpha = 1;
    return all;
  };
}

// Where the larger communities stand, in pixels of the layout, by their nodes in sight.
const FEW = 12; // nodes; what is smaller is told by their own names
function regionsOf(visible) {
  const members = new Map();
  for (const n of graph.nodes) {
    if (n.group === null || n.community >= OWN || graph.communities[n.community].loose || !visible.nodes[n.id]) continue;
    (members.get(n.community) ?? members.set(n.community, []).get(n.community)).push(n);
  }
  if (members.size < 2) return [];
  return [...members].filter(([, all]) => all.length >= FEW).sort(([a], [b]) => a - b).map(([community, all]) => {
    const middle = (of) => all.reduce((sum, n) => sum + of(n), 0) / all.length;
    const [x, y] = [middle((n) => n.x), middle((n) => n.y)];
    const away = all.map((n) => Math.hypot(n.x - x, n.y - y) + n.r).sort((a, b) => a - b);
    return { community, names: graph.communities[community].strongest, x, y, r: away[Math.floor(0.9 * (away.length - 1))] };
  });
}

// What the kinds of edges keep clear of: the names that stand there, and the nodes themselves.
const blocked = (names, nodes) => [...names.map((n) => n.box), ...nodes.map((n) => ({ x: n.x - n.r, y: n.y - n.r, w: 2 * n.r, h: 2 * n.r }))];

// The kinds of edges, written on their middle (`at`, pixels of the screen) where no box is hit.
function paintKinds(context, lines, boxes, halo) {
  context.font = '500 11px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.lineWidth = 3.5;
  for (const { at, edge } of lines) {
    const text = kindOf(edge).label;
    const w = context.measureText(text).width + 4;
    const spot = { x: at.x - w / 2, y: at.y - 7, w, h: 14 };
    if (boxes.some((b) => spot.x < b.x + b.w && b.x < spot.x + w && spot.y < b.y + b.h && b.y < spot.y + 14)) continue;
    boxes.push(spot);
    context.strokeStyle = halo;
    context.strokeText(text, spot.x + 2, at.y);
    context.fillStyle = familyColour(familyOf(edge));
    context.fillText(text, spot.x + 2, at.y);
  }
}
