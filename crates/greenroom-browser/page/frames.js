// Frames: waiting for the page to draw, and for conditions that change as it does.
//
// Everything that waits does so here, in the page, at the pace of its animation frames: a poll
// from outside would cost a round trip each time and still come late. A page in the background
// draws nothing, so a timer stands in where no frame comes.
((page) => {
  'use strict';
  const STAND_IN = 50;

  const nextFrame = () => new Promise((resolve) => {
    const timer = setTimeout(done, STAND_IN);
    const frame = requestAnimationFrame(done);
    function done() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });

  // Timers of one delay run in the order in which they were set: this one comes after all that the
  // page has put off before without a delay.
  const nextTask = () => new Promise((resolve) => { setTimeout(resolve, 0); });

  // Calls `look` once per frame until it gives something other than undefined, or `timeout`
  // milliseconds have passed; then undefined. The first look is immediate.
  const untilFrame = async (timeout, look) => {
    const end = performance.now() + timeout;
    for (;;) {
      const seen = page.pass(look);
      if (seen !== undefined || performance.now() >= end) return seen;
      await nextFrame();
    }
  };

  page.frames = { nextFrame, nextTask, untilFrame };
})(globalThis.greenroom ??= {});
