// Files dropped on the form, and how far each is on its way. Without this the form is sent as it is.

import { pageHeaders } from "./shell.js";

const form = document.querySelector("form[data-upload]");
const AT_ONCE = 2;
const MOST_FILES = 1_000;  // of one folder, with those in it
const DEEPEST = 20;

/** Sends one file; tells how much of it has arrived. */
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
      if (request.status < 300) resolve();
      else reject(new Error(messageOf(request)));
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
  name.textContent = file.name;
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", file.name);
  line.append(name, progress);
  form.querySelector(".upload-progress").append(line);
  return { line, progress };
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

async function sendOne(file, problem) {
  const { line, progress } = lineFor(file);
  try {
    if (problem) throw new Error(problem);
    await send(file, (share) => { progress.value = share; });
    progress.value = 1;
    return true;
  } catch (error) {
    progress.remove();
    const problem = document.createElement("span");
    problem.className = "problem";
    problem.textContent = error.message;
    line.append(problem);
    return false;
  }
}

async function sendAll(files) {
  const button = form.querySelector("button");
  button.disabled = true;
  form.querySelector(".upload-progress").replaceChildren();
  const waiting = [...files].map((file, at, all) => [file, problemOf(file, at, all)]);
  const outcomes = [];
  const worker = async () => {
    while (waiting.length) outcomes.push(await sendOne(...waiting.shift()));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  button.disabled = false;
  form.reset();
  if (outcomes.every(Boolean)) location.assign(new URL(form.action).pathname);
  else if (outcomes.some(Boolean)) await renew();
}

/** Why a file is not sent: one of the same name would replace the first, unseen. */
function problemOf(file, at, all) {
  if (file.problem) return file.problem;
  if (at >= MOST_FILES) return `Only the first ${MOST_FILES} files were taken. Send the rest again.`;
  const isTwice = all.findIndex((one) => one.name === file.name) < at;
  return isTwice ? "Another file given here has this name. Rename it, and send it again." : "";
}

/** Shows the files that were taken, and leaves what is said of the others. */
async function renew() {
  const reply = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!reply?.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("documents-table");
  const old = document.getElementById("documents-table") ?? document.querySelector("main > .empty");
  if (!fresh || !old) return;
  old.replaceWith(document.adoptNode(fresh));
  document.querySelector("form.sample")?.remove();
  document.dispatchEvent(new Event("htmx:after:swap"));  // those that are being read are followed
}

if (form) {
  const input = form.querySelector('input[type="file"]');
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
