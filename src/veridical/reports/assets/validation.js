(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  document.documentElement.classList.add("js");

  const rows = all(".claim");
  const docs = all(".doc");
  const tabs = all(".tab");
  const filters = all("a.filter");
  const list = byId("p:rows");
  const search = byId("p:search");
  const order = byId("p:order");
  const marks = new Map();
  for (const mark of all("mark")) {
    for (const place of mark.dataset.m.split(" ")) {
      if (!marks.has(place)) marks.set(place, []);
      marks.get(place).push(mark);
    }
  }
  const chips = all(".chips");
  let picked = null;
  let place = null;
  let tone = "as-tried";
  let status = "all";

  const placesOf = (row) => (row.dataset.m ? row.dataset.m.split(" ") : []);
  const narrow = () => matchMedia("(max-width: 860px)").matches;

  function showPane(name) {
    document.body.dataset.pane = name;
    byId("p:show-claims").setAttribute("aria-pressed", String(name === "claims"));
    byId("p:show-source").setAttribute("aria-pressed", String(name === "source"));
  }

  function openDoc(doc) {
    for (const each of docs) each.hidden = each !== doc;
    for (const tab of tabs) {
      const current = tab.dataset.doc === doc.id;
      tab.setAttribute("aria-current", String(current));
      if (current) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  function rename(fragment) {
    if (decodeURIComponent(location.hash.slice(1)) !== fragment) {
      history.replaceState(null, "", "#" + fragment);
    }
  }

  function showPlace(number, focus) {
    for (const mark of marks.get(place) || []) mark.classList.remove("on", tone);
    place = number;
    const chip = byId("m:" + number);
    if (!chip) return;
    const link = chip.querySelector("a");
    tone = "as-" + link.classList[1];
    openDoc(chip.closest(".doc"));
    const parts = marks.get(number) || [];
    for (const mark of parts) mark.classList.add("on", tone);
    if (!narrow() || document.body.dataset.pane === "source") {
      (parts[0] || chip).scrollIntoView({ block: "center", inline: "nearest" });
    }
    if (focus) link.focus({ preventScroll: true });
  }

  function reveal(row) {
    if (!row.hidden) return;
    status = "all";
    search.value = "";
    apply();
  }

  function pick(row, { number = null, focus = false, scroll = true } = {}) {
    if (picked) {
      picked.classList.remove("on");
      picked.removeAttribute("aria-current");
    }
    picked = row;
    reveal(row);
    row.classList.add("on");
    row.setAttribute("aria-current", "true");
    const target = number || placesOf(row)[0];
    if (target && focus && narrow()) showPane("source");
    if (target) showPlace(target, focus);
    if (scroll) row.scrollIntoView({ block: "nearest" });
  }

  function back(row) {
    if (narrow()) showPane("claims");
    pick(row, { number: placesOf(row).includes(place) ? place : null });
    rename(row.id);
    row.scrollIntoView({ block: "center" });
    row.querySelector(".go").focus({ preventScroll: true });
  }

  function claimsAt(number) {
    const links = all("a", byId("m:" + number));
    return links.map((link) => byId(link.getAttribute("href").slice(1))).filter(Boolean);
  }

  function route(first) {
    let fragment = "";
    try {
      fragment = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    const target = fragment && byId(fragment);
    if (!target) {
      if (first && rows.length && !narrow()) pick(rows[0], { scroll: false });
    } else if (target.matches(".claim")) {
      pick(target);
    } else if (target.matches(".chips")) {
      const number = fragment.slice(2);
      const claims = claimsAt(number);
      if (narrow()) showPane("source");
      const row = claims.includes(picked) ? picked : claims[0];
      if (row) pick(row, { number, focus: true });
    } else if (target.matches(".doc")) {
      if (narrow()) showPane("source");
      openDoc(target);
    }
  }

  /* filters, search and order */
  const words = new Map();
  const textOf = (row) => {
    if (!words.has(row)) words.set(row, row.textContent.toLowerCase());
    return words.get(row);
  };

  function apply() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const fits =
        (status === "all" || row.dataset.status === status) &&
        wanted.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      left += fits;
    }
    for (const group of all(".group")) group.hidden = !group.querySelector(".claim:not([hidden])");
    for (const link of filters) {
      link.setAttribute("aria-current", String(link.dataset.status === status));
    }
    byId("p:nothing").hidden = left > 0 || rows.length === 0;
    byId("p:count").textContent = left === rows.length ? "" : left + " of " + rows.length + " shown";
  }

  const homes = new Map(rows.map((row) => [row, row.parentElement]));
  const flat = document.createElement("ol");
  flat.className = "claims";

  function arrange() {
    if (order.value === "worst") {
      flat.remove();
      for (const row of rows) homes.get(row).append(row);
      for (const group of all(".group")) list.insertBefore(group, byId("p:nothing"));
    } else {
      const key = order.value === "document" ? "rank" : "number";
      const sorted = rows.slice().sort((a, b) => a.dataset[key] - b.dataset[key]);
      flat.append(...sorted);
      list.prepend(flat);
    }
    apply();
    if (picked) picked.scrollIntoView({ block: "nearest" });
  }

  const seen = () => all(".claim:not([hidden])", list);

  function step(by) {
    const shown = seen();
    if (!shown.length) return;
    const at = shown.indexOf(picked);
    const next = at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by));
    if (narrow()) showPane("claims");
    pick(shown[next]);
    rename(shown[next].id);
    shown[next].querySelector(".go").focus({ preventScroll: true });
  }

  function stepPlace(by) {
    const at = chips.findIndex((chip) => chip.id === "m:" + place);
    const next = chips[Math.min(chips.length - 1, Math.max(0, at + by))];
    if (!next) return;
    const number = next.id.slice(2);
    const claims = claimsAt(number);
    const row = claims.includes(picked) ? picked : claims[0];
    if (row) {
      pick(row, { number, focus: true });
      rename(row.id);
    } else {
      showPlace(number, true);
    }
  }

  /* what the reader does */
  document.addEventListener("click", (event) => {
    const at = event.target.closest("a, button, summary, mark, .claim, input, select, label");
    if (!at) return;
    const fragment = at.matches("a") ? at.getAttribute("href").slice(1) : "";
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (at.matches(".filter")) {
      event.preventDefault();
      status = at.dataset.status === status ? "all" : at.dataset.status;
      apply();
      if (narrow()) showPane("claims");
    } else if (at.matches(".chip")) {
      event.preventDefault();
      back(byId(fragment));
    } else if (at.matches(".go, .place")) {
      event.preventDefault();
      const row = at.closest(".claim");
      pick(row, { number: fragment.startsWith("m:") ? fragment.slice(2) : null, focus: true });
      rename(row.id);
    } else if (at.matches(".tab")) {
      event.preventDefault();
      openDoc(byId(fragment));
      byId("p:text").scrollTop = 0;
    } else if (at.matches("mark")) {
      if (String(getSelection())) return;
      const number = at.dataset.m.split(" ")[0];
      const claims = claimsAt(number);
      if (!claims.length) return;
      const turn = place === number ? claims.indexOf(picked) + 1 : 0;
      showPlace(number, false);
      back(claims[turn % claims.length]);
    } else if (at.matches(".claim") && !String(getSelection())) {
      pick(at, { focus: true, scroll: false });
      rename(at.id);
    }
  });

  function light(event, on) {
    const row = event.target.closest && event.target.closest(".claim");
    if (!row) return;
    for (const number of placesOf(row).slice(0, 1)) {
      for (const mark of marks.get(number) || []) mark.classList.toggle("hot", on);
    }
  }
  document.addEventListener("mouseover", (event) => light(event, true));
  document.addEventListener("mouseout", (event) => light(event, false));

  const help = byId("p:help");
  const openHelp = () => help.open || help.showModal();
  byId("p:help-button").addEventListener("click", openHelp);
  byId("p:help-close").addEventListener("click", () => help.close());
  byId("p:show-claims").addEventListener("click", () => {
    showPane("claims");
    if (picked) picked.scrollIntoView({ block: "center" });
  });
  byId("p:show-source").addEventListener("click", () => {
    showPane("source");
    if (place) showPlace(place, false);
  });
  const on = (id, act) => byId(id) && byId(id).addEventListener("click", act);
  on("p:back", () => picked && back(picked));
  on("p:previous", () => stepPlace(-1));
  on("p:next", () => stepPlace(1));
  on("p:clear", () => {
    status = "all";
    search.value = "";
    apply();
  });
  search.addEventListener("input", apply);
  order.addEventListener("change", arrange);

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: () => picked && pick(picked, { focus: true, scroll: false }),
    "/": () => {
      if (narrow()) showPane("claims");
      search.focus();
      search.select();
    },
    "?": openHelp,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape" && event.target === search) {
        if (search.value) {
          search.value = "";
          apply();
        } else {
          search.blur();
        }
      }
      return;
    }
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all(".claim details:not([open])");
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
  addEventListener("hashchange", () => route(false));

  showPane("claims");
  if (docs.length) openDoc(docs[0]);
  apply();
  route(true);
})();
