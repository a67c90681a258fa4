// Search with suggestions (the ARIA pattern of a combobox with a list).
const search = by("search");
const suggestions = by("suggestions");
let offered = [];
let active = -1;
function offer() {
  offered = find(search.value);
  active = offered.length ? 0 : -1;
  suggestions.replaceChildren(...offered.map(({ node, name }, i) => {
    const item = make("li", { role: "option", id: `suggestion-${i}`, "aria-selected": String(i === active) }, markOf(node),
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
