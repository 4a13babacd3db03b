// Print: steps as the locator expression a test would use.
((page) => {
  'use strict';
  const { quote } = page.text;

  const patternText = ({ text, regex }) => (regex ? String(new RegExp(regex[0], regex[1])) : quote(text));
  const withExact = (method, pattern) =>
    `${method}(${patternText(pattern)}${pattern.exact ? ', { exact: true }' : ''})`;

  const ROLE_OPTIONS = ['checked', 'disabled', 'expanded', 'includeHidden', 'level', 'pressed', 'selected'];
  const printRole = (step) => {
    const options = [];
    if (step.name) options.push(`name: ${patternText(step.name)}`);
    if (step.description) options.push(`description: ${patternText(step.description)}`);
    if (step.name?.exact || step.description?.exact) options.push('exact: true');
    for (const name of ROLE_OPTIONS) if (step[name] !== undefined) options.push(`${name}: ${step[name]}`);
    return `getByRole(${quote(step.role)}${options.length ? `, { ${options.join(', ')} }` : ''})`;
  };

  const ATTRIBUTE_METHODS = { placeholder: 'getByPlaceholder', title: 'getByTitle', alt: 'getByAltText' };
  const printAttribute = ({ name, pattern }) => {
    if (name === page.settings.testIdAttribute) return `getByTestId(${patternText(pattern)})`;
    if (ATTRIBUTE_METHODS[name]) return withExact(ATTRIBUTE_METHODS[name], pattern);
    return `locator(${quote(`[${name}=${page.text.cssString(pattern.text)}]`)})`;
  };

  const printNth = ({ index }) => (index === 0 ? 'first()' : index === -1 ? 'last()' : `nth(${index})`);

  const PRINTERS = {
    css: ({ css }) => `locator(${quote(css)})`,
    xpath: ({ xpath }) => `locator(${quote(`xpath=${xpath}`)})`,
    role: printRole,
    text: ({ pattern }) => withExact('getByText', pattern),
    textNode: ({ pattern }) => withExact('getByText', { ...pattern, exact: true }),
    label: ({ pattern }) => withExact('getByLabel', pattern),
    attribute: printAttribute,
    nth: printNth,
    visible: ({ value }) => `filter({ visible: ${value} })`,
    hasText: ({ pattern, not }) => `filter({ ${not ? 'hasNotText' : 'hasText'}: ${patternText(pattern)} })`,
    has: ({ steps, not }) => `filter({ ${not ? 'hasNot' : 'has'}: page.${print(steps)} })`,
    and: ({ steps }) => `and(page.${print(steps)})`,
    or: ({ steps }) => `or(page.${print(steps)})`,
    frame: () => 'contentFrame()',
  };
  const print = (steps) => steps.map((step) => PRINTERS[step.kind](step)).join('.');

  page.print = print;
})(globalThis.greenroom ??= {});
