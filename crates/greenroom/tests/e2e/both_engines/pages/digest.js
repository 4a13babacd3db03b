async () => {
  // A page that scrolls softly comes to rest first.
  for (let still = 0, last = scrollY; still < 3; last = scrollY) {
    await new Promise((resolve) => setTimeout(resolve, 16));
    still = scrollY === last ? still + 1 : 0;
  }
  // Roots are documents and shadow roots; what lies in other origins is not to be had.
  const roots = [];
  const gather = (root) => {
    roots.push(root);
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) gather(element.shadowRoot);
      if (element.localName !== "iframe") continue;
      const inner = element.contentDocument;
      if (inner) gather(inner);
    }
  };
  gather(document);
  const name = (element) => element && element.localName + (element.id ? "#" + element.id : "");
  const field = (element) => {
    const seen = { field: name(element) };
    if (element.isContentEditable) seen.text = element.textContent;
    else seen.value = element.value;
    if (element.type === "checkbox" || element.type === "radio") seen.checked = element.checked;
    if (element.selectedOptions) seen.chosen = [...element.selectedOptions].map((it) => it.value);
    if (element.files) seen.files = [...element.files].map((it) => [it.name, it.size, it.type]);
    if (typeof element.selectionStart === "number") seen.caret = [element.selectionStart, element.selectionEnd];
    return seen;
  };
  const within = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  return {
    url: location.href,
    title: document.title,
    history: history.length,
    text: roots.map((root) => (root.body ? root.body.innerText : root.textContent)),
    fields: within("input, textarea, select, [contenteditable]").map(field),
    noted: roots.flatMap((root) => (root.defaultView && root.defaultView.noted) || []),
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    size: [innerWidth, innerHeight],
    active: roots.map((root) => name(root.activeElement)),
    // After a scroll the browser finds out in its own time what is under the mouse.
    // Whether the document itself counts as hovered depends on when its process was changed.
    hovered: scrollY ? [] : within(":hover").map(name).filter((name) => name !== "html"),
  };
}
