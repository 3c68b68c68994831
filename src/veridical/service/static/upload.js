// Files dropped on the form, how far each is on its way, and what came of it, in place. What is being
// read is followed by live.js. Without this the form is sent as it is.

import { pageHeaders } from "./shell.js";

const form = document.querySelector("form[data-upload]");
const AT_ONCE = 2;
const MOST_FILES = 1_000;  // of one folder, with those in it
const DEEPEST = 20;
const PAUSE = 3_000;       // ms until a file is sent again that the server has no place for yet
const MOST_PAUSES = 400;
const TOO_MANY = 429;

/** Sends one file, and gives the reply; tells how much of the file has arrived. */
function send(file, tell) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", form.dataset.address ?? addressOf());
    for (const [name, value] of Object.entries(pageHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) tell(event.loaded / event.total);
    });
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText));
      else reject(Object.assign(new Error(messageOf(request)), { status: request.status }));
    });
    request.addEventListener("error", () => reject(new Error("The server did not answer. Try again.")));
    const body = new FormData();
    body.append("file", file, file.name);
    request.send(body);
  });
}

/** The endpoint beside the page that the form is sent to. */
function addressOf() {
  return `/api/v1${new URL(form.action).pathname}`;
}

function messageOf(request) {
  try {
    return JSON.parse(request.responseText).error.message;
  } catch {
    return `The file was not taken (${request.status}).`;
  }
}

function lineFor(file) {
  const line = document.createElement("li");
  const name = document.createElement("bdi");
  const progress = document.createElement("progress");
  const words = document.createElement("span");
  name.textContent = file.name;
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", file.name);
  words.dataset.jobText = "";
  words.textContent = "Waiting to be sent";
  line.append(name, progress, words);
  form.querySelector(".upload-progress").append(line);
  return line;
}

/** A file is read, or there is a problem with it; those with a problem come first. */
function settle(line, problem) {
  const words = line.querySelector("[data-job-text]");
  line.querySelector("progress")?.remove();
  line.dataset.over = problem ? "problem" : "read";
  words.className = problem ? "problem" : "muted";
  words.textContent = problem || "✓ Read";
  if (problem) line.parentElement.prepend(line);
  count();
}

/** Tells how many are read, and how many never will be. */
function count() {
  const lines = [...form.querySelectorAll(".upload-progress li")];
  const problems = lines.filter((line) => line.dataset.over === "problem").length;
  const read = lines.filter((line) => line.dataset.over === "read").length;
  const told = `${read} of ${lines.length} read${problems ? `, ${problems} could not be taken or read` : ""}`;
  form.querySelector(".upload-count").textContent = lines.length ? told : "";
}

/** What an entry of a drop gives when it is asked; where it cannot be read, its name and why. */
function asked(entry, method, name = entry.name) {
  const problem = "It could not be read from the disk. Look whether it is still there, and yours to read.";
  return new Promise((yes) => { entry[method](yes, () => yes({ name, problem })); });
}

/** Files of what was dropped, those of folders too; hidden ones are left out. */
async function filesOf(entry, deep = 0) {
  if (entry instanceof File) return [entry];
  if (entry.name.startsWith(".") || deep > DEEPEST) return [];
  if (entry.isFile) return [await asked(entry, "file")];
  const reader = entry.createReader();
  const found = [];
  while (found.length <= MOST_FILES) {  // a reader gives some at a time
    const some = await asked(reader, "readEntries", entry.name);
    if (some.problem) found.push(some);
    if (!some.length) break;
    for (const one of some) {
      if (found.length <= MOST_FILES) found.push(...(await filesOf(one, deep + 1)));
    }
  }
  return found;
}

/** All files of a drop. What it holds must be asked for at once: later it is gone. */
async function dropped({ items }) {
  const entries = [...items]
    .filter((item) => item.kind === "file")
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const found = [];
  for (const entry of entries) found.push(...(await filesOf(entry)));
  return found;
}

async function sendOne(line, file, problem) {
  const words = line.querySelector("[data-job-text]");
  const progress = line.querySelector("progress");
  const tell = (share) => {
    progress.value = share;
    words.textContent = `Being sent: ${Math.floor(100 * share)} %`;
  };
  try {
    if (problem) throw new Error(problem);
    const { document_id: id, job_id: job, state } = await patiently(() => send(file, tell), words);
    const link = document.createElement("a");
    link.href = `/documents/${id}`;
    line.firstElementChild.replaceWith(link);
    link.append(Object.assign(document.createElement("bdi"), { textContent: file.name }));
    if (state === "ready") return settle(line);
    words.textContent = "Waiting to be read";
    progress.removeAttribute("value");
    line.dataset.job = job;
  } catch (error) {
    settle(line, error.message);
  }
}

/** What sending gives, tried again for as long as the server has too much to do. */
async function patiently(sending, words) {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await sending();
    } catch (error) {
      if (error.status !== TOO_MANY || pauses === MOST_PAUSES) throw error;
      words.textContent = "Waiting until others are read";
      await new Promise((done) => { setTimeout(done, PAUSE); });
    }
  }
}

async function sendAll(files) {
  const button = form.querySelector("button");
  button.disabled = true;
  form.querySelector(".upload-progress").replaceChildren();
  const waiting = [...files].map((file, at, all) => [lineFor(file), file, problemOf(file, at, all)]);
  const worker = async () => {
    while (waiting.length) await sendOne(...waiting.shift());
  };
  count();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  button.disabled = false;
  form.reset();
  if (document.getElementById("documents-table") || document.querySelector("main > .empty")) await renew();
  else if (!form.querySelector('[data-over="problem"]')) location.assign(new URL(form.action).pathname);
}

/** Why a file is not sent: one of the same name would replace the first, unseen. */
function problemOf(file, at, all) {
  if (file.problem) return file.problem;
  if (at >= MOST_FILES) return `Only the first ${MOST_FILES} files were taken. Send the rest again.`;
  const isTwice = all.findIndex((one) => one.name === file.name) < at;
  return isTwice ? "Another file given here has this name. Rename it, and send it again." : "";
}

/** Shows the files that were taken in the table, and has what is being read followed. */
async function renew() {
  const reply = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
  const page = new DOMParser().parseFromString(reply?.ok ? await reply.text() : "", "text/html");
  const fresh = page.getElementById("documents-table");
  const old = document.getElementById("documents-table") ?? document.querySelector("main > .empty");
  if (fresh && old) {
    old.replaceWith(document.adoptNode(fresh));
    document.querySelector("form.sample")?.remove();
  }
  document.dispatchEvent(new Event("htmx:after:swap"));  // those that are being read are followed
}

if (form) {
  const input = form.querySelector('input[type="file"]');
  document.addEventListener("job:over", (event) => {
    const line = event.target.closest(".upload-progress li");
    if (!line) return;
    event.preventDefault();
    const { state, message } = event.detail;
    settle(line, state === "done" ? "" : message || "It was cancelled before it was read.");
  });
  form.addEventListener("submit", (event) => {
    if (!input.files.length) return;
    event.preventDefault();
    sendAll(input.files);
  });
  form.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    const files = await dropped(event.dataTransfer);
    if (files.length) sendAll(input.multiple ? files : files.slice(0, 1));
  });
}
