// Filters and search at once, where all rows are in the page. The address says what is shown, as it
// does when the server filters.

let table;
const state = { verdicts: [], decided: "", text: "" };

function readAddress() {
  const query = new URLSearchParams(location.search);
  state.verdicts = query.getAll("verdict");
  state.decided = query.get("decided") ?? "";
  state.text = query.get("q") ?? "";
}

function writeAddress() {
  const query = new URLSearchParams(location.search);
  for (const name of ["verdict", "decided", "q", "first"]) query.delete(name);
  for (const verdict of state.verdicts) query.append("verdict", verdict);
  if (state.decided) query.set("decided", state.decided);
  if (state.text.trim()) query.set("q", state.text);
  const claim = /^#claim-\d+$/.test(location.hash) ? location.hash : "";
  history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${claim}`);
}

function fits(claim, words) {
  if (state.verdicts.length && !state.verdicts.includes(claim.dataset.v)) return false;
  if (state.decided && ("done" in claim.dataset) !== (state.decided === "done")) return false;
  return !words.length || words.every((word) => searched(claim).includes(word));
}

function searched(claim) {
  // The words of the row, and not those of its verdict: what the server looks at.
  claim.searched ??= [".c", ".t", ".s"].map((cell) => claim.querySelector(cell).textContent).join(" ").toLowerCase();
  return claim.searched;
}

function apply() {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const claim of table.tBodies) {
    claim.hidden = !fits(claim, words);
    if (!claim.hidden) shown += 1;
  }
  document.getElementById("shown").textContent = `${shown} of ${table.tBodies.length} shown`;
  document.getElementById("nothing").hidden = shown > 0;
  for (const chip of document.querySelectorAll("a.chip")) {
    const name = chip.dataset.filter;
    const isOn = name === "open" ? state.decided === "open" && !state.verdicts.length
      : name ? state.verdicts.length === 1 && state.verdicts[0] === name && !state.decided
      : !state.verdicts.length && !state.decided;
    if (isOn) chip.setAttribute("aria-current", "true");
    else chip.removeAttribute("aria-current");
  }
}

/** Makes filters and search of a table work in the page; does nothing where rows are missing. */
export function startFilter(element) {
  table = element;
  if (!("whole" in table.dataset)) return;
  readAddress();
  const search = document.getElementById("search");
  search.addEventListener("input", () => {
    state.text = search.value;
    apply();
    writeAddress();
  });
  search.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("click", (event) => {
    const chip = event.target.closest("a[data-filter]");
    if (!chip || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const name = chip.dataset.filter;
    state.decided = name === "open" ? "open" : "";
    state.verdicts = name && name !== "open" ? [name] : [];
    if (!chip.matches(".chip")) search.value = state.text = "";
    apply();
    writeAddress();
  });
  // A reload may bring back what was typed.
  if (search.value !== state.text) search.value = state.text;
}
