(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");

  const pane = byId("transcript");
  const criteria = Array.from(document.querySelectorAll(".criterion"));
  const placesOf = (criterion) =>
    Array.from(criterion.querySelectorAll("a.quote"), (link) => byId(link.hash.slice(1)));
  const marks = new Map();
  for (const mark of pane.querySelectorAll("mark")) {
    for (const name of mark.dataset.q.split(" ")) {
      if (!marks.has(name)) marks.set(name, []);
      marks.get(name).push(mark);
    }
  }
  const marksOf = (place) => marks.get(place.id) || [];
  let picked = null;
  let lit = [];

  function pick(criterion) {
    if (picked) {
      picked.classList.remove("on");
      picked.removeAttribute("aria-current");
    }
    picked = criterion;
    if (!picked) return;
    picked.classList.add("on");
    picked.setAttribute("aria-current", "true");
  }

  function light(elements) {
    for (const each of lit) each.classList.remove("on");
    lit = elements;
    for (const each of lit) each.classList.add("on");
  }

  /* The marker of the axis stands at the second of a place, with its time. */
  function moveTo(place) {
    const at = place && place.dataset.at;
    const now = byId("now");
    if (!now) return;
    const shown = at ? "visible" : "hidden";
    now.setAttribute("visibility", shown);
    byId("now-line").setAttribute("visibility", shown);
    if (!at) return;
    now.setAttribute("x", at);
    byId("now-line").setAttribute("x1", at);
    byId("now-line").setAttribute("x2", at);
    byId("now-time").textContent = place.dataset.time;
    now.setAttribute("class", parseFloat(at) < 4 ? "at first" : parseFloat(at) > 96 ? "at last" : "at");
  }

  /* Beside the criteria the transcript scrolls by itself; under them the page does. */
  const isBeside = () => getComputedStyle(pane).overflowY === "auto";

  function scrollPane(element) {
    const box = pane.getBoundingClientRect();
    pane.scrollTop += element.getBoundingClientRect().top - box.top - pane.clientHeight / 3;
  }

  /* An anchor has no height: its words are what must be seen. */
  const seen = (element) => marksOf(element)[0] || element;

  function showWords(element) {
    const words = seen(element);
    if (!isBeside()) {
      words.scrollIntoView({ block: "center" });
      return;
    }
    scrollPane(words);
    const box = pane.getBoundingClientRect();
    if (box.top > innerHeight / 2 || box.bottom < innerHeight / 4) pane.scrollIntoView({ block: "start" });
  }

  function toCriterion(criterion) {
    const places = placesOf(criterion);
    pick(criterion);
    light(places.flatMap(marksOf));
    moveTo(places.find((place) => place.dataset.at));
    criterion.focus({ preventScroll: true });
    criterion.scrollIntoView({ block: "nearest" });
    if (isBeside() && places.length) scrollPane(seen(places[0]));
  }

  function toPlace(place) {
    const resting = criteria.filter((criterion) => placesOf(criterion).includes(place));
    if (!resting.includes(picked)) {
      pick(resting[0] || null);
      if (picked && isBeside()) picked.scrollIntoView({ block: "nearest" });
    }
    light(marksOf(place));
    moveTo(place);
    place.focus({ preventScroll: true });
    showWords(place);
  }

  function toLine(line) {
    light([line]);
    moveTo(line);
    showWords(line);
  }

  function route() {
    const target = byId(location.hash.slice(1));
    if (!target) return;
    if (target.matches(".criterion")) toCriterion(target);
    else if (target.matches(".place")) toPlace(target);
    else if (target.matches(".line")) toLine(target);
  }

  /* A step by key leaves no trace in the history of the browser; a click can be taken back. Both
     can be shared as a link. */
  function go(fragment, leavesTrace) {
    const method = leavesTrace ? "pushState" : "replaceState";
    history[method](null, "", "#" + fragment);
    route();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const fragment = (link.getAttribute("href") || "").slice(1);
    const target = byId(fragment);
    if (!target || !target.matches(".criterion, .place, .line")) return;
    event.preventDefault();
    go(fragment, true);
  });

  function step(by) {
    if (!criteria.length) return;
    const at = criteria.indexOf(picked);
    const next = at < 0 ? 0 : Math.min(criteria.length - 1, Math.max(0, at + by));
    go(criteria[next].id, false);
  }

  function toWords() {
    const places = picked ? placesOf(picked) : [];
    if (!places.length) return;
    const at = places.findIndex((place) => location.hash === "#" + place.id);
    go(places[(at + 1) % places.length].id, false);
  }

  const help = byId("help");
  const openHelp = () => help.open || help.showModal();
  byId("help-button").addEventListener("click", openHelp);
  byId("help-close").addEventListener("click", () => help.close());

  const keys = { j: () => step(1), k: () => step(-1), t: toWords, "?": openHelp };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
  addEventListener("popstate", route);
  route();
})();
