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

  function pick(item) {
    if (picked) mark(picked, false);
    picked = item;
    mark(item, true);
  }

  function route() {
    const target = byId(location.hash.slice(1));
    if (!target) return;
    const isFlag = target.matches(".flag");
    if (!isFlag && !target.matches(".item")) return;
    pick(isFlag ? itemOf(target) : target);
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: isFlag ? "center" : "nearest" });
  }

  /* A step leaves no trace in the history of the browser, and can be shared as a link. */
  function go(fragment) {
    if (location.hash === "#" + fragment) route();
    else location.replace("#" + fragment);
  }

  function step(by) {
    if (!items.length) return;
    const at = items.indexOf(picked);
    const next = at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + by));
    go(items[next].id);
  }

  function toAxis() {
    const flag = picked && flagOf(picked);
    if (flag) go(flag.id);
  }

  const help = byId("help");
  const openHelp = () => help.open || help.showModal();
  byId("help-button").addEventListener("click", openHelp);
  byId("help-close").addEventListener("click", () => help.close());

  const keys = { j: () => step(1), k: () => step(-1), t: toAxis, "?": openHelp };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
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
