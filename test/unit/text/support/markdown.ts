import * as fc from 'fast-check';

/** Lines that start, continue, interrupt and end blocks of every kind; many of them look like another one. */
const LINES = [
  '',
  '',
  '',
  '  ',
  'A paragraph with *emphasis*, `code` and [a link](https://a.example).',
  'more of it',
  '  text with an indent of two',
  '    text with an indent of four',
  '\ttext behind a tab',
  '# Heading',
  '## ',
  '#hashtag',
  '===',
  '---',
  '--',
  '***',
  '- - -',
  '- item',
  '- [x] done',
  '* star',
  '+ plus',
  '  - nested',
  '    - nested deeper',
  '- ',
  '-',
  '  continued',
  '1. one',
  '2. two',
  '3) three',
  '10. ten',
  '   under an ordered item',
  '      - nested under ordered',
  '> quote',
  '>',
  '> - item in a quote',
  '> ```',
  '>> nested quote',
  'lazy continuation',
  '```',
  '```ts',
  '````',
  '~~~',
  '~~~ python',
  '  ```',
  '   ~~~',
  '    ```',
  '``` not`a fence',
  'const a = 1;',
  '| a | b |',
  '|---|:-:|',
  '| 1 | 2 |',
  'a | b',
  '--- | ---',
  '1 | 2',
  '<div>',
  '</div>',
  '<details><summary>More</summary>',
  '<script>',
  '</script>',
  '<!-- comment',
  '-->',
  '<!-- whole comment -->',
  '<b>inline html</b>',
  '<custom-tag>',
  '<https://autolink.example>',
  '![picture](https://a.example/p.png)',
  'A line with two spaces at its end  ',
  'Uses [ref] and [text][ref].',
];

const DEFINITIONS = [
  '[ref]: https://ref.example',
  '[ref]: https://other.example "Title"',
  '[Other Ref]: <https://b.example>',
];

/** Adversarial documents: any line may follow any line, except that HTML can swallow the start of a code block that is never closed. */
export const anyMarkdown = fc.oneof(documentOf(/^</), documentOf(/```|~~~/));

function documentOf(without: RegExp): fc.Arbitrary<string> {
  const line = fc.constantFrom(...LINES.filter((line) => !without.test(line)));
  return fc
    .tuple(
      fc.array(fc.constantFrom(...DEFINITIONS), {maxLength: 2}),
      fc.array(line, {maxLength: 14}),
      fc.constantFrom('', '\n'),
    )
    .map(([definitions, lines, end]) => [...definitions, '', ...lines].join('\n') + end);
}

/** A text split into chunks at any places. */
export function chunksOf(text: string, sizes: readonly number[]): string[] {
  const chunks = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

export const chunkSizes = fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 4});
