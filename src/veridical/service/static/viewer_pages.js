// The pages of a PDF as they look, drawn by pdf.js: those near the window only, with the words of the
// span marked where the server says that they stand. Nothing of the file is run: no scripts, no
// forms, no links.

import { keepInView, middleOf, scrollerOf } from "./viewer_scroll.js";

const HERE = new URL("./vendor/pdfjs/", import.meta.url).href;
const NEAR = "150% 0px";
const KEPT_PAGES = 12;
const MOST_PIXELS = 16_000_000;
const STEP = 1.25;
const SMALLEST = 0.25;
const LARGEST = 5;
const WIDEST_FIT = 1.75;
const SMALL_FILE = 4_000_000;
const NO_MARKS = "The words cannot be marked on the page now. They are marked in the text.";

let library = null;

/** pdf.js, loaded when the first file is opened. */
function loadLibrary() {
  library ??= import("./vendor/pdfjs/pdf.min.mjs");
  return library;
}

export class Pages {
  #viewer;
  #box;
  #data;
  #pdfjs;
  #worker = null;
  #task = null;
  #file = null;
  #sheets = [];
  #marks = new Map();
  #drawn = new Map();
  #near = null;
  #resized = null;
  #usual = { width: 595, height: 842 };
  #zoom = 1;
  #drawnAt = 1;
  #isClosed = false;

  constructor(viewer, box) {
    this.#viewer = viewer;
    this.#box = box;
    this.#data = viewer.dataset;
  }

  /** Opens the file and draws the page that is looked for. Fails where the file cannot be shown. */
  async open() {
    const first = Number(this.#data.page);
    const marks = this.#fetchMarks(first);
    const file = this.#fetchFile();
    file.catch(() => {});
    this.#worker = new Worker(`${HERE}pdf.worker.min.mjs`, { type: "module" });
    this.#pdfjs = await loadLibrary();
    this.#task = this.#pdfjs.getDocument({
      worker: this.#pdfjs.PDFWorker.create({ port: this.#worker, verbosity: this.#pdfjs.VerbosityLevel.ERRORS }),
      ...(await file),
      cMapUrl: `${HERE}cmaps/`,
      standardFontDataUrl: `${HERE}standard_fonts/`,
      wasmUrl: `${HERE}decoders/`,
      useWasm: false,
      enableXfa: false,
      disableAutoFetch: true,
      disableStream: true,
      maxImageSize: 64_000_000,
      verbosity: this.#pdfjs.VerbosityLevel.ERRORS,
    });
    this.#task.onPassword = () => this.#task.destroy();
    this.#file = await this.#task.promise;
    const page = await this.#file.getPage(Math.min(first, this.#file.numPages));
    const { width, height } = page.getViewport({ scale: 1 });
    this.#usual = { width, height };
    this.#layOut();
    await marks;
    await this.#draw(this.#sheets[page.pageNumber - 1]);
    this.#watch();
  }

  /** A small file whole, at once; of a large one pdf.js asks for the parts that it needs. */
  async #fetchFile() {
    const url = this.#data.file;
    if (Number(this.#data.size) > SMALL_FILE) return { url, rangeChunkSize: 262_144 };
    const reply = await fetch(url, { credentials: "same-origin" });
    if (!reply.ok) throw new Error(String(reply.status));
    return { data: new Uint8Array(await reply.arrayBuffer()) };
  }

  /** Brings the marked words into view, or else the page that was asked for. */
  land() {
    this.#resize();
    const sheet = this.#sheets[Math.min(Number(this.#data.page), this.#sheets.length) - 1];
    keepInView(sheet.querySelector(".marks i") ?? sheet);
  }

  /** Changes the size and keeps what is in the middle of the window there. */
  zoom(way) {
    const sheet = this.#inView();
    const middle = middleOf(this.#viewer);
    const before = sheet.getBoundingClientRect();
    this.#zoom = way === "fit" ? 1 : this.#zoom * (way === "in" ? STEP : 1 / STEP);
    this.#zoom = Math.min(LARGEST, Math.max(SMALLEST, this.#zoom));
    const drawn = [...this.#drawn.keys()];
    this.#resize();
    const after = sheet.getBoundingClientRect();
    const share = before.height ? (middle - before.top) / before.height : 0;
    const top = after.top + share * after.height - middle;
    scrollerOf(this.#viewer).scrollBy({ top, behavior: "instant" });
    for (const one of drawn) this.#redraw(one);
  }

  close() {
    this.#isClosed = true;
    this.#near?.disconnect();
    this.#resized?.disconnect();
    this.#task?.destroy().finally(() => this.#worker.terminate());
    this.#box.replaceChildren();
  }

  /** A sheet of paper for each page, blank until it comes near the window. */
  #layOut() {
    const all = document.createDocumentFragment();
    for (let number = 1; number <= this.#file.numPages; number += 1) {
      const sheet = document.createElement("div");
      sheet.className = "pdf-page";
      sheet.id = `sheet-${number}`;
      sheet.dataset.number = number;
      sheet.dataset.label = `Page ${number}`;
      sheet.number = number;
      this.#sheets.push(sheet);
      all.append(sheet);
    }
    this.#box.style.setProperty("--page-width", this.#usual.width);
    this.#box.style.setProperty("--page-height", this.#usual.height);
    this.#box.append(all);
    this.#box.hidden = false;
    this.#resize();
    this.#box.hidden = true;
  }

  /** Pixels of the window for a point of a page: as wide as there is room, times the zoom. */
  #scale() {
    const room = this.#box.clientWidth - 2 * parseFloat(getComputedStyle(this.#box).paddingLeft);
    const fit = room > 0 ? room / this.#usual.width : 1;
    return Math.min(fit, WIDEST_FIT) * this.#zoom;
  }

  /** All sheets at once: their sizes are worked out by the style sheet. */
  #resize() {
    this.#drawnAt = this.#scale();
    this.#box.style.setProperty("--scale-factor", this.#drawnAt);
  }

  #size(sheet, { width, height }, userUnit) {
    sheet.style.setProperty("--page-width", width);
    sheet.style.setProperty("--page-height", height);
    sheet.style.setProperty("--user-unit", userUnit);
  }

  #watch() {
    const scroller = scrollerOf(this.#viewer);
    const root = scroller === document.scrollingElement ? null : scroller;
    this.#near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        target.isNear = isIntersecting;
        if (isIntersecting) this.#draw(target).catch(() => {});
      }
      this.#forget();
      if (!this.#box.hidden) this.#tell("viewer:page", this.#inView().number);
    }, { root, rootMargin: NEAR, threshold: [0, 0.5] });
    for (const sheet of this.#sheets) this.#near.observe(sheet);
    let width = this.#box.clientWidth;
    this.#resized = new ResizeObserver(() => {
      if (this.#box.hidden || Math.abs(this.#box.clientWidth - width) < 2) return;
      width = this.#box.clientWidth;
      this.#resize();
      for (const sheet of [...this.#drawn.keys()]) this.#redraw(sheet);
    });
    this.#resized.observe(this.#box);
  }

  /** The page in the middle of what can be seen. */
  #inView() {
    const middle = middleOf(this.#viewer);
    return this.#sheets.find((sheet) => sheet.getBoundingClientRect().bottom > middle) ?? this.#sheets.at(-1);
  }

  #redraw(sheet) {
    this.#drawn.get(sheet)?.task?.cancel();
    this.#drawn.delete(sheet);
    if (sheet.isNear !== false) this.#draw(sheet).catch(() => {});
  }

  /** Pages far from the window give their pictures back. */
  #forget() {
    for (const [sheet, { task }] of this.#drawn) {
      if (this.#drawn.size <= KEPT_PAGES) return;
      if (sheet.isNear) continue;
      task?.cancel();
      sheet.replaceChildren();
      this.#drawn.delete(sheet);
    }
  }

  async #draw(sheet) {
    if (this.#drawn.has(sheet) || this.#isClosed) return;
    const state = { task: null };
    this.#drawn.set(sheet, state);
    try {
      const page = await this.#file.getPage(sheet.number);
      this.#size(sheet, page.getViewport({ scale: 1 }), page.userUnit);
      await this.#paint(sheet, page, state);
    } catch (error) {
      if (this.#drawn.get(sheet) === state) this.#drawn.delete(sheet);
      throw error;
    }
  }

  async #paint(sheet, page, state) {
    const viewport = page.getViewport({ scale: this.#drawnAt });
    const sharp = Math.min(devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
    const canvas = document.createElement("canvas");
    canvas.width = Math.floor(viewport.width * sharp);
    canvas.height = Math.floor(viewport.height * sharp);
    canvas.setAttribute("aria-hidden", "true");
    state.task = page.render({
      canvas,
      viewport,
      transform: sharp === 1 ? undefined : [sharp, 0, 0, sharp, 0, 0],
      annotationMode: this.#pdfjs.AnnotationMode.ENABLE,
    });
    const [marks] = await Promise.all([this.#fetchMarks(sheet.number), state.task.promise]);
    if (this.#drawn.get(sheet) !== state) return;
    sheet.replaceChildren(canvas, this.#drawMarks(marks));
    this.#addWords(sheet, page, viewport).catch(() => {});
  }

  /** The words of the page over its picture, unseen: to be selected, found and read aloud. */
  async #addWords(sheet, page, viewport) {
    const words = document.createElement("div");
    words.className = "textLayer";
    sheet.append(words);
    const textContentSource = page.streamTextContent({ includeMarkedContent: false });
    await new this.#pdfjs.TextLayer({ textContentSource, container: words, viewport }).render();
    words.dataset.complete = "";
  }

  #drawMarks(marks) {
    const layer = document.createElement("div");
    layer.className = "marks";
    layer.setAttribute("aria-hidden", "true");
    for (const [left, top, right, bottom] of marks?.boxes ?? []) {
      const mark = document.createElement("i");
      mark.style.left = `${(100 * left) / marks.width}%`;
      mark.style.top = `${(100 * top) / marks.height}%`;
      mark.style.width = `${(100 * (right - left)) / marks.width}%`;
      mark.style.height = `${(100 * (bottom - top)) / marks.height}%`;
      layer.append(mark);
    }
    return layer;
  }

  /** Where the words stand on a page; null for a page without any. */
  #fetchMarks(number) {
    const { start, end, firstPage, lastPage, boxes, version } = this.#data;
    if (!start || number < Number(firstPage) || number > Number(lastPage)) return Promise.resolve(null);
    if (!this.#marks.has(number)) {
      const address = `${boxes}/${number}/boxes?version=${version}&start=${start}&end=${end}`;
      this.#marks.set(number, fetch(address, { credentials: "same-origin" })
        .then((reply) => (reply.ok ? reply.json() : { boxes: [], note: NO_MARKS }))
        .catch(() => ({ boxes: [], note: NO_MARKS }))
        .then((found) => {
          if (found.note) this.#tell("viewer:note", found.note);
          return found;
        }));
    }
    return this.#marks.get(number);
  }

  #tell(name, detail) {
    this.#viewer.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
