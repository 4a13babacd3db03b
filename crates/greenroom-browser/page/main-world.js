// Main world: runs an agent's own code in the page, where it can see the page's variables.
//
// This file is not part of the script of the isolated world. It is one function; the caller puts it
// and the agent's code, a function or an expression, into the declaration of a
// `Runtime.callFunctionOn` in the main world:
//   (element) => (<this function>)((<the code>), element)
// so that the protocol compiles it, which a page's policy against `eval` does not forbid. An
// element of the isolated world is first resolved again in the main one. The answer is always
// JSON, {value} or {isUndefined}: what JSON cannot say is described, so that a result with a cycle
// or an element in it does not fail as a whole.
async function greenroomEvaluate(code, element) {
  const NODE_LIMIT = 20000;
  const result = typeof code === 'function' ? await code(element) : await code;
  let count = 0;
  const describeElement = (node) => `<${String(node.localName ?? node.nodeName).toLowerCase()}>`;
  const plain = (value, above) => {
    if (++count > NODE_LIMIT) return '…';
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return String(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (value === null || typeof value !== 'object') return value;
    if (above.includes(value)) return '[circular]';
    if (value instanceof Node) return describeElement(value);
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp || value instanceof URL) return String(value);
    if (above.length > 30) return '…';
    const path = [...above, value];
    if (value instanceof Map) return [...value].map((entry) => plain(entry, path));
    const isList = Array.isArray(value) || value instanceof Set || value instanceof NodeList
      || value instanceof HTMLCollection || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    // As JSON has it: what is undefined holds its place in a list, and has none in an object.
    if (isList) return Array.from(value, (each) => (each === undefined ? null : plain(each, path)));
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return Object.fromEntries(members.map(([key, each]) => [key, plain(each, path)]));
  };
  return result === undefined ? { isUndefined: true } : { value: plain(result, []) };
}
