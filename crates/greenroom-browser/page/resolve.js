// Resolve: from what an agent calls a target to the one element it means.
//
// A target is a ref (`e12`), a CSS selector, a selector with engines, or a locator expression.
// Exactly one element has to match: acting on the first of several is how agents click the wrong
// button. Every refusal says what is there instead.
//
// A ref whose element was replaced is healed when exactly one element now has the role and name
// that the ref stood for, which is what a page that draws itself anew leaves behind.
((page) => {
  'use strict';
  const { refs, roles, names, dom } = page;
  const LISTED = 5;
  const REF = /^(?:f\d+)?e\d+$/;

  const parse = (target) => (page.locators.looksLike(target)
    ? page.locators.parse(target) : page.selectors.parse(target));

  // The chains between frame borders: all but the last lead to an iframe element.
  const parts = (target) => {
    if (REF.test(target)) return [target];
    const chains = [[]];
    for (const step of parse(target)) {
      if (step.kind === 'frame') chains.push([]);
      else chains[chains.length - 1].push(step);
    }
    return chains.filter((chain) => chain.length);
  };

  const called = ({ role, name }) => `${role}${name ? ` ${JSON.stringify(page.text.shorten(name, 80))}` : ''}`;
  const ADVICE = 'Take a new snapshot and use a ref from it.';

  const heal = (ref, memory) => {
    const isSame = (element) => (roles.roleOf(element) ?? 'generic') === memory.role
      && names.nameOf(element).shown === memory.name;
    const found = memory.name ? dom.allBelow(document)
      .filter((element) => isSame(element) && !page.style.isHidden(element)) : [];
    if (found.length === 1) return found[0];
    const was = `${ref} was ${called(memory)}`;
    if (found.length > 1) {
      const listed = found.slice(0, LISTED).map(page.near.line).join('; ');
      return page.fail('Stale', `${was}; it was replaced, and now ${found.length} elements are like it: `
        + `${listed}. Use one of these refs.`);
    }
    const now = memory.element ? `it is now ${page.near.line(memory.element)}` : 'it is gone from the page';
    return page.fail('Stale', `${was}; ${now}. ${ADVICE}`);
  };

  const byRef = (ref) => {
    const memory = refs.recall(ref);
    if (!memory) return page.fail('Stale', `Ref ${ref} is not known on this page. ${ADVICE}`);
    return memory.isCurrent ? memory.element : heal(ref, memory);
  };

  const search = (steps, target) => {
    try {
      return page.query(steps);
    } catch (error) {
      if (error.name !== 'SyntaxError') throw error;
      return page.fail('BadTarget', `${target} is not a valid selector. Use a ref from the snapshot, `
        + "a CSS selector, or a locator like getByRole('button', { name: 'Save' }).");
    }
  };

  const bySteps = (steps, target) => {
    const found = search(steps, target);
    if (found.length === 1) return found[0];
    if (!found.length) {
      return page.fail('NotFound', `"${target}" does not match any elements.${page.near.suggest(steps)} `
        + 'Take a snapshot to see what is on the page.');
    }
    const listed = found.slice(0, LISTED)
      .map((element, i) => `\n  ${i + 1}) ${page.near.line(element)} ${page.preview(element)}`);
    const more = found.length > LISTED ? `\n  and ${found.length - LISTED} more` : '';
    return page.fail('NotUnique', `${target} matches ${found.length} elements:${listed.join('')}${more}\n`
      + 'Use the ref of the one you mean, or add .first() or .nth(i).');
  };

  // The element a target means. It may also be given as steps, as `parts` returns them.
  const resolve = (target) => page.pass(() => {
    if (Array.isArray(target)) return bySteps(target, page.print(target));
    const wanted = String(target).trim();
    if (!wanted) page.fail('BadTarget', 'The target is empty. Use a ref from the snapshot.');
    if (REF.test(wanted)) return byRef(wanted);
    const chains = parts(wanted);
    if (chains.length > 1) page.fail('BadTarget', `${wanted} leads into a frame; resolve it part by part.`);
    return bySteps(chains[0] ?? [], wanted);
  });

  page.parts = parts;
  page.resolve = resolve;
  page.configure = (settings) => { Object.assign(page.settings, settings); };
})(globalThis.greenroom ??= {});
