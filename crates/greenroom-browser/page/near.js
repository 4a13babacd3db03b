// Near: what a target that was not found may have meant.
//
// Only what an agent could have named is offered: elements with a role and a name that are not
// hidden. Shared words count, the same role counts, and the best few are listed with their refs,
// so that the next call can be right without another snapshot.
((page) => {
  'use strict';
  const { dom, roles, names, style } = page;
  const { shorten } = page.text;

  const OFFERED = 4;
  const SEARCHED = 5000;
  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

  // The element's line as the snapshot would have it, which is how the agent knows it.
  const line = (element) => {
    const role = roles.roleOf(element) ?? 'generic';
    const name = names.nameOf(element).shown;
    const ref = page.refs.refOf(element) ?? page.refs.refFor(element, role, name, page.settings.prefix);
    return `${role}${name ? ` ${JSON.stringify(shorten(name, 80))}` : ''} [ref=${ref}]`;
  };

  const patternWords = (pattern) => words(pattern?.text ?? pattern?.regex?.[0] ?? '');
  // What the last searching step asked for, as far as it can be compared with roles and names.
  const wish = (steps) => {
    const step = steps.findLast(({ kind }) => kind !== 'nth' && kind !== 'visible') ?? {};
    return { role: step.role, words: new Set(patternWords(step.name ?? step.pattern)) };
  };

  const score = (element, { role, words: wanted }) => {
    const found = roles.roleOf(element);
    if (!found || roles.isPresentational(found)) return 0;
    const sameRole = role !== undefined && found === role;
    if (!sameRole && !wanted.size) return 0;
    const name = names.nameOf(element).shown;
    if (!name || style.isHidden(element)) return 0;
    const shared = words(name).filter((word) => wanted.has(word)).length;
    return shared * 2 + (sameRole ? 1 : 0);
  };

  // A sentence with the nearest elements, or '' if nothing is near.
  const suggest = (steps) => {
    const wanted = wish(steps);
    const scored = [];
    for (const element of dom.allBelow(document).slice(0, SEARCHED)) {
      const points = score(element, wanted);
      if (points > 0) scored.push({ element, points });
    }
    const best = scored.sort((a, b) => b.points - a.points).slice(0, OFFERED);
    return best.length ? ` Near it: ${best.map(({ element }) => line(element)).join('; ')}.` : '';
  };

  page.near = { line, suggest };
})(globalThis.greenroom ??= {});
