// Arrival: whether the mouse really comes to this frame, and to the place that is meant.
//
// Where a frame is drawn is known to its documents before it is known to the browser, which finds
// the process for a click by the pictures that it was last given. So for a frame in a process of its
// own a move of the mouse is watched for, before anything is pressed.
((page) => {
  'use strict';
  let watching = null;

  const stopWatching = () => {
    if (watching) window.removeEventListener('pointermove', watching.see, true);
    watching = null;
  };

  // From here on the mouse is watched for, no farther from the point than `slack` on either axis.
  const watchMouse = (element, { x, y, slack }) => {
    stopWatching();
    const mine = { hasCome: false };
    const isNear = (is, wanted) => Math.abs(is - wanted) <= slack;
    mine.see = (event) => {
      // Of several moves the last one says where the mouse is now.
      if (event.isTrusted) mine.hasCome = isNear(event.clientX, x) && isNear(event.clientY, y);
    };
    window.addEventListener('pointermove', mine.see, true);
    watching = mine;
    return null;
  };

  // Whether it has come. A move is told at the pace of frames, so one frame is waited for.
  const mouseHasCome = async () => {
    const mine = watching;
    if (mine && !mine.hasCome) await page.frames.nextFrame();
    stopWatching();
    return !!mine?.hasCome;
  };

  Object.assign(page, { watchMouse, mouseHasCome });
})(globalThis.greenroom ??= {});
