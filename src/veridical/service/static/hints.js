// Four hints on the session of the demo, one at a time, until they are read or left.

import { say } from "./shell.js";

const LEFT = "hints-left";
const box = document.getElementById("hints");
const hints = [...(box?.querySelectorAll("li") ?? [])];
let at = 0;

function show() {
  hints.forEach((hint, place) => { hint.hidden = place !== at; });
  box.querySelector("[data-hint=next]").textContent = at === hints.length - 1 ? "Done" : "Next";
  box.querySelector(".hint-at").textContent = `${at + 1} of ${hints.length}`;
}

/** The hints are over, for good in this browser. */
function leave() {
  try {
    localStorage.setItem(LEFT, "yes");
  } catch {
    // where nothing may be kept they come again
  }
  box.hidden = true;
  document.getElementById("main").focus({ preventScroll: true });
}

function wasLeft() {
  try {
    return localStorage.getItem(LEFT) === "yes";
  } catch {
    return false;
  }
}

if (box && !wasLeft()) {
  show();
  box.hidden = false;
  box.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-hint]")?.dataset.hint;
    if (!asked) return;
    at += 1;
    if (asked === "leave" || at === hints.length) return leave();
    show();
    say(hints[at].textContent.trim());
  });
}
