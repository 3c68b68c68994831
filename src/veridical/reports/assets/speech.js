(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");

  const items = Array.from(document.querySelectorAll(".item"));
  const flagOf = (item) => byId(item.id.replace("item-", "flag-"));
  const itemOf = (flag) => byId(flag.id.replace("flag-", "item-"));
  let picked = null;

  function mark(item, on) {
    const flag = flagOf(item);
    for (const each of flag ? [item, flag] : [item]) {
      each.classList.toggle("on", on);
      if (on) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
  }

  const pane = byId("transcript");
  const wordsOf = (item) =>
    pane ? Array.from(pane.querySelectorAll(`mark[data-item="${item.id}"]`)) : [];
  let lit = [];

  function light(item) {
    for (const each of lit) each.classList.remove("on");
    lit = wordsOf(item);
    for (const each of lit) each.classList.add("on");
  }

  /* The marker of the axis stands at the second of an item or a line, with its time. */
  function moveTo(place) {
    const now = byId("now");
    if (!now) return;
    const at = place.dataset.at;
    const line = byId("now-line");
    for (const each of [now, line]) each.setAttribute("visibility", at ? "visible" : "hidden");
    if (!at) return;
    now.setAttribute("x", at);
    for (const end of ["x1", "x2"]) line.setAttribute(end, at);
    byId("now-time").textContent = place.dataset.time;
    now.setAttribute("class", parseFloat(at) < 4 ? "at first" : parseFloat(at) > 96 ? "at last" : "at");
  }

  /* Beside the items the transcript scrolls by itself; under them the page does. */
  const isBeside = () => pane && getComputedStyle(pane).overflowY === "auto";

  function scrollPane(element) {
    const box = pane.getBoundingClientRect();
    pane.scrollTop += element.getBoundingClientRect().top - box.top - pane.clientHeight / 3;
  }

  function pick(item) {
    if (picked) mark(picked, false);
    picked = item;
    mark(item, true);
    light(item);
    moveTo(item);
    if (isBeside() && lit.length) scrollPane(lit[0]);
  }

  function toWords() {
    if (!picked || !lit.length) return;
    if (!isBeside()) lit[0].scrollIntoView({ block: "center" });
    else {
      scrollPane(lit[0]);
      pane.scrollIntoView({ block: "nearest" });
    }
    pane.focus({ preventScroll: true });
  }

  function reveal(target) {
    if (!target) return;
    if (target.matches("#transcript .line")) {
      moveTo(target);
      return;
    }
    const isFlag = target.matches(".flag");
    if (!isFlag && !target.matches(".item")) return;
    pick(isFlag ? itemOf(target) : target);
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: isFlag ? "center" : "nearest" });
  }

  const route = () => reveal(byId(location.hash.slice(1)));

  /* A step by key leaves no trace in the history of the browser; a click can be taken back. Both
     can be shared as a link. What is asked for is shown at once: the browser tells of the new
     fragment later, and the next key may come before that. */
  function go(fragment, leavesTrace) {
    if (location.hash !== "#" + fragment) location[leavesTrace ? "assign" : "replace"]("#" + fragment);
    reveal(byId(fragment));
  }

  function step(by) {
    if (!items.length) return;
    const at = items.indexOf(picked);
    const next = at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + by));
    go(items[next].id, false);
  }

  function toAxis() {
    const flag = picked && flagOf(picked);
    if (flag) go(flag.id, false);
  }

  const help = byId("help");
  const openHelp = () => help.open || help.showModal();
  byId("help-button").addEventListener("click", openHelp);
  byId("help-close").addEventListener("click", () => help.close());

  const keys = { j: () => step(1), k: () => step(-1), t: toAxis, w: toWords, "?": openHelp };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  const isPlace = (element) => element && element.matches(".item, .flag, #transcript .line");

  /* A click on an item itself is as good as one on its flag. */
  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest("a");
    const fragment = link ? (link.getAttribute("href") || "").replace(/^#/, "") : "";
    if (link && isPlace(byId(fragment))) {
      event.preventDefault();
      go(fragment, true);
    }
    const item = event.target.closest(".item");
    if (!item || event.target.closest("a, summary, button") || String(getSelection())) return;
    go(item.id, false);
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll(".receipt:not([open]), #history details:not([open])"));
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
  addEventListener("hashchange", route);
  route();
})();
