// What a claim or a citation of the answer rests on, shown where the pointer or the focus rests on it.

const PATIENCE = 250;  // milliseconds, so that a pointer that passes over shows nothing
const GAP = 6;
const box = document.getElementById("words");
const known = new Map();
let link = null;
let timer = 0;

/** The words at an address, asked for once; at one of this page they are there. */
function words(address) {
  if (address.startsWith("#")) return document.getElementById(address.slice(1)).innerHTML;
  if (!known.has(address)) {
    const coming = fetch(address).then((reply) => (reply.ok ? reply.text() : ""));
    known.set(address, coming.catch(() => known.delete(address) && ""));
  }
  return known.get(address);
}

async function show() {
  const over = link;
  if (!over) return;
  const html = await words(over.dataset.words);
  if (over !== link || !html) return;
  box.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  box.showPopover();
  box.scrollTop = Math.max(0, (box.querySelector("mark")?.offsetTop ?? 0) - box.clientHeight / 3);
  over.setAttribute("aria-describedby", box.id);
  const place = over.getClientRects()[0];
  const column = over.closest("#answer").getBoundingClientRect();  // beside it are the claims
  box.style.maxWidth = `${column.width}px`;
  const below = place.bottom + GAP + box.offsetHeight < innerHeight;
  box.style.left = `${Math.max(column.left, Math.min(place.left, column.right - box.offsetWidth))}px`;
  box.style.top = `${below ? place.bottom + GAP : Math.max(GAP, place.top - GAP - box.offsetHeight)}px`;
}

function hide() {
  clearTimeout(timer);
  link?.removeAttribute("aria-describedby");
  link = null;
  if (box.matches(":popover-open")) box.hidePopover();
}

let pointer = "";
const placeOf = (event) => `${event.clientX} ${event.clientY}`;
addEventListener("mousemove", (event) => { pointer = placeOf(event); }, { capture: true, passive: true });

/** Whether the page moved below a pointer that rests, as it does where the focus goes out of sight. */
export function isStill(event) {
  return event.type !== "focusin" && placeOf(event) === pointer;
}

/** The words of a link that moved are shown where it is now. */
function leaveFor(moved) {
  hide();
  link = moved;
  timer = setTimeout(show, PATIENCE);
}

function leave() {
  clearTimeout(timer);
  timer = setTimeout(hide, PATIENCE);
}

function over(event) {
  if (box.contains(event.target)) return clearTimeout(timer);
  if (isStill(event)) return;
  const found = event.target.closest("[data-words]");
  if (found === link) return link && clearTimeout(timer);
  if (!found?.dataset.words) return leave();  // the pointer may be on its way into the box
  hide();
  link = found;
  timer = setTimeout(show, event.type === "focusin" ? 0 : PATIENCE);
}

/** Shows the words of what the pointer or the focus rests on in an element. */
export function startWords(element) {
  for (const kind of ["mouseover", "focusin"]) element.addEventListener(kind, over);
  box.addEventListener("mouseover", over);
  for (const each of [element, box]) each.addEventListener("mouseleave", (event) => { if (!isStill(event)) leave(); });
  element.addEventListener("focusout", hide);
  element.addEventListener("click", hide);
  addEventListener("scroll", (event) => {
    // The box may be scrolled; and where the focus scrolls its link into view, the words follow it.
    if (box.contains(event.target)) return;
    if (link && link === document.activeElement) leaveFor(link);
    else hide();
  }, { passive: true, capture: true });
  // Before the keys of the claims: the first Escape closes what lies on top.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.matches(":popover-open")) return;
    hide();
    event.preventDefault();
  }, { capture: true });
}
