// Keys of the claims: j k o d a r / ? and Escape. Never while something is typed.

import { open, toggle } from "./claims.js";
import { closeDock, openEvidence } from "./dock.js";
import { isTyping, say } from "./shell.js";

let table;
let last = null;

function current() {
  const focused = document.activeElement?.closest("tbody.claim");
  return focused ?? (last && document.getElementById(last));
}

function move(step) {
  const shown = [...table.tBodies].filter((claim) => !claim.hidden);
  if (!shown.length) return;
  const at = shown.indexOf(current());
  const next = at < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(at + step, 0), shown.length - 1);
  const claim = shown[next];
  claim.querySelector(".go").focus({ preventScroll: true });
  claim.scrollIntoView({ block: "nearest" });
}

async function accept(claim) {
  const button = (await open(claim)).querySelector("button.accept");
  if (button) button.click();
  else say("There is nothing to accept: it was decided, or you may only read.");
}

async function overrule(claim) {
  const details = (await open(claim)).querySelector("details.overrule");
  if (details) details.open = true;
}

const ON_A_CLAIM = {
  o: toggle,
  d: async (claim) => { if (!await openEvidence(claim)) say("This claim has no evidence to show."); },
  a: accept,
  r: overrule,
};

function escape(event) {
  if (isTyping(event.target)) {
    event.target.blur();
    current()?.querySelector(".go").focus({ preventScroll: true });
  } else if (!closeDock()) {
    const claim = current();
    if (claim?.classList.contains("open")) toggle(claim);
  }
}

function onKey(event) {
  const keys = document.getElementById("keys");
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || keys.open) return;
  if (event.key === "Escape") return escape(event);
  if (isTyping(event.target)) return;
  const claim = current();
  if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
  else if (event.key === "/") document.getElementById("search").focus();
  else if (event.key === "?") keys.showModal();
  else if (ON_A_CLAIM[event.key] && claim) ON_A_CLAIM[event.key](claim);
  else return;
  event.preventDefault();
}

/** Makes the keys work on a table of claims. */
export function startKeys(element) {
  table = element;
  document.addEventListener("keydown", onKey);
  document.addEventListener("focusin", (event) => {
    last = event.target.closest("tbody.claim")?.id ?? last;
  });
  // The keys act on the claim whose evidence is shown.
  document.addEventListener("viewer:claim", (event) => {
    last = `claim-${event.detail.claim}`;
  });
}
