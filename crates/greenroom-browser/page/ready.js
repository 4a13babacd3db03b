// Ready: waits until an element can be acted on, and says where.
//
// greenroom.ready(element, {states, timeout, position}) resolves as soon as all the wanted states
// hold at once, with {ok: true, x, y, box}. Otherwise, when `timeout` milliseconds have passed or
// waiting is pointless, with {ok: false, reason, message, cover}: reason is `detached`, `hidden`,
// `moving`, `disabled`, `readonly`, `wrong`, `outside` or `covered`.
//
// `states` are any of visible, stable, enabled, editable and receivesEvents; the point is found
// whenever receivesEvents is among them. Stable means: the same box as one frame before. If the
// click point is out of view or covered, the element is scrolled, each time to another edge, so
// that it comes out from under headers and footers that stick to one.
((page) => {
  'use strict';
  const { dom, style, states, hit } = page;

  const ALIGNMENTS = ['nearest', 'center', 'start', 'end'];
  const FRAMELESS = 500;
  const ALL = ['visible', 'enabled', 'stable', 'receivesEvents'];

  // A label stands for its control where the question is what the control can do.
  const controlOf = (element) => {
    const isOwn = dom.matches(element, 'a, input, textarea, button, select, [role=link], [role=button], '
      + '[role=checkbox], [role=radio]') || element.isContentEditable;
    return (isOwn ? element : dom.closest(element, 'label')?.control) ?? element;
  };

  const reveal = (element, attempt) => {
    const edge = ALIGNMENTS[attempt % ALIGNMENTS.length];
    element.scrollIntoView({ block: edge, inline: edge, behavior: 'instant' });
  };

  const boxNow = (element) => {
    const { x, y, width, height } = dom.rect(element);
    return { x, y, width, height };
  };
  const isSame = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

  const no = (reason, message, more) => ({ ok: false, reason, message, ...more });

  // Each check gives undefined if its state holds, else why not.
  const CHECKS = {
    visible: ({ element }) => (style.boxOf(element).visible ? undefined
      : no('hidden', 'the element is not visible')),
    enabled: ({ element }) => (states.isDisabled(controlOf(element))
      ? no('disabled', 'the element is disabled') : undefined),
    editable: ({ element }) => {
      const readonly = states.readonlyOf(controlOf(element));
      if (readonly === undefined) {
        const message = 'the element is not an input, a textarea, a select or editable';
        return no('wrong', message, { isFinal: true });
      }
      return readonly ? no('readonly', 'the element is read-only') : undefined;
    },
    stable: (waiting) => (waiting.isStill() ? undefined : no('moving', 'the element is still moving')),
    receivesEvents: (waiting) => waiting.aim(),
  };

  class Waiting {
    constructor(element, position) {
      this.element = element;
      this.position = position;
      this.seen = null;
      this.point = null;
      this.scrolls = 0;
      this.last = null;
    }

    scroll() {
      reveal(this.element, this.scrolls++);
      // Being scrolled by us is not moving by itself.
      this.see();
    }

    see() {
      this.seen = { box: boxNow(this.element), frame: document.timeline.currentTime, at: performance.now() };
    }

    // The page's own clock tells frames apart: within one frame nothing can have moved. A page in
    // the background has no frames, and is taken at its word after a while.
    isStill() {
      const before = this.seen;
      const isNewFrame = before && (document.timeline.currentTime !== before.frame
        || performance.now() - before.at > FRAMELESS);
      if (before && !isNewFrame) return false;
      this.see();
      return !!before && isSame(before.box, this.seen.box);
    }

    // Finds the click point; scrolling takes effect at once and is judged at the next frame.
    aim() {
      const point = hit.pointOf(this.element, this.position);
      if (!point || !hit.isInViewport(point)) {
        this.scroll();
        return no('outside', 'the element is outside of the viewport');
      }
      const covered = hit.coverOf(this.element, point);
      if (!covered) {
        this.point = point;
        return undefined;
      }
      this.scroll();
      return covered.isOutside ? no('outside', 'the element is outside of the viewport')
        : no('covered', `${covered.cover} is in the way and would take the click`, { cover: covered.cover });
    }

    // The finished answer, or undefined to look again at the next frame.
    look(wanted) {
      if (!dom.isConnected(this.element)) return no('detached', 'the element was removed from the page');
      let failed;
      for (const state of wanted) failed ??= CHECKS[state](this);
      if (!failed) return { ok: true, ...(this.point ?? {}), box: boxNow(this.element) };
      this.last = failed;
      return failed.isFinal ? failed : undefined;
    }
  }

  // Stability is asked first, so that a moving element is not scrolled back and forth.
  const ORDER = ['visible', 'enabled', 'editable', 'stable', 'receivesEvents'];

  const ready = async (element, { states: wanted = ALL, timeout = 5000, position } = {}) => {
    const waiting = new Waiting(element, position);
    const ordered = ORDER.filter((state) => wanted.includes(state));
    const answer = await page.frames.untilFrame(timeout, () => waiting.look(ordered))
      ?? { ...waiting.last, waited: timeout };
    delete answer.isFinal;
    return answer;
  };

  page.ready = ready;
  page.reveal = reveal;
  page.controlOf = controlOf;
})(globalThis.greenroom ??= {});
