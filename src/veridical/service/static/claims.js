// Claims of the table: opened in place, fetched when they are not there yet, and tied to the answer.

import { nameClaim, unnameClaim } from "./address.js";
import { complain, say } from "./shell.js";

const tied = new Set();
const onTheirWay = new Map();

/** Marks a claim's row and its words in the answer; without a number, none. */
export function tie(number) {
  for (const element of tied) element.classList.remove("tied");
  tied.clear();
  if (!number) return;
  for (const element of document.querySelectorAll(`#claim-${number}, .said[data-n="${number}"]`)) {
    tied.add(element);
    element.classList.add("tied");
  }
}

function isOpen(claim) {
  return claim.classList.contains("open");
}

/** The answer beside the claims goes to the words of one that is opened; the page stays. */
function showWords(number) {
  const pane = document.getElementById("answer");
  const said = document.getElementById(`said-${number}`)?.getBoundingClientRect();
  if (!said || pane.scrollHeight <= pane.clientHeight) return;
  const { top, bottom } = pane.getBoundingClientRect();
  const low = Math.min(bottom, innerHeight);
  if (said.top >= Math.max(top, 0) && said.bottom <= low) return;
  pane.scrollTop += said.top - top - (low - top) / 3;
}

function setOpen(claim, isNowOpen) {
  claim.classList.toggle("open", isNowOpen);
  if (isNowOpen) nameClaim(claim.dataset.n);
  else unnameClaim(claim.dataset.n);
  claim.querySelector(".go").setAttribute("aria-expanded", String(isNowOpen));
}

/** Puts the whole of a claim in its place. Requests of one source wait for each other, and a third is
 * dropped: each claim is a source of its own, and one that is fetched already is waited for. */
function fetchOnce(claim) {
  if (!onTheirWay.has(claim.id)) {
    const address = claim.querySelector(".go").getAttribute("href");
    const coming = htmx.ajax("GET", address, { source: claim, target: claim, swap: "outerHTML" });
    onTheirWay.set(claim.id, coming.finally(() => onTheirWay.delete(claim.id)));
  }
  return onTheirWay.get(claim.id);
}

/** Opens a claim, and returns it as it then stands in the page: it is replaced when it is fetched. */
export async function open(claim, { isScrolled = false } = {}) {
  const id = claim.id;
  claim.hidden = false;
  if (!claim.querySelector(".detail")) await fetchOnce(claim);
  const shown = document.getElementById(id);
  if (!shown.querySelector(".detail")) return shown;
  setOpen(shown, true);
  if (isScrolled) {
    shown.scrollIntoView({ block: "start" });
    shown.querySelector(".go").focus({ preventScroll: true });
  }
  showWords(shown.dataset.n);
  return shown;
}

/** Opens a claim, or closes it. */
export function toggle(claim) {
  if (isOpen(claim)) setOpen(claim, false);
  else open(claim);
}

/** Opens the claim that the address names: such links are kept and passed on. */
export async function openFromAddress() {
  const claim = /^#claim-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (claim) await open(claim, { isScrolled: true });
}

const claimsWith = (more) => document.querySelectorAll(`tbody.claim${more}`).length;
const verdictCount = (verdict) => claimsWith(`[data-v="${verdict}"]`);

/** What is counted, after a claim was decided: the verdicts that stand, as the server counts them. */
function recount() {
  if (!document.querySelector("table.ledger[data-whole]")) return;
  const all = claimsWith("");
  const done = claimsWith("[data-done]");
  document.querySelector(".decided-count").textContent = done;
  document.querySelector(".open-count").textContent = all - done;
  document.querySelector(".supported-count").textContent = verdictCount("supported");
  for (const chip of document.querySelectorAll(".chip[data-verdict]")) {
    const number = verdictCount(chip.dataset.verdict);
    const shown = number && chip.matches("span") ? linked(chip) : chip;
    shown.querySelector("b").textContent = number;
    shown.classList.toggle("none", !number);
  }
  for (const wrong of document.querySelectorAll(".figures .wrong")) {
    const number = verdictCount(wrong.dataset.verdict);
    wrong.querySelector("strong").textContent = number;
    wrong.hidden = !number;
  }
  const covered = verdictCount("supported") + verdictCount("weak");
  document.querySelector(".covered").textContent = `${Math.floor(100 * covered / all + 1e-9)}%`;
}

/** The chip of a verdict that no claim had: a number is a link to its rows. */
function linked(chip) {
  const link = document.createElement("a");
  link.className = chip.className;
  link.href = `?verdict=${chip.dataset.verdict}#ledger`;
  link.dataset.verdict = link.dataset.filter = chip.dataset.verdict;
  link.append(...chip.childNodes);
  chip.replaceWith(link);
  return link;
}

/** The words of a claim in the answer are underlined in the verdict that stands. */
function underline(claim) {
  const verdict = claim.querySelector(".row .v > .verdict").lastChild.textContent;
  const machine = claim.querySelector(".row .was.machine .verdict")?.lastChild.textContent;
  for (const said of document.querySelectorAll(`.said[data-n="${claim.dataset.n}"]`)) {
    said.className = said.className.replace(/\bsaid-\w+/, `said-${claim.dataset.v}`);
    said.title = `Claim ${claim.dataset.n}: ${verdict}${machine ? ` (reviewer; machine: ${machine})` : ""}`;
  }
}

// A decision comes back as the claim anew, in the place of the old one.
document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = event.detail;
  if (ctx.request.method !== "POST") return;
  const number = /\/claims\/(\d+)\/review$/.exec(ctx.request.action)?.[1];
  const claim = document.getElementById(`claim-${number}`);
  if (!claim) return;
  setOpen(claim, true);
  recount();
  underline(claim);
  claim.querySelector(".go").focus({ preventScroll: true });
  const problem = claim.querySelector('[role="alert"]')?.textContent;
  if (problem) complain(problem);
  else say(`Claim ${number}: ${claim.querySelector(".decided")?.textContent.trim() ?? "the decision was taken back"}`);
});
