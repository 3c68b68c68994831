// Claims of the table: opened in place, fetched when they are not there yet, and tied to the answer.

import { complain, say } from "./shell.js";

const tied = new Set();

/** Marks a claim's row and its words in the answer; without a number, none. */
export function tie(number) {
  for (const element of tied) element.classList.remove("tied");
  tied.clear();
  if (!number) return;
  for (const id of [`claim-${number}`, `said-${number}`]) {
    const element = document.getElementById(id);
    if (element) tied.add(element);
    element?.classList.add("tied");
  }
}

function isOpen(claim) {
  return claim.classList.contains("open");
}

function setOpen(claim, isNowOpen) {
  claim.classList.toggle("open", isNowOpen);
  claim.querySelector(".go").setAttribute("aria-expanded", String(isNowOpen));
}

/** Opens a claim, and returns it as it then stands in the page: it is replaced when it is fetched. */
export async function open(claim, { isScrolled = false } = {}) {
  const id = claim.id;
  claim.hidden = false;
  if (!claim.querySelector(".detail")) {
    const address = claim.querySelector(".go").getAttribute("href");
    await htmx.ajax("GET", address, { target: claim, swap: "outerHTML" });
  }
  const shown = document.getElementById(id);
  if (!shown.querySelector(".detail")) return shown;
  setOpen(shown, true);
  if (isScrolled) {
    shown.scrollIntoView({ block: "start" });
    shown.querySelector(".go").focus({ preventScroll: true });
  }
  return shown;
}

/** Opens a claim, or closes it. */
export function toggle(claim) {
  if (isOpen(claim)) setOpen(claim, false);
  else open(claim);
}

/** Opens the claim that the address names: such links are kept and passed on. */
export function openFromAddress() {
  const claim = /^#claim-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (claim) open(claim, { isScrolled: true });
}

/** How many claims are decided, and how many are not, after one was. */
function recount() {
  const all = document.querySelectorAll("tbody.claim").length;
  const done = document.querySelectorAll("tbody.claim[data-done]").length;
  const table = document.querySelector("table.ledger[data-whole]");
  if (!table) return;
  document.querySelector(".decided-count").textContent = done;
  document.querySelector(".open-count").textContent = all - done;
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
  claim.querySelector(".go").focus({ preventScroll: true });
  const problem = claim.querySelector('[role="alert"]')?.textContent;
  if (problem) complain(problem);
  else say(`Claim ${number}: ${claim.querySelector(".decided")?.textContent.trim() ?? "the decision was taken back"}`);
});
