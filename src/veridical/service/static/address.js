// The address of a session says which claim is open, and which place of a document stands beside it,
// so that it can be copied, and opened again.
//
// A claim is the fragment (`#claim-3`). A place is in the query (`document`, `version`, `start`,
// `end`): with it the claim is the one that the place is shown for.

const PLACE = ["document", "version", "start", "end"];

/** Whether a place of a document is named. */
export function isPlaceNamed() {
  return new URLSearchParams(location.search).has("document");
}

/** The claim that is named, and the link to the place that is named with it; each "" for none. */
export function named() {
  const claim = /^#claim-(\d+)$/.exec(location.hash)?.[1] ?? "";
  const query = new URLSearchParams(location.search);
  const session = location.pathname.split("/")[2];
  if (!claim || !isPlaceNamed()) return { claim, href: "" };
  const link = new URL(`/documents/${encodeURIComponent(query.get("document"))}`, location.origin);
  for (const name of PLACE.slice(1)) if (query.has(name)) link.searchParams.set(name, query.get(name));
  link.searchParams.set("session", session);
  link.searchParams.set("claim", claim);
  return { claim, href: link.href };
}

function address(query, hash) {
  return `${location.pathname}${query.size ? `?${query}` : ""}${hash}`;
}

/** A claim was opened. While a place is named, the claim that it is shown for stays. */
export function nameClaim(number) {
  if (isPlaceNamed()) return;
  history.replaceState(history.state, "", address(new URLSearchParams(location.search), `#claim-${number}`));
}

/** A claim was closed. */
export function unnameClaim(number) {
  if (isPlaceNamed() || location.hash !== `#claim-${number}`) return;
  history.replaceState(history.state, "", address(new URLSearchParams(location.search), ""));
}

/** A place is shown for a claim: a step that Back undoes, unless one was shown already. */
export function namePlace(href, claim) {
  const link = new URL(href);
  const isFirst = !isPlaceNamed();
  const query = new URLSearchParams(location.search);
  for (const name of PLACE) query.delete(name);
  query.set("document", decodeURIComponent(link.pathname.split("/").pop()));
  for (const name of PLACE.slice(1)) if (link.searchParams.has(name)) query.set(name, link.searchParams.get(name));
  const step = isFirst ? "pushState" : "replaceState";
  history[step](isFirst ? { isStep: true } : history.state, "", address(query, `#claim-${claim}`));
}

/** No place is shown: the address names none any more. */
export function forgetPlace() {
  if (!isPlaceNamed()) return;
  const query = new URLSearchParams(location.search);
  for (const name of PLACE) query.delete(name);
  history.replaceState(null, "", address(query, location.hash));
}

let isLeaving = false;
addEventListener("popstate", () => { isLeaving = false; });

/** The place is to be put away: true where that is a step back, which `popstate` will tell. */
export function stepsBack() {
  if (!history.state?.isStep) return false;
  if (!isLeaving) history.back();
  isLeaving = true;
  return true;
}
