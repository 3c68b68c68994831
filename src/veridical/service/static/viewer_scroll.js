// Bringing words into view, where they are read best: a third from the top, with lines around them.

const FROM_TOP = 0.33;

/** What scrolls a viewer up and down: the pane that it is in, else the window. */
export function scrollerOf(viewer) {
  for (let box = viewer.parentElement; box && box !== document.body; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return document.scrollingElement;
}

/** The middle of what can be seen of a viewer, in pixels from the top of the window. */
export function middleOf(viewer) {
  const scroller = scrollerOf(viewer);
  if (scroller === document.scrollingElement) return innerHeight / 2;
  const { top, bottom } = scroller.getBoundingClientRect();
  return (top + bottom) / 2;
}

/** Moves what scrolls around an element so that its beginning is in view, without a motion. */
export function keepInView(element) {
  const scroller = scrollerOf(element.closest("document-viewer"));
  const isWindow = scroller === document.scrollingElement;
  const top = element.getBoundingClientRect().top - (isWindow ? 0 : scroller.getBoundingClientRect().top);
  const height = isWindow ? innerHeight : scroller.clientHeight;
  scroller.scrollTo({ top: scroller.scrollTop + top - FROM_TOP * height, behavior: "instant" });
}
