// What every page can do: send the token that proves a request comes from it, say what went wrong,
// copy text, and close menus.

const said = document.getElementById("said");
const trouble = document.getElementById("trouble");
let hiding = 0;

/** Tells those who listen, without moving the focus. */
export function say(words) {
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = words; });
}

/** Shows that something did not work; it goes away by itself, or with Escape. */
export function complain(words) {
  trouble.textContent = words;
  trouble.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { trouble.hidden = true; }, 12_000);
}

/** Whether keys go into a field and must be left alone. */
export function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** The headers that a request of this page carries. */
export function pageHeaders() {
  return { "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]')?.content ?? "" };
}

document.addEventListener("htmx:config:request", (event) => {
  Object.assign(event.detail.ctx.request.headers, pageHeaders());
});

document.addEventListener("htmx:response:error", (event) => {
  if (event.detail.ctx.response.status === 409) return;  // the reply itself says what happened
  complain(messageOf(event.detail.ctx.text));
});

document.addEventListener("htmx:error", () => {
  complain("The server did not answer. Nothing was changed; try again.");
});

/** What an error reply says: the JSON shape, or the notice of an error page. */
function messageOf(text) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    const page = new DOMParser().parseFromString(text, "text/html");
    return page.querySelector(".notice")?.textContent.trim() || "That did not work; load the page again.";
  }
}

async function copy(button) {
  const { copy: id, quote = "", link } = button.dataset;
  const text = link
    ? `${quote} ${new URL(link, location.href).href}`.trim()
    : document.getElementById(id)?.textContent.trim() ?? "";
  try {
    await navigator.clipboard.writeText(text);
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 2_000);
    say("Copied");
  } catch {
    complain(`The browser does not allow copying here. Copy it by hand: ${text}`);
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy], button[data-link]");
  if (button) copy(button);
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// A form that is opened comes into view, and is begun: it may lie below the edge of the window.
document.addEventListener("toggle", ({ target }) => {
  const form = target.open && target.matches("details.overrule") && target.querySelector("form");
  if (!form) return;
  form.querySelector("select").focus({ preventScroll: true });
  form.scrollIntoView({ block: "nearest" });
}, { capture: true });

// What is downloaded leaves the page where it is: the menu that asked for it must go by itself.
document.addEventListener("submit", (event) => {
  const menu = event.target.closest("details.menu");
  if (menu) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  trouble.hidden = true;
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
