import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {MarkdownStyle} from '../../../../src/text/markdown/style.ts';
import {renderBlock} from '../../../../src/text/markdown/render.ts';
import {sanitize} from '../../../../src/text/sanitize.ts';
import {stripStyles} from '../../../../src/text/ansi.ts';
import {graphemes, width} from '../../../../src/text/width.ts';
import {plain, plainStyle, drawBlocks, split, wholeBlock} from '../../../support/text/blocks.ts';
import {hostileText} from '../../../support/text/hostile.ts';
import {anyMarkdown} from '../support/markdown.ts';

const render = (source: string, columns = 40): string[] =>
  renderBlock(wholeBlock(source), {...plain, columns});

/** Style markers that are readable in an expected line. */
const marked: MarkdownStyle = {
  ...plainStyle,
  strong: (text) => `<b>${text}</b>`,
  em: (text) => `<i>${text}</i>`,
  del: (text) => `<s>${text}</s>`,
  code: (text) => `<c>${text}</c>`,
  codeBlock: (text, token) => (token ? `<${token}>${text}</>` : text),
  link: (text) => `<a>${text}</a>`,
};

const mark = (source: string, columns = 100): string[] =>
  renderBlock(wholeBlock(source), {columns, style: marked, highlight: true});

const ansi: MarkdownStyle = {
  ...plainStyle,
  strong: (text) => `\x1b[1m${text}\x1b[22m`,
  code: (text) => `\x1b[36m${text}\x1b[39m`,
  link: (text) => `\x1b[34m${text}\x1b[39m`,
  quote: (text) => `\x1b[2m${text}\x1b[22m`,
  tableHead: (text) => `\x1b[1m${text}\x1b[22m`,
  hyperlinks: true,
};

describe('renderBlock', () => {
  test('never makes a line wider than the columns', () => {
    fc.assert(
      fc.property(anyMarkdown, fc.integer({min: 2, max: 60}), (source, columns) => {
        for (const line of renderBlock(wholeBlock(source), {columns, style: ansi, highlight: false})) {
          expect(width(line) <= columns || graphemes(stripStyles(line)).length === 1).toBe(true);
          expect(line).not.toContain('\n');
        }
      }),
    );
  });

  test('outputs nothing that could control a terminal, not even by character references', () => {
    const reference = fc
      .constantFrom(0x1b, 0x9b, 0x9d, 0x07, 0x0d, 0x0a, 0x202e, 0xad)
      .chain((code) => fc.constantFrom(`&#${code};`, `&#x${code.toString(16)};`, '&shy;', '&lrm;'));
    const piece = fc.oneof(
      hostileText.map(sanitize),
      reference,
      fc.constantFrom(
        '[a](',
        ')',
        '![',
        '](',
        '`',
        '**',
        '\n',
        '| ',
        '\n|---|\n',
        '- ',
        '> ',
        '<b ',
        '>',
        '\\',
        '[2J',
        ']0;x',
        '```\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 20}), (pieces) => {
        const text = drawBlocks(split([pieces.join('')]), plain).join('\n');
        expect(sanitize(text)).toBe(text);
      }),
    );
  });

  test('shows headings with their level, since colors may be missing', () => {
    expect(render('## Two *parts*')).toEqual(['## Two parts']);
    expect(render('Title\n===')).toEqual(['# Title']);
  });

  test('shows emphasis, code and strikethrough in their styles', () => {
    expect(mark('**bold *both*** ~~gone~~ `a:b` \\*not\\*')).toEqual([
      '<b>bold <i>both</i></b> <s>gone</s> <c>a:b</c> *not*',
    ]);
  });

  test('keeps the line breaks of a paragraph and separates blocks by a blank line', () => {
    expect(render('one\ntwo  \nthree\n\nfour')).toEqual(['one', 'two', 'three', '', 'four']);
  });

  test('indents, nests and numbers lists and keeps their tasks', () => {
    expect(render('- one two three\n  - nested\n- [x] done\n- [ ] open', 12)).toEqual([
      '• one two',
      '  three',
      '  • nested',
      '[x] done',
      '[ ] open',
    ]);
    expect(render('9. nine\n10. ten\n    - deep')).toEqual([' 9. nine', '10. ten', '    • deep']);
    expect(render('1. one\n\n2. two')).toEqual(['1. one', '', '2. two']);
  });

  test('draws a bar on every line of a quote', () => {
    expect(render('> one two\n>\n> > three', 9)).toEqual(['│ one two', '│', '│ │ three']);
    expect(render('> one two\n>\n> > three', 7)).toEqual(['│ one', '│ two', '│', '│ three']);
  });

  test('aligns tables by columns and not by characters', () => {
    expect(render('| Name | n |\n|---|--:|\n| 日本 | 1 |\n| **b** | 22 |')).toEqual([
      'Name │  n',
      '─────┼───',
      '日本 │  1',
      'b    │ 22',
    ]);
  });

  test('wraps the cells of tables that are too wide, and turns them into lists if necessary', () => {
    const source = '| Name | Description |\n|---|---|\n| a | one two three four |\n';
    expect(render(source, 20)).toEqual([
      'Name │ Description',
      '─────┼──────────────',
      'a    │ one two three',
      '     │ four',
    ]);
    expect(render(source, 10)).toEqual(['Name: a', 'Descriptio', 'n: one two', 'three four']);
  });

  test('indents code, keeps every space, and cuts it at the last column', () => {
    expect(render('```\nif (x)\n\treturn  1;\n\nend of a line that is long\n```', 20)).toEqual([
      '  if (x)',
      '      return  1;',
      '',
      '  end of a line that',
      '   is long',
    ]);
  });

  test('highlights code, over line breaks too', () => {
    const source = '```ts\nconst a = `x\ny`;\n```';
    expect(mark(source)).toEqual(['  <keyword>const</> a = <string>`x</>', '  <string>y`</>;']);
    expect(mark('```nonsense\nconst a\n```')).toEqual(['  const a']);
  });

  test('highlights a part of code as a continuation', () => {
    const inString = Array.from({length: 30}, (_, index) => `for word ${index} in text`).join('\n');
    const blocks = split([`\`\`\`python\nx = """\n${inString}\n"""\nfor y in x: pass\n\`\`\`\n`]);
    expect(blocks.length).toBeGreaterThan(1);
    const lines = drawBlocks(blocks, {columns: 80, style: marked, highlight: true});
    expect(lines[25]).toBe('  <string>for word 24 in text</>');
    expect(lines.at(-1)).toContain('<keyword>for</>');
  });

  test('shows HTML as text', () => {
    expect(render('<div class="x">\n<b>one</b>\n</div>')).toEqual([
      '<div class="x">',
      '<b>one</b>',
      '</div>',
    ]);
    expect(render('a <b>c</b>')).toEqual(['a <b>c</b>']);
    // Chalk joins all its arguments.
    const joined = {...plainStyle, html: (...texts: unknown[]) => texts.join(' ')};
    const block = wholeBlock('<ul>\n<li>one</li>\n</ul>');
    expect(renderBlock(block, {...plain, style: joined})).toEqual(['<ul>', '<li>one</li>', '</ul>']);
  });

  test('decodes character references once, but not in code', () => {
    expect(render('&lt;b&gt; &amp;lt; &copy; &#x41; &hearts; &bogus; `&amp;` \\&amp;')).toEqual([
      '<b> &lt; © A ♥ &bogus; &amp; &amp;',
    ]);
  });

  test('shows the source of what exhausts the parser', () => {
    const source = `${'>'.repeat(20_000)} deep`;
    expect(render(source).join('')).toBe(source.replace(' ', ''));
  });
});

describe('a link', () => {
  const open = (address: string): string => `\x1b]8;;${address}\x07`;
  const links = (source: string): string[] =>
    renderBlock(wholeBlock(source), {
      columns: 10_000,
      style: {...marked, hyperlinks: true},
      highlight: false,
    });

  test('shows its target if its text does not', () => {
    expect(mark('[here](https://a.example/x?a=1&amp;b=2)')).toEqual([
      '<a>here</a> (https://a.example/x?a=1&b=2)',
    ]);
    expect(mark('<https://a.example> me@a.example [a.ts](src/a.ts)')).toEqual([
      '<a>https://a.example</a> <a>me@a.example</a> <a>a.ts</a> (src/a.ts)',
    ]);
    expect(mark('[https://bank.example](https://evil.example)')).toEqual([
      '<a>https://bank.example</a> (https://evil.example)',
    ]);
  });

  test('can be opened in a terminal only with a safe scheme', () => {
    expect(links('[a](https://a.example)')[0]).toBe(
      `${open('https://a.example')}<a>a</a> (https://a.example)${open('')}`,
    );
    for (const target of ['javascript:alert(1)', 'ssh://host', 'src/a.ts', 'vscode://x', 'x-man-page://ls']) {
      expect(links(`[a](${target})`)).toEqual([`<a>a</a> (${target})`]);
    }
  });

  test('cannot break out of its URL', () => {
    expect(links('[a](<https://a.example/\u00e9 b>)')[0]).toContain(open('https://a.example/%C3%A9%20b'));
  });

  test('shows its target within what can be clicked, whatever an agent writes', () => {
    const encoded = (text: string) => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
    const target = fc.tuple(fc.constantFrom('https://', 'file:', 'mailto:', 'javascript:', ''), hostileText);
    fc.assert(
      fc.property(hostileText, target, (text, [scheme, rest]) => {
        const source = sanitize(`[${text}](<${scheme}${rest}>)`).replaceAll('\n', ' ');
        for (const [, address = '', shown = ''] of links(source)
          .join('')
          .matchAll(/\x1b\]8;;([^\x07]+)\x07([^\x1b]*)/g)) {
          expect(address).toMatch(/^(?:https?|file|mailto):[\x21-\x7e]*$/i);
          expect(encoded(shown)).toContain(address.replace(/^mailto:/i, ''));
        }
      }),
    );
  });

  test('is only text if its URL is longer than 2 KB, since every row of it would have all of it', () => {
    const address = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    expect(links(`[a](${address(2048)})`)[0]).toContain(open(address(2048)));
    expect(links(`[a](${address(2049)})`)).toEqual([`<a>a</a> (${address(2049)})`]);
  });

  test('makes no text much longer, however many there are', () => {
    const sizeOf = (source: string) => links(source).join('').length / source.length;
    const address = `https://a.example/${'x'.repeat(2000)}`;
    const inEachRow = renderBlock(wholeBlock(`[a](${address}) `.repeat(15)), {
      columns: 20,
      style: {...plainStyle, hyperlinks: true},
      highlight: false,
    });
    expect(inEachRow.join('').length).toBeLessThan(200_000);
    expect(sizeOf(`${'[a] '.repeat(2000)}\n\n[a]: ${address}`)).toBeLessThan(2);
  });

  test('may be an image', () => {
    expect(mark('![alt](p.png) ![](q.png)')).toEqual(['<a>alt</a> (p.png) <a>image</a> (q.png)']);
  });
});
