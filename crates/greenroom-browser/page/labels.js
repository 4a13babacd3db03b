// Labels: which `<label>` elements belong to a control.
//
// The browser answers `control.labels` by searching the whole tree for each control anew, which
// makes a long form quadratic. One pass over the labels of a tree scope answers for all of them.
((page) => {
  'use strict';
  const { dom } = page;
  const NONE = [];
  const scopes = new Map();

  const readScope = (root) => {
    const labels = new Map();
    for (const label of dom.queryAll(root, 'label')) {
      const { control } = label;
      if (!control) continue;
      const others = labels.get(control);
      if (others) others.push(label);
      else labels.set(control, [label]);
    }
    return labels;
  };

  const labelsOf = (control) => {
    const root = dom.rootNode(control);
    let labels = scopes.get(root);
    if (labels === undefined) {
      labels = readScope(root);
      scopes.set(root, labels);
    }
    return labels.get(control) ?? NONE;
  };

  page.afterPass(() => scopes.clear());
  page.labelsOf = labelsOf;
})(globalThis.greenroom ??= {});
