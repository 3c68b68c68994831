// The page of a session: claims that open in place, tied to their words in the answer; filters and
// search without waiting; the document beside the claims; keys.

import { closeDock, isBeside, openEvidence, showNamed, showPane } from "./dock.js";
import { open, openFromAddress, tie, toggle } from "./claims.js";
import { startFilter } from "./filter.js";
import { startKeys } from "./keys.js";
import { isStill, startWords } from "./words.js";

const panes = document.querySelector(".panes");
const table = document.querySelector("table.ledger");

function isPlain(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function onClick(event) {
  const tab = event.target.closest(".tabs button");
  if (tab) return showPane(tab.dataset.pane);
  if (!isPlain(event)) return;
  const place = event.target.closest('a[href^="#said-"], a[href^="#claim-"]');
  if (place) return follow(event, place);
  const row = event.target.closest("tr.row");
  if (!row || event.target.closest("a:not(.go), button") || getSelection().toString()) return;
  event.preventDefault();
  toggle(row.closest("tbody"));
  row.querySelector(".go").focus({ preventScroll: true });
}

/** A link between a claim and its words: the other pane is shown, and the claim opened, with its
 * evidence beside it where there is room. */
function follow(event, link) {
  const target = document.getElementById(link.hash.slice(1));
  if (!target) return;
  event.preventDefault();
  showPane(target.closest("#answer") ? "answer" : "ledger");
  if (target.matches("tbody")) {
    open(target, { isScrolled: true }).then((claim) => isBeside() && openEvidence(claim));
  } else {
    history.replaceState(history.state, "", link.hash);
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
    tie(target.dataset.n);
  }
}

if (panes) {
  document.addEventListener("click", onClick);
  for (const kind of ["mouseover", "focusin"]) {
    panes.addEventListener(kind, (event) => {
      if (!isStill(event)) tie(event.target.closest("[data-n]")?.dataset.n);
    });
  }
  panes.addEventListener("mouseleave", (event) => {
    if (!event.relatedTarget?.closest("#words")) tie();
  });
  if (table) {
    startFilter(table);
    startKeys(table);
    startWords(document.getElementById("answer"));
    openFromAddress().then(showNamed);
  }
  document.getElementById("document-close").addEventListener("click", closeDock);
}
