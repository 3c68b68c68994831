// A document that is looked at. The text with its marks is there without this; for a PDF its pages
// are shown as they look, with the same words marked on them.

import { keepInView } from "./viewer_scroll.js";

const NOT_SHOWN = "The pages of this file cannot be shown here. This is its text.";
const NO_ANSWER = "The server does not answer. Try again in a moment.";
const NARROW = 480;
const STYLE = 'link[href="/static/viewer.css"]';

class DocumentViewer extends HTMLElement {
  #isMounted = false;
  #pages = null;
  #wanted = "text";

  connectedCallback() {
    if (this.#isMounted) return;
    this.#isMounted = true;
    this.addEventListener("click", (event) => this.#onClick(event));
    this.#keepStyle();
    this.#markInView();
    if (!this.dataset.file) return;
    this.querySelector(".view-tools").hidden = false;
    this.addEventListener("viewer:page", (event) => this.#showNumber(event.detail));
    this.addEventListener("viewer:note", (event) => this.#note(event.detail));
    // On a phone a page is a picture of grey lines: the text can be read.
    if (this.dataset.view === "pages" && innerWidth >= NARROW) this.#show("pages");
    else this.querySelector(".zoom").hidden = true;
  }

  disconnectedCallback() {
    queueMicrotask(() => {
      if (this.isConnected) return;  // moved, not taken away
      this.#pages?.close();
      this.#pages = null;
    });
  }

  /** In a pane the style sheet comes along each time; after the first it is there already. */
  #keepStyle() {
    const brought = this.parentElement.querySelector(`:scope > ${STYLE}`);
    if (!brought) return;
    const kept = document.head.querySelector(STYLE);
    if (kept?.sheet) {
      brought.remove();
    } else {
      if (!kept) document.head.append(brought.cloneNode());
      if (!brought.sheet) brought.addEventListener("load", () => this.#markInView(), { once: true });
    }
  }

  #onClick(event) {
    const show = event.target.closest("[data-show]");
    if (show) return this.#show(show.dataset.show);
    const zoom = event.target.closest("[data-zoom]");
    if (zoom) return this.#pages?.zoom(zoom.dataset.zoom);
    const step = event.target.closest("a.step");
    if (step && this.classList.contains("in-pane") && this.#isPlain(event)) {
      event.preventDefault();
      this.#follow(step);
    }
  }

  #isPlain(event) {
    return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  }

  /** The evidence before or after this one, in the same pane; whoever holds it is told where it leads. */
  async #follow(step) {
    const address = new URL(step.href);
    address.searchParams.set("pane", "1");
    const reply = await fetch(address.pathname + address.search, { credentials: "same-origin" }).catch(() => null);
    if (!reply) return this.#note(NO_ANSWER);
    if (!reply.ok) return location.assign(step.href);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const viewer = page.querySelector("document-viewer");
    if (!viewer) return location.assign(step.href);
    const parent = this.parentElement;
    const rel = step.rel;
    const shown = document.importNode(viewer, true);
    this.replaceWith(shown);
    (parent.querySelector(`a.step[rel="${rel}"]`) ?? parent.querySelector("a.step"))?.focus({ preventScroll: true });
    const detail = { claim: shown.dataset.claim, href: step.href };
    shown.dispatchEvent(new CustomEvent("viewer:claim", { bubbles: true, detail }));
  }

  async #show(what) {
    this.#wanted = what;
    if (what === "pages" && !this.#pages) {
      try {
        await this.#openPages();
      } catch {
        this.#fallBack();
        return;
      }
    }
    if (this.#wanted !== what || !this.isConnected) return;
    for (const button of this.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", String(button.dataset.show === what));
    }
    this.querySelector(".zoom").hidden = what !== "pages";
    this.querySelector(".text").hidden = what === "pages";
    this.querySelector(".pages").hidden = what !== "pages";
    if (what === "pages") {
      this.#pages.land();
    } else {
      this.#showNumber(this.dataset.page);
      this.#markInView();
    }
  }

  async #openPages() {
    const { Pages } = await import("./viewer_pages.js");
    const pages = new Pages(this, this.querySelector(".pages"));
    try {
      await pages.open();
    } catch (error) {
      pages.close();
      throw error;
    }
    this.#pages = pages;
  }

  #fallBack() {
    this.querySelector(".view-tools").hidden = true;
    this.#note(NOT_SHOWN);
    this.#markInView();
  }

  #note(words) {
    const note = this.querySelector(".marks-note");
    note.textContent = words;
    note.hidden = !words;
  }

  #showNumber(number) {
    this.querySelector(".page-number").textContent = number;
  }

  #markInView() {
    const mark = this.querySelector("#span");
    if (mark && (this.classList.contains("in-pane") || location.hash === "#span" || !location.hash)) {
      keepInView(mark);
    }
  }
}

if (!customElements.get("document-viewer")) customElements.define("document-viewer", DocumentViewer);
