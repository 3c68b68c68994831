// Keeps what is said of jobs up to date, and shows what came of one once it is over.
//
// An element with `data-job` has a progress bar and words (`data-job-text`) inside. When its job is
// over, the nearest element around it with `data-job-reload` (and an id) is fetched anew, or the
// whole page is loaded again where there is none. The words are said aloud now and then, not at
// each step. Where the server does not answer, that is said in their place, until it does again.
// Before that the element gets a `job:over` with the job: whoever prevents it shows what came of it.
// Elements with `data-job-found` (and an id) hold what a job has found so far: they are fetched anew
// each time that it tells of more.

import { say } from "./shell.js";

const POLL = 2_000;       // ms between looks at jobs that are not followed by events
const SAY_AT_MOST = 10_000;  // ms between two things that are said aloud
const LONGEST_WAIT = 15_000;
const LOST_AFTER = 3_000;    // ms without an answer after which that is said
const LOST = "Connection lost, trying again";

let source = null;        // one stream a page: browsers allow a server but six connections
let following = null;
let failures = 0;
let saidAt = 0;
let polling = 0;
let losing = 0;           // the timer that runs from the first sign of it
let lost = false;

const elements = () => [...document.querySelectorAll("[data-job]")];
const jobIds = () => [...new Set(elements().map((element) => element.dataset.job))].filter(Boolean);

function sentence(job) {
  if (job.state === "waiting") return "Waiting for its turn";
  const step = job.step || "under way";
  const words = step[0].toUpperCase() + step.slice(1);
  return job.total ? `${words}: ${job.done} of ${job.total}${left(job)}` : words;
}

const begun = new Map();  // by job and step: how much was done when it was first seen, and when

/** How long the rest will take if it goes on as it has gone since it was first seen; "" if unknown. */
function left({ id, step, done, total }) {
  const key = `${id} ${step} ${total}`;
  const first = begun.get(key);
  if (!first) begun.set(key, { done, at: Date.now() });
  if (!first || done <= first.done || done >= total) return "";
  const seconds = Math.ceil(((Date.now() - first.at) / 1_000 / (done - first.done)) * (total - done));
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
}

const words = () => document.querySelectorAll("[data-job] [data-job-text]");
const pause = (time) => new Promise((done) => { setTimeout(done, time); });

/** The server did not answer. Streams break off now and then: only what lasts is told. */
function missed() {
  if (lost) return;
  losing ||= setTimeout(() => {
    lost = true;
    for (const text of words()) {
      text.dataset.known = text.textContent;
      text.textContent = LOST;
    }
    say(`${LOST}.`);
  }, LOST_AFTER);
}

/** It answered: what was known before stands there again, until there is news. */
function answered() {
  clearTimeout(losing);
  losing = 0;
  if (!lost) return;
  lost = false;
  for (const text of words()) {
    text.textContent = text.dataset.known ?? text.textContent;
    delete text.dataset.known;
  }
  say("Connected again.");
}

/** What an address has, asked for until there is an answer. */
async function fetched(address) {
  for (;;) {
    try {
      const reply = await fetch(address, { headers: { Accept: "text/html" } });
      if (reply.status < 500) {
        answered();
        return reply;
      }
    } catch {
      // the server is away
    }
    missed();
    await pause(POLL);
  }
}

function show(job) {
  const told = job.cancel_asked ? "Being cancelled" : sentence(job);
  for (const element of elements().filter((one) => one.dataset.job === job.id)) {
    const bar = element.querySelector("progress");
    if (bar && job.total) {
      bar.max = job.total;
      bar.value = job.done;
    }
    const text = element.querySelector("[data-job-text]");
    if (text) text.textContent = told;
  }
  bring(job);
  if (Date.now() - saidAt > SAY_AT_MOST) {
    saidAt = Date.now();
    say(told);
  }
}

let news = "";            // what was told last, and what of it is shown
let shown = "";
let bringing = false;

/** Shows what a job has found since the last time; what is told meanwhile is brought afterwards. */
async function bring({ step, done }) {
  const parts = () => document.querySelectorAll("[data-job-found][id]");
  news = `${step} ${done}`;
  if (bringing) return;
  bringing = true;
  try {
    while (news !== shown && parts().length) {
      shown = news;
      const page = await fetched(location.href).then(parsed);
      for (const part of parts()) {
        const fresh = page.getElementById(part.id);
        if (fresh && fresh.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(fresh));
      }
    }
  } finally {
    bringing = false;
  }
}

const parsed = async (reply) => new DOMParser().parseFromString(await reply.text(), "text/html");

/** Shows what came of a job: once, so that a page that still calls it open is not loaded for ever. */
async function finish(job) {
  const mark = `job-${job.id}-shown`;
  const ended = elements().filter((one) => one.dataset.job === job.id);
  for (const element of ended) element.dataset.job = "";  // looked at no more; its words are news still
  const options = { detail: job, bubbles: true, cancelable: true };
  const over = ended.filter((one) => one.dispatchEvent(new CustomEvent("job:over", options)));
  const place = over[0]?.closest("[data-job-reload][id]");
  if (over.length || !ended.length) say(job.state === "done" ? "Done." : `This was not done: ${job.message || job.state}`);
  if (!over.length) return;  // another job's end has brought the part that shows it already
  if (place) {
    await replace(place);
  } else if (!sessionStorage.getItem(mark)) {
    await fetched("/health");  // a page that is loaded while the server is away is no page
    sessionStorage.setItem(mark, "yes");
    location.reload();
  }
}

/** Puts the same part of the page, as it is now, in the place of this one. */
async function replace(place) {
  const reply = await fetched(place.dataset.jobReload || location.href);
  const page = await parsed(reply);
  const fresh = reply.ok && page.getElementById(place.id);
  if (fresh) place.replaceWith(document.adoptNode(fresh));
}

function follow() {
  const [first] = jobIds();
  if (first === following) return;
  source?.close();
  source = null;
  following = first ?? null;
  if (!first || document.hidden) return;
  source = new EventSource(`/api/v1/jobs/${first}/events`);
  source.addEventListener("open", answered);
  source.addEventListener("progress", (event) => {
    failures = 0;
    show(JSON.parse(event.data));
  });
  source.addEventListener("end", async (event) => {
    source?.close();
    following = null;
    await finish(JSON.parse(event.data));
    follow();
  });
  source.addEventListener("error", () => {
    missed();
    // A browser connects again by itself where a stream broke off, but not where it was refused.
    if (source?.readyState !== EventSource.CLOSED) return;
    following = null;
    failures += 1;
    setTimeout(follow, Math.min(1_000 * 2 ** failures, LONGEST_WAIT));
  });
}

/** What the server says of jobs; null where it refuses. Fails where it does not answer. */
async function asked(which) {
  const reply = await fetch(`/api/v1/jobs${which}`);
  if (reply.status >= 500) throw new Error("no answer");
  answered();
  return reply.ok ? reply.json() : null;
}

/** Looks at the jobs beside the first one: those that are open at once, each of the others once. */
async function look() {
  clearTimeout(polling);
  if (!document.hidden) {
    const others = jobIds().filter((one) => one !== following);
    try {
      const open = others.length > 1 ? await asked("?active=true&limit=200") : null;
      const known = new Map(open?.items.map((job) => [job.id, job]));
      for (const id of others) {
        const job = known.get(id) ?? await asked(`/${id}`);
        if (!job) continue;
        if (["done", "failed", "cancelled"].includes(job.state)) await finish(job);
        else show(job);
      }
    } catch {
      missed();  // the server is away; the next look may find it
    }
    follow();
  }
  if (jobIds().length) polling = setTimeout(look, POLL);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(losing);
    losing = 0;
    source?.close();
    source = null;
    following = null;
  } else {
    look();
  }
});

document.addEventListener("htmx:after:swap", look);
look();
