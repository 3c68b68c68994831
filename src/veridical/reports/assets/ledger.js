(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  document.documentElement.classList.add("js");

  const rows = all(".row");
  const entries = rows.map((row) => byId("claim-" + row.dataset.n));
  const entryOf = new Map(rows.map((row, place) => [row, entries[place]]));
  const filters = all("a.filter");
  const heads = all(".ledger thead th");
  const body = byId("rows");
  const home = byId("entries");
  const search = byId("search");
  const order = byId("order");
  /* So many rows are laid out at first, and at each wish for more. */
  const STEP = 500;
  let limit = STEP;
  let fitting = rows.length;
  let shown = rows.slice();
  let picked = null;
  let verdict = "";
  let sorting = { key: "verdict", down: false };

  const narrow = () => matchMedia("(max-width: 1079.98px)").matches;
  const detailOf = (row) => {
    const next = row.nextElementSibling;
    return next && next.matches(".detail") ? next : null;
  };

  function showPane(name) {
    document.body.dataset.pane = name;
    for (const each of all(".switch button")) {
      each.setAttribute("aria-pressed", String(each.dataset.pane === name));
    }
  }

  function rename(fragment) {
    if (location.hash !== "#" + fragment) history.replaceState(null, "", "#" + fragment);
  }

  /* A row is opened by moving its entry beneath it: one element, wherever it stands. */
  function open(row) {
    if (detailOf(row)) return;
    const detail = document.createElement("tr");
    detail.className = "detail";
    const cell = detail.insertCell();
    cell.colSpan = heads.length;
    cell.append(entryOf.get(row));
    row.after(detail);
    row.classList.add("opened");
    row.querySelector(".go").setAttribute("aria-expanded", "true");
  }

  function close(row) {
    const detail = detailOf(row);
    if (!detail) return;
    home.append(entryOf.get(row));
    detail.remove();
    row.classList.remove("opened");
    row.querySelector(".go").setAttribute("aria-expanded", "false");
  }

  const saidOf = (row) => byId("said-" + row.dataset.n);

  function mark(row, on) {
    row.classList.toggle("on", on);
    if (on) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
    const said = saidOf(row);
    if (said) said.classList.toggle("on", on);
  }

  function pick(row) {
    if (picked) mark(picked, false);
    picked = row;
    if (row.hidden) clear();
    mark(row, true);
    const said = saidOf(row);
    if (said && !narrow()) said.scrollIntoView({ block: "nearest" });
  }

  function show(row, { focus = true } = {}) {
    showPane("claims");
    pick(row);
    open(row);
    rename("claim-" + row.dataset.n);
    row.scrollIntoView({ block: "nearest" });
    const detail = detailOf(row);
    if (detail.getBoundingClientRect().bottom > innerHeight) row.scrollIntoView({ block: "start" });
    if (focus) row.querySelector(".go").focus({ preventScroll: true });
  }

  function toggle(row) {
    if (!detailOf(row)) return show(row);
    pick(row);
    close(row);
    rename("row-" + row.dataset.n);
    row.querySelector(".go").focus({ preventScroll: true });
  }

  function step(by) {
    if (!shown.length) return;
    const at = shown.indexOf(picked);
    if (by > 0 && at === shown.length - 1 && fitting > shown.length) more();
    const next = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    showPane("claims");
    pick(next);
    rename("row-" + next.dataset.n);
    next.scrollIntoView({ block: "nearest" });
    next.querySelector(".go").focus({ preventScroll: true });
  }

  function toAnswer(row) {
    const said = saidOf(row);
    if (!said) return;
    showPane("answer");
    pick(row);
    said.scrollIntoView({ block: "center" });
    said.focus({ preventScroll: true });
    rename(said.id);
  }

  /* filter, search and order */
  const words = new Map();
  const textOf = (row) => {
    if (!words.has(row)) {
      words.set(row, (row.textContent + " " + entryOf.get(row).textContent).toLowerCase());
    }
    return words.get(row);
  };

  function apply() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = [];
    fitting = 0;
    for (const row of rows) {
      const fits =
        (!verdict || row.dataset.verdict === verdict) &&
        (!wanted.length || wanted.every((word) => textOf(row).includes(word)));
      fitting += fits;
      const seen = fits && (shown.length < limit || row === picked);
      row.classList.remove("late");
      row.hidden = !seen;
      const detail = detailOf(row);
      if (detail) detail.hidden = !seen;
      if (seen) shown.push(row);
    }
    for (const link of filters) {
      link.setAttribute("aria-current", String(link.dataset.verdict === verdict));
    }
    byId("nothing").hidden = fitting > 0;
    byId("more").hidden = fitting === shown.length;
    byId("more-button").textContent = `Show more: ${fitting - shown.length} are left`;
    const count = byId("count");
    count.textContent = fitting === rows.length ? "" : `${fitting} of ${rows.length} claims`;
  }

  function more() {
    limit += STEP;
    apply();
  }

  /* Another choice of rows starts anew at the top. */
  function choose() {
    limit = STEP;
    apply();
  }

  function clear() {
    verdict = "";
    search.value = "";
    choose();
  }

  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const number = (row) => Number(row.dataset.n);
  const cell = { claim: ".claim", type: ".type", source: ".source" };

  function arrange(key, down) {
    sorting = { key, down };
    let compare = (a, b) => number(a) - number(b);
    if (key === "verdict") compare = (a, b) => a.dataset.rank - b.dataset.rank;
    if (cell[key]) {
      const keys = new Map(rows.map((row) => [row, row.querySelector(cell[key]).textContent.trim()]));
      compare = (a, b) => collator.compare(keys.get(a), keys.get(b));
    }
    const way = down ? -1 : 1;
    rows.sort((a, b) => way * compare(a, b) || number(a) - number(b));
    const details = rows.map(detailOf);
    body.append(...rows.flatMap((row, place) => (details[place] ? [row, details[place]] : [row])));
    for (const head of heads) {
      if (head.dataset.key === key) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    order.value = key;
    choose();
  }

  /* what is said and done */
  function say(message) {
    byId("said").textContent = message;
  }

  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      say("Citation copied");
      setTimeout(() => (button.textContent = "Copy citation"), 1500);
    } catch {
      getSelection().selectAllChildren(code);
      say("Citation selected: copy it with the keyboard");
    }
  }

  const rowOf = (number) => rows.find((row) => row.dataset.n === number);

  function route() {
    const found = /^#(claim|row|said)-(\d+)$/.exec(location.hash);
    const row = found && rowOf(found[2]);
    if (!row) return;
    if (found[1] === "claim") show(row);
    else if (found[1] === "said") toAnswer(row);
    else pick(row);
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target.closest("a, button, summary, input, select, label, .row");
    if (!at || at.closest("dialog")) return;
    const link = at.matches("a") && /^#(claim|said)-(\d+)$/.exec(at.getAttribute("href"));
    if (at.matches(".filter")) {
      event.preventDefault();
      verdict = at.dataset.verdict === verdict ? "" : at.dataset.verdict;
      showPane("claims");
      choose();
    } else if (at.matches(".go")) {
      event.preventDefault();
      toggle(at.closest(".row"));
    } else if (link) {
      event.preventDefault();
      const row = rowOf(link[2]);
      if (row) link[1] === "claim" ? show(row) : toAnswer(row);
    } else if (at.matches(".copy")) {
      copy(at);
    } else if (at.matches(".row") && !String(getSelection())) {
      toggle(at);
    }
  });

  function tie(event, on) {
    const at = event.target.closest && event.target.closest(".row, .said");
    if (!at) return;
    const number = at.dataset.n || at.id.slice(5);
    for (const id of ["row-" + number, "said-" + number]) {
      const each = byId(id);
      if (each) each.classList.toggle("hot", on);
    }
  }
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(name, (event) => tie(event, on));
  }

  const help = byId("help");
  const openHelp = () => help.open || help.showModal();
  byId("help-button").addEventListener("click", openHelp);
  byId("help-close").addEventListener("click", () => help.close());

  if (!rows.length) {
    document.addEventListener("keydown", (event) => event.key === "?" && openHelp());
    return;
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () =>
      arrange(head.dataset.key, sorting.key === head.dataset.key && !sorting.down),
    );
    head.replaceChildren(button);
  }
  for (const row of rows) row.querySelector(".go").setAttribute("aria-expanded", "false");

  const panes = document.createElement("div");
  panes.className = "switch";
  for (const [name, word] of [["claims", "Claims"], ["answer", "Answer"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.pane = name;
    button.textContent = word;
    button.addEventListener("click", () => showPane(name));
    panes.append(button);
  }
  document.querySelector(".panes").prepend(panes);

  const everything = byId("open-all");
  everything.addEventListener("click", () => {
    const opening = everything.getAttribute("aria-pressed") !== "true";
    for (const row of opening ? shown : rows) (opening ? open : close)(row);
    everything.setAttribute("aria-pressed", String(opening));
    everything.textContent = opening ? "Close all" : "Open all";
  });
  byId("clear").addEventListener("click", clear);
  byId("more-button").addEventListener("click", more);
  search.addEventListener("input", choose);
  order.addEventListener("change", () => arrange(order.value, false));

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: () => picked && toggle(picked),
    a: () => picked && toAnswer(picked),
    c: () => {
      const button = picked && entryOf.get(picked).querySelector(".copy");
      if (button) copy(button);
    },
    "/": () => {
      showPane("claims");
      search.focus();
      search.select();
    },
    "?": openHelp,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape" && event.target === search) {
        if (!search.value) search.blur();
        search.value = "";
        choose();
      }
      return;
    }
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  /* On paper every entry stands in full, in the order of the answer. */
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all(".entry details:not([open])");
    for (const each of folded) each.open = true;
    const opened = rows.filter(detailOf);
    for (const row of opened) close(row);
    home.append(...entries.slice().sort((a, b) => a.id.slice(6) - b.id.slice(6)));
    addEventListener("afterprint", () => opened.forEach(open), { once: true });
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
  });
  addEventListener("hashchange", route);

  showPane("claims");
  apply();
  route();
})();
