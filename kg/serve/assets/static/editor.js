"use strict";
(() => {
  const settings = JSON.parse(document.getElementById("settings").textContent);
  const endpoint = new URL("/sparql", location.href).href;
  const menu = document.getElementById("saved");
  // read before Yasgui, which keeps a use of its own for it
  const named = new URLSearchParams("q=" + location.hash.slice(1)).get("q");
  document.getElementById("endpoint").textContent = endpoint;

  const groups = new Map();
  for (const query of settings.queries) {
    if (!groups.has(query.group)) {
      const group = document.createElement("optgroup");
      group.label = query.group || "queries";
      groups.set(query.group, group);
      menu.append(group);
    }
    groups.get(query.group).append(new Option(query.title || query.name, query.name));
  }

  const Yasgui = window.Yasgui.default || window.Yasgui;
  const Yasqe = Yasgui.Yasqe;
  // both ask servers elsewhere: names of classes and properties, and namespaces
  Yasqe.defaults.autocompleters = ["prefixes", "variables"];
  Yasqe.forkAutocompleter("prefixes", {
    name: "prefixes-of-this-graph",
    persistenceId: null,
    get: () => Object.entries(settings.prefixes).map(([name, iri]) => `${name}: <${iri}>`),
  });
  Yasqe.defaults.autocompleters = ["prefixes-of-this-graph", "variables"];

  const start = "PREFIX kg: <" + settings.prefixes.kg + ">\nPREFIX skos: <" + settings.prefixes.skos +
    ">\nSELECT ?name (COUNT(?paper) AS ?papers)\nWHERE { ?paper kg:proposes ?thing . ?thing skos:prefLabel ?name }\n" +
    "GROUP BY ?name ORDER BY DESC(?papers) ?name LIMIT 20\n";
  const yasgui = new Yasgui(document.getElementById("yasgui"), {
    requestConfig: { endpoint, method: "POST" },
    endpointCatalogueOptions: { getData: () => [] },
    copyEndpointOnNewTab: true,
    persistenceId: "kg-" + location.host,
    yasqe: { value: start },
  });
  window.yasgui = yasgui;

  // in a tab of its own, so that no text of the user's is lost
  const put = (name) => {
    const query = settings.queries.find((one) => one.name === name);
    if (!query) return;
    const tab = yasgui.addTab(true, { name: query.name });
    tab.setQuery(query.text);
    menu.value = name;
  };
  menu.addEventListener("change", () => put(menu.value));
  put(named);
})();
