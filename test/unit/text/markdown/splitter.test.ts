import * as fc from 'fast-check';
import type {Token} from 'marked';
import {describe, expect, test} from 'vitest';
import {lexBlocks} from '../../../../src/text/markdown/render.ts';
import {createBlockSplitter} from '../../../../src/text/markdown/splitter.ts';
import type {Block} from '../../../../src/text/markdown/style.ts';
import {plain, drawBlocks, split, wholeBlock} from '../../../support/text/blocks.ts';
import {anyMarkdown, chunksOf, chunkSizes} from '../support/markdown.ts';

/** marked's tokens of a source, except blank lines and definitions, which show nothing. */
function tokensOf(source: string): unknown[] {
  return lexBlocks(source).filter(isShown).map(withoutRaw);
}

function isShown({type}: Token): boolean {
  return type !== 'space' && type !== 'def';
}

/** The line feeds at the end of a token depend on what follows it. */
function withoutRaw(token: Token): unknown {
  const json = JSON.stringify(token, (key, value: unknown) => {
    if (key === 'raw') return undefined;
    return key === 'text' && typeof value === 'string' ? value.trimEnd() : value;
  });
  return JSON.parse(json) as unknown;
}

const prose = (words: number): string => Array.from({length: words}, (_, index) => `word${index}`).join(' ');
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({length: count}, (_, index) => line(index)).join('');

describe('the blocks of a message', () => {
  test('give, each separately, the tokens that marked gives for the whole', () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const blocks = split([source]);
        expect(blocks.flatMap((block) => tokensOf(block.context + block.source))).toEqual(tokensOf(source));
      }),
    );
  });

  test('look like the whole when rendered one after the other', () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        expect(drawBlocks(split([source]), plain)).toEqual(drawBlocks([wholeBlock(source)], plain));
      }),
    );
  });

  test('are the same however the message is split into chunks', () => {
    fc.assert(
      fc.property(anyMarkdown, chunkSizes, (source, sizes) => {
        expect(split(chunksOf(source, sizes))).toEqual(split([source]));
      }),
    );
  });

  test('have sources that join to the message', () => {
    fc.assert(
      fc.property(anyMarkdown, chunkSizes, (source, sizes) => {
        const splitter = createBlockSplitter();
        let joined = '';
        for (const chunk of chunksOf(source, sizes)) {
          joined += splitter
            .push(chunk)
            .map((block) => block.source)
            .join('');
          expect(source.startsWith(joined + splitter.tail)).toBe(true);
        }
        joined += splitter
          .end()
          .map((block) => block.source)
          .join('');
        expect(joined.trimEnd()).toBe(source.trimEnd());
      }),
    );
  });

  test.each([
    ['a paragraph with its blank line', 'One.\n\n', 'Two'],
    ['a heading with its line', '# One\n', 'Two'],
    ['a code block with its closing fence', '```\ncode\n\n```\n', 'Two'],
    ['a paragraph at the next fence', 'One:\n', '```ts\n'],
    ['a list at the next text outside of it', '- one\n\n  more\n- two\n\n', 'Two\n'],
    ['a quote with its blank line', '> one\nlazy\n\n', 'Two'],
  ])('end %s', (_, first, next) => {
    const splitter = createBlockSplitter();
    const blocks = splitter.push(first + next);
    expect(blocks.map(({source}) => source)).toEqual([first]);
    expect(splitter.tail).toBe(next);
  });

  test.each([
    ['a fence inside a list', '- item\n  ```\n  code\n\n  ```\n'],
    ['a fence closed by a shorter one', '````\n```\n\ntext\n'],
    ['a fence closed by another kind', '~~~\n```\n\ntext\n'],
    ['a loose list', '- one\n\n- two\n\n  more of two\n\n'],
    ['a comment with blank lines', '<!-- one\n\ntwo\n'],
  ])('do not end within %s', (_, source) => {
    expect(createBlockSplitter().push(source)).toEqual([]);
  });

  test('know earlier link definitions', () => {
    const [definition, use, other] = split(['[ref]: https://a.example\n\nSee [Ref].\n\nNothing.\n']);
    expect(definition?.source).toBe('[ref]: https://a.example\n\n');
    expect(drawBlocks(use ? [use] : [], plain)).toEqual(['See Ref (https://a.example).']);
    expect(other?.context).toBe('');
  });

  test('know later link definitions of a complete message', () => {
    const source = 'See [Ref] and [it][1].\n\n[ref]: https://a.example\n[1]: <https://b.example> "B"\n';
    const splitter = createBlockSplitter(source);
    const blocks = [...splitter.push(source), ...splitter.end()];
    expect(drawBlocks(blocks, plain)).toEqual(['See Ref (https://a.example) and it (https://b.example).']);
  });

  test('show link definitions that come after a link', () => {
    const late = '[ref]: https://a.example\n[other]: https://b.example\n\n';
    const source = `See [Ref].\n\n${late}Then [ref].\n`;
    const blocks = split([source]);
    expect(blocks.map((block) => block.source).join('')).toBe(source);
    expect(drawBlocks(blocks, plain)).toEqual([
      'See [Ref].',
      '',
      '[ref]: https://a.example',
      '[other]: https://b.example',
      '',
      'Then ref (https://a.example).',
    ]);
  });

  const PLACES: readonly (readonly [place: string, definition: string])[] = [
    ['alone', '[x]: URL\n'],
    ['behind a comment', '<!-- prettier-ignore-start -->\n[x]: URL\n<!-- prettier-ignore-end -->\n'],
    ['behind a comment of two lines', '<!--\n-->\n[x]: URL\n'],
    ['between others and a comment', '[a]: b\n<!-- c -->\n[x]: URL\n'],
    ['behind a rule', '---\n[x]: URL\n'],
    ['behind another rule', '***\n[x]: URL\n'],
    ['behind a title', 'Title\n---\n[x]: URL\n'],
    ['behind a large title', 'Title\n===\n[x]: URL\n'],
    ['in a list', '- one\n\n  [x]: URL\n'],
    ['as an item', '- [x]: URL\n- two\n'],
    ['in a quote', '> said\n>\n> [x]: URL\n'],
    ['with its address in the next line', '[x]:\n  URL\n'],
    ['with its title in the next line', '[x]: URL\n"Title"\n'],
    ['before text', '[x]: URL\nmore text\n'],
    ['before a comment', '[x]: URL\n<!-- c -->\n'],
    ['with a title', '[x]: <URL> "Title"\n'],
  ];
  const URL = 'https://a.example/b';

  test.each(PLACES)('show the address of a link that is defined %s', (_, definition) => {
    const defined = definition.replace('URL', URL);
    for (const source of [`See [it][x].\n\n${defined}`, `${defined}\nSee [it][x].\n`, `See [x].\n${defined}`])
      for (const whole of ['', source]) {
        const splitter = createBlockSplitter(whole);
        const blocks = [...splitter.push(source), ...splitter.end()];
        expect(drawBlocks(blocks, plain).join('\n')).toContain(URL);
      }
  });

  test('show no comment that is written as a definition', () => {
    const source = '- one\n\n  [//]: # (a secret)\n  [x]: https://a.example\n';
    expect(drawBlocks(split([source]), plain).join('\n')).not.toContain('secret');
  });

  test('do not show link definitions for what only looks like a link in code', () => {
    const source = '```\nlist[index]\n```\n\n[index]: https://a.example\n';
    expect(drawBlocks(split([source]), plain).join('\n')).not.toContain('https://a.example');
  });

  test.each([
    ['a footnote', '[^1]: See the manual.\n'],
    ['a footnote of one word', '[^1]: manual\n'],
    ['text that only starts like a definition', '[^ 1]: https://a.example and more\n'],
  ])('show %s once, also where it is referred to', (_, note) => {
    const reported = drawBlocks(split([`${note}\nOne [^1] [^ 1].\n\nTwo [^1] [^ 1].\n`]), plain).join('\n');
    expect(reported.split(note.trim()).length - 1).toBe(1);
  });

  test('show a tail like the block it will become', () => {
    const splitter = createBlockSplitter();
    splitter.push('# Done\n\nNot yet **do');
    expect(splitter.tailBlock).toMatchObject({kind: 'markdown', source: '\nNot yet **do', first: true});
    splitter.end();
    expect(splitter.tailBlock).toBeUndefined();
    expect(splitter.tail).toBe('');
  });
});

describe('a message that is given out before its end', () => {
  /** Its blocks, given out after each of the parts. */
  function givenOut(...parts: readonly string[]) {
    const splitter = createBlockSplitter();
    const blocks: Block[] = [];
    for (const part of parts) {
      blocks.push(...splitter.push(part));
      blocks.push(...splitter.cut());
    }
    return [...blocks, ...splitter.end()];
  }

  test.each([
    ['between lines', '```py\ndef f(*a):\n', '    # x\n    __init__()\n```\n\n# Next\n'],
    ['twice', '```py\n', '', 'def f(*a):\n    # x\n    __init__()\n```\n\n# Next\n'],
    ['in the opening fence', '```p', 'y\ndef f(*a):\n    # x\n    __init__()\n```\n\n# Next\n'],
    ['in the closing fence', '```py\ndef f(*a):\n    # x\n    __init__()\n``', '`\n\n# Next\n'],
  ])('goes on as code, and its fence closes: %s', (_, ...parts) => {
    const blocks = givenOut(...parts);
    expect(drawBlocks(blocks, plain)).toEqual(drawBlocks(split([parts.join('')]), plain));
    expect(blocks.map(({source}) => source).join('')).toBe(parts.join(''));
  });

  test('goes on as code in the middle of a line, too', () => {
    expect(drawBlocks(givenOut('```py\nx = [', '*a]\n```\n\n# Next\n'), plain)).toEqual(
      drawBlocks(split(['```py\nx = [\n*a]\n```\n\n# Next\n']), plain),
    );
  });

  test.each([
    ['in an item', '- so:\n  ```py\n', '  __init__()\n', '  ```\n\n# Next\n'],
    ['behind an item', '- so:\n```py\n', '__init__()\n', '```\n\n# Next\n'],
    ['in an item, far from the margin', '10. so:\n\n    ```py\n', '    __init__()\n', '    ```\n\n# Next\n'],
    ['in an item of an item', '- a\n  - so:\n\n    ~~~\n', '    __init__()\n', '    ~~~\n\n# Next\n'],
    ['behind a bullet', '1. so:\n2. ```py\n', '   __init__()\n', '   ```\n\n# Next\n'],
  ])('goes on as code %s', (_, ...parts) => {
    const drawn = drawBlocks(givenOut(...parts), plain).filter((row) => row !== '');
    expect(drawn.slice(-3)).toEqual([expect.stringMatching(/so:|2\./), '  __init__()', '# Next']);
  });

  test.each([
    ['opening', '1. so:\n2. ``', '`py\n   __init__()\n   ```\n\n# Next\n'],
    ['closing', '- so:\n  ```py\n  __init__()\n  ', '```\n\n# Next\n'],
  ])('is code in a list as without that where it ends in the line of the %s fence', (_, ...parts) => {
    const [drawn, whole] = [givenOut(...parts), split([parts.join('')])].map((blocks) =>
      drawBlocks(blocks, plain).filter((row) => row !== ''),
    );
    expect(drawn).toEqual(whole);
  });

  test('does not take indented code for a fence', () => {
    const drawn = drawBlocks(givenOut('So:\n\n    ```\n', '\n# Next\n'), plain);
    expect(drawn.at(-1)).toBe('# Next');
  });

  test('begins another block outside of code, and still knows its links', () => {
    const blocks = givenOut('[a]: https://a.example\n\nOne', 'two [a]\n');
    expect(blocks.at(-1)).toMatchObject({source: 'two [a]\n', first: true});
    expect(blocks.at(-1)?.context).toContain('https://a.example');
  });

  test('shows a line of code once, however long', () => {
    const blocks = split(chunksOf(`\`\`\`\n${'x'.repeat(20_000)}\n\`\`\`\n`, [500]));
    expect(drawBlocks(blocks, plain).join('').replaceAll(' ', '')).toHaveLength(20_000);
  });

  test('loses nothing, wherever it is given out', () => {
    fc.assert(
      fc.property(anyMarkdown, chunkSizes, (source, sizes) => {
        const sources = givenOut(...chunksOf(source, sizes)).map((block) => block.source);
        expect(sources.join('').trimEnd()).toBe(source.trimEnd());
      }),
    );
  });
});

describe('a block that is too long to wait for', () => {
  const sources: [string, string][] = [
    ['a code block', `\`\`\`ts\n${lines(3000, (index) => `const value${index} = ${index};\n`)}\`\`\`\n`],
    ['a code block of one line', `\`\`\`\n${'x'.repeat(200_000)}\n\`\`\`\n`],
    ['a paragraph without a line feed', prose(30_000)],
    ['a paragraph without a space', 'x'.repeat(200_000)],
    ['a paragraph of many lines', lines(5000, (index) => `line ${index} of it\n`)],
    ['a list', lines(5000, (index) => `${index + 1}. item ${index}\n`)],
    ['a loose list', lines(5000, (index) => `- item ${index}\n\n`)],
    ['a list with one endless item', `- ${prose(30_000)}\n- next\n`],
    ['a list item with an endless code block', `- \`\`\`\n${lines(9000, (index) => `  code ${index}\n`)}`],
    ['a table', `| a | b |\n|---|---|\n${lines(5000, (index) => `| ${index} | x |\n`)}`],
    ['a quote', lines(5000, (index) => `> line ${index}\n`)],
    ['HTML', `<div>\n${lines(5000, (index) => `<p>${index}</p>\n`)}</div>\n`],
    ['a comment', `<!--\n${lines(5000, (index) => `${index}\n\n`)}-->\n`],
    ['indented code', lines(5000, (index) => `    code ${index}\n`)],
    ['emoji', '😀'.repeat(50_000)],
  ];

  test('may be nothing but blank lines', () => {
    const blocks = split(chunksOf(`${'\n'.repeat(100_000)}text`, [1000]));
    expect(drawBlocks(blocks, plain)).toEqual(['text']);
    expect(blocks.map(({source}) => source).join('')).toBe(`${'\n'.repeat(100_000)}text`);
  });

  test.each(sources)('keeps its tail short and loses nothing: %s', (_, source) => {
    const splitter = createBlockSplitter();
    const blocks = [];
    let longest = 0;
    for (const chunk of chunksOf(source, [500])) {
      blocks.push(...splitter.push(chunk));
      longest = Math.max(longest, splitter.tail.length);
    }
    blocks.push(...splitter.end());
    expect(longest).toBeLessThan(50_000);
    expect(
      blocks
        .map((block) => block.source)
        .join('')
        .trimEnd(),
    ).toBe(source.trimEnd());
    expect(blocks.filter(({first}) => first)).toHaveLength(1);
    for (const block of blocks) expect(block.source.isWellFormed()).toBe(true);
  });

  test('may nest deeper than the stack allows', () => {
    const source = `${'>'.repeat(40_000)} x\n${'> '.repeat(1000)}x\n${'- '.repeat(500)}x\n\ntext\n`;
    expect(drawBlocks(split([source]), plain).at(-1)).toBe('text');
  });

  test('emits the lines of an open code block, rendered as if sent at once', () => {
    const source = `\`\`\`ts\n${lines(75, (index) => `  const a${index} = '${index}';\n\n`)}\`\`\`\n`;
    const blocks = split([source]);
    expect(blocks.length).toBeGreaterThan(6);
    expect(drawBlocks(blocks, plain)).toEqual(drawBlocks([wholeBlock(source)], plain));
  });

  test('repeats the head of a table, and continues the numbers of a list', () => {
    const table = split([`| a | b |\n|---|---|\n${lines(2000, (index) => `| ${index} | x |\n`)}`]);
    expect(table.length).toBeGreaterThan(1);
    for (const block of table) expect(drawBlocks([block], plain)[0]).toMatch(/^a +│ b$/);
    const list = split([lines(2000, (index) => `${index + 1}. item\n`)]);
    expect(list.length).toBeGreaterThan(1);
    expect(drawBlocks(list, plain).map((line) => line.trim())).toEqual(
      Array.from({length: 2000}, (_, index) => `${index + 1}. item`),
    );
  });

  test('shows every word of an endless paragraph', () => {
    expect(drawBlocks(split([prose(5000)]), plain).join(' ')).toBe(prose(5000));
  });

  test('ends at its end, and what follows is markdown again', () => {
    const blocks = split(chunksOf(`${prose(5000)}\n\n# Heading\n`, [100]));
    expect(blocks.at(-1)).toMatchObject({kind: 'markdown', source: '# Heading\n', first: true, last: true});
  });
});
