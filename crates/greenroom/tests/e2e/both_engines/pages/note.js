// Keeps what happens on a page, in order, for the digest to tell.
window.noted = [];
const note = (...words) => window.noted.push(words.join(" "));
const called = (node) => (node.id ? "#" + node.id : node.localName || "document");
const held = (event) =>
  ["alt", "ctrl", "meta", "shift"].filter((key) => event[key + "Key"]).join("+") || "none";
const noteMouse = (...kinds) => {
  for (const kind of kinds) {
    addEventListener(kind, (event) => {
      const place = Math.round(event.clientX) + "," + Math.round(event.clientY);
      note(kind, called(event.target), "button", event.button, "count", event.detail, "held", held(event), "at", place);
    }, true);
  }
};
const noteKeys = (...kinds) => {
  for (const kind of kinds) {
    addEventListener(kind, (event) => {
      note(kind, called(event.target), event.key, event.code, event.keyCode, "held", held(event));
    }, true);
  }
};
const noteFields = (...kinds) => {
  for (const kind of kinds) {
    addEventListener(kind, (event) => note(kind, called(event.target), event.inputType || "", event.data || ""), true);
  }
};
