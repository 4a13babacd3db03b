// Wait: until a text appears on the page or goes away.
//
// The page is looked at again when something in it changed, and now and then regardless, because
// style changes that show or hide a text need not touch the document. A text is there when an
// element that has it is visible; text in fields does not count, as upstream has it.
((page) => {
  'use strict';
  const { matching, style } = page;
  const LOOK_ANYWAY = 200;

  const isThere = (text) => {
    const steps = [{ kind: 'text', pattern: matching.pattern(text, false) }];
    return page.query(steps).some((element) => style.boxOf(element).visible);
  };

  // {ok, waited}: whether the text is there (or, with `gone`, is not) within `timeout` ms.
  const waitForText = async ({ text, gone = false, timeout = 5000 }) => {
    const start = performance.now();
    let isChanged = true;
    let lookedAt = 0;
    const observer = new MutationObserver(() => { isChanged = true; });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const look = () => {
      const now = performance.now();
      if (!isChanged && now - lookedAt < LOOK_ANYWAY) return undefined;
      isChanged = false;
      lookedAt = now;
      return isThere(text) !== gone || undefined;
    };
    try {
      const ok = await page.frames.untilFrame(timeout, look) === true || page.pass(() => isThere(text) !== gone);
      return { ok, waited: Math.round(performance.now() - start) };
    } finally {
      observer.disconnect();
    }
  };

  page.waitForText = waitForText;
})(globalThis.greenroom ??= {});
