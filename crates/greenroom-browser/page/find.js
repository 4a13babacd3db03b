// Find: searches the lines of a snapshot and shows each match in its surroundings.
//
// greenroom.find({snapshot, text}) or ({snapshot, regex}) works on the finished text, with child
// frames filled in, because that is what the refs in the answer belong to. It runs in the page
// only for JavaScript's own regular expressions. Each excerpt starts with the lines that lead down
// to it; where lines between them were skipped, dots say so, except along the way to a match.
((page) => {
  'use strict';
  const AROUND = 3;

  const compile = (source) => {
    const literal = /^\/(.+)\/([dgimsuvy]*)$/s.exec(source);
    try {
      return literal ? new RegExp(literal[1], literal[2].replace(/[gy]/g, '')) : new RegExp(source);
    } catch (error) {
      return page.fail('BadValue', `${source} is not a regular expression: ${error.message}.`);
    }
  };

  const indentOf = (line) => line.length - line.trimStart().length;

  // For each line the one that holds it: the nearest above with a smaller indent, or -1.
  const holdersOf = (lines) => {
    const holders = [];
    const open = [];
    lines.forEach((line, i) => {
      const indent = indentOf(line);
      while (open.length && indentOf(lines[open.at(-1)]) >= indent) open.pop();
      holders.push(open.at(-1) ?? -1);
      if (line.trim()) open.push(i);
    });
    return holders;
  };
  const pathTo = (holders, index) => {
    const path = [];
    for (let i = holders[index]; i >= 0; i = holders[i]) path.unshift(i);
    return path;
  };

  const excerptsAround = (found, count) => {
    const excerpts = [];
    for (const at of found) {
      const [first, last] = [Math.max(0, at - AROUND), Math.min(count - 1, at + AROUND)];
      const before = excerpts.at(-1);
      if (before && first <= before.last + 1) before.last = last;
      else excerpts.push({ first, last });
    }
    return excerpts;
  };

  const show = (lines, holders, { first, last }, isOnPath) => {
    const shown = pathTo(holders, first);
    for (let i = first; i <= last; i++) shown.push(i);
    const out = [];
    shown.forEach((at, i) => {
      const isGap = i > 0 && at > shown[i - 1] + 1;
      const isLeading = isOnPath.has(at) || isOnPath.has(shown[i - 1]);
      if (isGap && !isLeading) out.push(`${' '.repeat(indentOf(lines[at]))}...`);
      out.push(lines[at]);
    });
    return out.join('\n');
  };

  // {count, text}: the answer of browser_find.
  const find = ({ snapshot, text, regex }) => {
    if (!text === !regex) {
      page.fail('BadValue', text ? 'Provide only one of "text" or "regex", not both.'
        : 'Provide either "text" or "regex" to search for.');
    }
    const compiled = regex && compile(regex);
    const asked = regex ? String(compiled) : `"${text}"`;
    const needle = text?.toLowerCase();
    const isMatch = regex ? (line) => compiled.test(line) : (line) => line.toLowerCase().includes(needle);
    const lines = snapshot.split('\n');
    const found = lines.flatMap((line, i) => (isMatch(line) ? [i] : []));
    if (!found.length) return { count: 0, text: `No matches found for ${asked}.` };
    const holders = holdersOf(lines);
    const isOnPath = new Set(found.flatMap((at) => [at, ...pathTo(holders, at)]));
    const excerpts = excerptsAround(found, lines.length).map((excerpt) => show(lines, holders, excerpt, isOnPath));
    const word = found.length === 1 ? 'match' : 'matches';
    const head = `Found ${found.length} ${word} for ${asked}:`;
    return { count: found.length, text: `${head}\n\n${excerpts.join('\n\n----\n\n')}` };
  };

  page.find = find;
})(globalThis.greenroom ??= {});
