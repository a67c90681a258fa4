// The table beside the drawing: every node that passes the filters, sorted by any column.

function nodeTable(panel, { pick }) {
  const STEP = 100;
  const columns = [
    { title: "Name", of: (n) => n.label, text: true },
    { title: "Type", of: (n) => typeOf(n).name, text: true },
    { title: "Papers", of: (n) => n.papers },
    { title: "First", of: (n) => n.first ?? "" },
    { title: "Links", of: (n) => n.out.length + n.in.length },
  ];
  let order = { column: 2, up: false };
  let rows = [];
  let limit = STEP;

  const sorted = () => {
    const { of, text } = columns[order.column];
    const compare = text ? (a, b) => of(a).localeCompare(of(b), "en") : (a, b) => (of(a) || 0) - (of(b) || 0);
    return [...rows].sort((a, b) => (order.up ? compare(a, b) : compare(b, a)) || a.id - b.id);
  };

  function csv() {
    const cell = (value) => `"${String(value).replaceAll('"', '""')}"`;
    const lines = [[...columns.map((c) => c.title), "IRI"], ...sorted().map((n) => [...columns.map((c) => c.of(n)), n.iri])];
    const address = URL.createObjectURL(new Blob([`${lines.map((l) => l.map(cell).join(",")).join("\r\n")}\r\n`], { type: "text/csv" }));
    make("a", { href: address, download: "entities.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  function draw() {
    const head = make("tr", {}, ...columns.map((c, i) => make("th", {
      scope: "col", class: c.text ? "" : "number",
      "aria-sort": i !== order.column ? "none" : order.up ? "ascending" : "descending",
    }, make("button", { type: "button", click: () => {
      order = { column: i, up: i === order.column ? !order.up : Boolean(c.text) };
      draw();
    } }, c.title + (i !== order.column ? "" : order.up ? " ↑" : " ↓")))));
    const body = sorted().slice(0, limit).map((n) => make("tr", {}, ...columns.map((c, i) => make("td", { class: c.text ? "" : "number" },
      i === 0 ? make("button", { type: "button", class: "pick", click: () => pick({ node: n.id }) }, markOf(n), make("span", { class: "grow" }, bdi(n.label))) : String(c.of(n))))));
    panel.replaceChildren(
      make("div", { class: "row" }, make("span", { class: "faint" }, counted(rows.length, "row")),
        make("button", { type: "button", class: "plain small", id: "csv", click: csv }, "Download CSV")),
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)),
    );
    if (rows.length > limit) {
      panel.append(make("button", { type: "button", id: "more", class: "plain small", click: () => { limit += STEP; draw(); } },
        `${(rows.length - limit).toLocaleString("en")} more`));
    }
  }

  // Drawn when there is something to see of it: nobody waits for a table that is not open.
  let waiting = null;
  function show(passes) {
    waiting = passes;
    if (panel.hidden || passes === null) return;
    rows = graph.nodes.filter((n) => passes.nodes[n.id]);
    draw();
  }
  return { show, open: () => show(waiting) };
}
