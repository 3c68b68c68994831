// The document beside the claims, or as a tab of its own where there is no room beside them.

import { forgetPlace, nameClaim, named, namePlace, stepsBack } from "./address.js";
import { open, tie, toggle } from "./claims.js";
import { say } from "./shell.js";
// Here before any document is: a step that is taken at once would otherwise leave the page.
import "./viewer.js";

const dock = document.getElementById("document");
const body = document.getElementById("document-body");
const alone = document.getElementById("document-alone");
const panes = document.querySelector(".panes");
const tab = document.querySelector('.tabs [data-pane="document"]');
const wide = matchMedia("(min-width: 48rem)");
const beside = matchMedia("(min-width: 75rem)");
let cameFrom = null;

/** Shows the claims, the answer or the document, where there is not room for all of them. */
export function showPane(name) {
  panes.dataset.pane = name;
  for (const button of document.querySelectorAll(".tabs button")) {
    button.setAttribute("aria-pressed", String(button.dataset.pane === name));
  }
}

/** Whether a document opens beside the claims, and covers none of them. */
export function isBeside() {
  return beside.matches;
}

/** Shows the place that a link of a claim leads to; on a small screen the link is followed. */
async function openDock(link) {
  if (!wide.matches) {
    location.assign(link.href);
    return;
  }
  const number = link.dataset.n ?? link.closest("tbody").dataset.n;
  const row = await open(document.getElementById(`claim-${number}`));
  namePlace(link.href, number);
  await show(link.href, row);
}

/** Shows a place beside the claim that it is evidence of. */
async function show(href, row, block = "nearest") {
  cameFrom = row.querySelector(".go");
  alone.href = href;
  dock.hidden = tab.hidden = false;
  document.documentElement.classList.add("with-document");
  if (!beside.matches) {
    showPane("document");
    dock.scrollIntoView({ block: "start" });
  }
  const address = new URL(href);
  address.searchParams.set("pane", "1");
  body.replaceChildren();
  await htmx.ajax("GET", address.pathname + address.search, { source: body, target: body, swap: "innerHTML" }).catch(() => {});
  if (alone.href !== href) return;  // another place was asked for meanwhile
  if (!body.querySelector("document-viewer")) body.append(apology(href, row));
  row.scrollIntoView({ block });
}

/** Shows the place that the address names, if it names one and there is room for it; else none. */
export async function showNamed() {
  const { claim, href } = named();
  const row = claim && document.getElementById(`claim-${claim}`);
  if (href && row && wide.matches) await show(href, await open(row), "start");
  else putAway();
}

/** What stands in the pane where the document does not come. */
function apology(href, row) {
  const words = document.createElement("p");
  const again = document.createElement("button");
  words.className = "notice bad";
  words.setAttribute("role", "alert");
  words.textContent = "The document cannot be shown now. ";
  again.type = "button";
  again.className = "small";
  again.textContent = "Try again";
  again.addEventListener("click", () => show(href, row));
  words.append(again);
  return words;
}

/** Puts the document away; the focus goes back to the claim that it was opened from. */
export function closeDock() {
  if (dock.hidden) return false;
  if (!stepsBack()) putAway();
  return true;
}

function putAway() {
  forgetPlace();
  if (dock.hidden) return;
  dock.hidden = tab.hidden = true;
  if (panes.dataset.pane === "document") showPane("ledger");
  body.replaceChildren();
  document.documentElement.classList.remove("with-document");
  // The reader may have gone on to another claim meanwhile.
  const row = cameFrom?.closest("tbody");
  if (row?.classList.contains("open")) nameClaim(row.dataset.n);
  // A step back takes the focus to what the address names, and scrolls: this comes after both.
  requestAnimationFrame(() => {
    cameFrom?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  });
}

if (dock) {
  addEventListener("popstate", showNamed);
}

/** Opens a claim and the document at its evidence. */
export async function openEvidence(claim) {
  const link = (await open(claim)).querySelector("a.view");
  if (link) await openDock(link);
  return link !== null;
}

/** The evidence of another claim is shown: its row is opened in place of the one before. */
async function follow({ claim, href }) {
  alone.href = href;
  if (claim) namePlace(href, claim);
  const before = document.getElementById(cameFrom?.closest("tbody")?.id ?? "");
  const row = document.getElementById(`claim-${claim}`);
  if (!row || row === before) return;
  if (before?.classList.contains("open")) toggle(before);
  const shown = await open(row);
  cameFrom = shown.querySelector(".go");
  tie(claim);
  shown.scrollIntoView({ block: "start" });
  say(`The evidence of claim ${claim} is shown.`);
}

body?.addEventListener("viewer:claim", (event) => follow(event.detail));

document.addEventListener("click", (event) => {
  const link = event.target.closest('.ledger a.view, a.cited[href^="/"]');
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || !wide.matches) return;
  event.preventDefault();
  openDock(link);
});
