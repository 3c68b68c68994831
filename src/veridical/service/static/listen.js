/* A click on a quote plays the recording from its second. */
(() => {
  "use strict";
  const player = document.getElementById("player");
  const report = document.querySelector(".report");
  if (!player || !report) return;

  const seconds = (told) => told.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

  function placeOf(target) {
    const link = target.closest('a[href^="#"]');
    const to = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (to) return to.closest("[data-time]");
    return target.closest("blockquote, mark, .line") && target.closest("[data-time]");
  }

  report.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    player.currentTime = seconds(place.dataset.time);
    player.play().catch(() => {});  // a browser may want another click first
  });
})();
