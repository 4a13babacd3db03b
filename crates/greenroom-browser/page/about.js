// The page's side of the native engine: everything that is read or decided inside a document.
//
// The files are evaluated in the order of `order.json`, once per frame, in an isolated world: the
// page's own scripts neither see this code nor can they change what it relies on. Each file adds
// its part to one object, `greenroom`; evaluating them again does no harm and forgets no ref.
//
// The caller uses these; elements travel as remote objects, everything else as JSON:
//   snapshot({target, depth, bytes, boxes, prefix})   the frame as text, with its iframes (snapshot.js)
//   snapshotOf(element, options)                       the same for an element at hand
//   parts(target)                                      a target cut at frame borders (resolve.js)
//   resolve(target | steps)                            the one element that is meant
//   describe(element)                                  {tag, role, name, ref, locator, steps} (describe.js)
//   ready(element, {states, timeout, position})        waits; {ok, x, y, box} or why not (ready.js)
//   reveal(element, attempt)                           scrolls it into view, each time to another edge
//   view(), passes(element, point), drawn(element)     what a frame shows; a click through it (through.js)
//   watchMouse(element, point), mouseHasCome(element)  whether the mouse gets to the frame (arrival.js)
//   startFill(element, value), fill(element, value)    text and other values (fill.js)
//   selectText(element)                                selects what is in a field
//   select(element, values), checkState(element)       drop-downs, checkboxes (controls.js)
//   focus(element), fileInput(element), box(element)
//   waitForText({text, gone, timeout})                 {ok, waited} (wait.js)
//   find({snapshot, text | regex})                     {count, text} (find.js)
//   preview(element)                                   the element as one line of HTML (errors.js)
//   refs.recall(ref), refs.refOf(element)              what a ref stands for (refs.js)
//   configure({testIdAttribute, prefix})               what getByTestId reads; the frame's ref prefix
//
// What goes wrong is thrown as an error whose name is its kind and whose message says what to do
// next (errors.js).
globalThis.greenroom ??= {};
