// Through: what the documents around a frame have to say about an element in it.
//
// A document knows only its own. Whether a click on an element of a frame arrives is therefore
// asked frame by frame: each document says whether the click at its own coordinates of that point
// lands on the element that holds the next frame.
((page) => {
  'use strict';
  const { style, hit } = page;

  // What this frame shows: its size, the part of it that a pinch has made larger, and how many of
  // the screen's pixels one of its own is.
  const view = () => {
    const { left, top } = hit.visiblePart();
    return { width: innerWidth, height: innerHeight, left, top, ratio: devicePixelRatio };
  };

  // {ok: true}, or as `ready` says it why a click at this point does not get into the frame.
  const passes = (owner, point) => page.pass(() => {
    if (!style.boxOf(owner).visible) {
      return { ok: false, reason: 'hidden', message: 'the frame that holds the element is not visible' };
    }
    const outside = { ok: false, reason: 'outside', message: 'the element is outside of the viewport' };
    if (!hit.isInViewport(point)) return outside;
    const covered = hit.coverOf(owner, point);
    if (!covered) return { ok: true };
    if (covered.isOutside) return outside;
    const message = `${covered.cover} is in the way and would take the click`;
    return { ok: false, reason: 'covered', message, cover: covered.cover };
  });

  // The element's document was drawn once more.
  const drawn = async () => { await page.frames.nextFrame(); return null; };

  Object.assign(page, { view, passes, drawn });
})(globalThis.greenroom ??= {});
