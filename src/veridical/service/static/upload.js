// Files dropped on the form, and how far each is on its way. Without this the form is sent as it is.

import { pageHeaders } from "./shell.js";

const form = document.querySelector("form[data-upload]");
const AT_ONCE = 2;

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

async function sendOne(file) {
  const { line, progress } = lineFor(file);
  try {
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
  const waiting = [...files];
  const outcomes = [];
  const worker = async () => {
    while (waiting.length) outcomes.push(await sendOne(waiting.shift()));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  button.disabled = false;
  form.reset();
  if (outcomes.every(Boolean)) location.assign(new URL(form.action).pathname);
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
  form.addEventListener("drop", (event) => {
    form.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    sendAll(input.multiple ? event.dataTransfer.files : [event.dataTransfer.files[0]]);
  });
}
