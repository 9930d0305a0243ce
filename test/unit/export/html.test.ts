import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {writeHtml} from '../../../src/export/html/page.ts';
import {sanitize} from '../../../src/text/sanitize.ts';
import {
  calls,
  ended,
  reduceEvents,
  opened,
  prompted,
  says,
  reduceUpdates,
  update,
} from '../../support/session/build.ts';
import {exportDocument, sessionWith} from '../../support/session/everything.ts';
import {hostileText} from './hostile.ts';
import {attribute, readPage, textOf, type Element} from './page.ts';

/** All elements that a page may contain, with their attributes. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  html: ['lang'],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  a: ['href', 'rel'],
  img: ['src', 'alt'],
  details: ['class', 'open'],
  span: ['class', 'style'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
};
const ELEMENTS = new Set(
  (
    'html head meta title style body header main article h1 h2 h3 h4 h5 h6 dl dt dd p b span mark pre code figure ' +
    'figcaption details summary div ul ol li table thead tbody tr th td blockquote em strong del hr br a img'
  ).split(' '),
);
const STYLE =
  /^(?:(?:color|background):#[0-9a-f]{6}|font-weight:bold|opacity:\.65|font-style:italic|text-decoration:[a-z -]+|;)+$/;

function wrongWith(element: Element): string[] {
  const allowed = ATTRIBUTES[element.tagName] ?? ['class'];
  const value = (name: string) => attribute(element, name);
  return [
    ELEMENTS.has(element.tagName) ? [] : `<${element.tagName}>`,
    element.attrs.filter(({name}) => !allowed.includes(name)).map(({name}) => `${element.tagName} ${name}`),
    element.tagName !== 'a' || /^(?:https?:\/\/|mailto:)/.test(value('href') ?? '')
      ? []
      : `href ${value('href')}`,
    element.tagName !== 'img' ||
    /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*$/.test(value('src') ?? '')
      ? []
      : `src ${value('src')}`,
    value('style') === undefined || STYLE.test(value('style') ?? '') ? [] : `style ${value('style')}`,
  ].flat();
}

describe('hostile text', () => {
  test('becomes no active element, attribute or link anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (words) => {
        const {elements} = readPage(await writeHtml(exportDocument(sessionWith(words), words)));
        expect(elements.flatMap(wrongWith)).toEqual([]);
        expect(elements.filter(({tagName}) => tagName === 'style' || tagName === 'title')).toHaveLength(2);
      }),
    );
  });

  test('can be read in full', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (words) => {
        const page = readPage(await writeHtml(exportDocument(sessionWith(words), words)));
        const shown = page.all('.notice').map(textOf).join('');
        // The parser turns other line ends into line feeds.
        expect(shown.replaceAll(/\s+/g, ' ')).toContain(sanitize(words).replaceAll(/\s+/g, ' ').trim());
      }),
    );
  });

  test('of any depth is shown', async () => {
    const deep = '> '.repeat(20_000) + 'end';
    expect(await writeHtml(exportDocument(reduceUpdates(opened, says(deep))))).toContain('end');
  });
});

test('a page loads nothing from anywhere, and says so first', async () => {
  const html = await writeHtml(exportDocument(sessionWith('words')));
  const page = readPage(html);
  const [, policy] = page.all('meta');
  expect(attribute(policy as Element, 'http-equiv')).toBe('Content-Security-Policy');
  expect(attribute(policy as Element, 'content')).toMatch(/^default-src 'none';/);
  expect(textOf(page.all('style')[0] as Element)).not.toMatch(/url\(|@import/);
  expect(page.all('script').concat(page.all('link'))).toEqual([]);
});

describe('a tool call', () => {
  const session = reduceEvents(
    opened,
    prompted('go'),
    update(
      calls('t1', {
        title: 'change it',
        kind: 'edit',
        status: 'completed',
        content: [
          {type: 'diff', path: '/project/a.ts', oldText: 'const a = 1;\n', newText: 'const a = 2;\n'},
        ],
      }),
    ),
    update(
      calls('t2', {
        title: 'Read b.ts',
        kind: 'read',
        status: 'completed',
        content: [{type: 'content', content: {type: 'text', text: 'line'}}],
      }),
    ),
    update(calls('t3', {title: 'Think', kind: 'think', status: 'completed'})),
    ended('end_turn'),
  );

  test('unfolds if it contains something; changes are open, reads are not', async () => {
    const page = readPage(await writeHtml(exportDocument(session)));
    const cards = page.all('.tool').map((card) => [card.tagName, attribute(card, 'open') !== undefined]);
    expect(cards).toEqual([
      ['details', true],
      ['details', false],
      ['div', false],
    ]);
  });

  test('shows a change with the different words highlighted', async () => {
    const page = readPage(await writeHtml(exportDocument(session)));
    expect(page.all('mark').map(textOf)).toEqual(['1', '2']);
    expect(page.all('.line').map(textOf)).toEqual(['   1 - const a = 1;', '   1 + const a = 2;']);
    expect(page.all('figcaption').map(textOf)).toEqual(['a.ts (+1 −1)']);
  });
});

test('a terminal keeps its colors, and says how the command ended', async () => {
  const page = readPage(await writeHtml(exportDocument(sessionWith('red words'))));
  const [terminal] = page.all('.terminal') as [Element];
  const colored = terminal.childNodes.filter(
    (node): node is Element => 'attrs' in node && attribute(node, 'style') !== undefined,
  );
  expect(colored.map((run) => [textOf(run), attribute(run, 'style')])).toEqual([
    ['red words', 'color:#e06c75;font-weight:bold'],
  ]);
  expect(textOf(terminal)).toBe('$ red words\nred words\nplain\nexit code 3\n');
});

test('links lead to web and mail only; others show their target', async () => {
  const source =
    '[a](https://a.example/x?y=1&z=2) [b](mailto:b@example.com) [c](file:///etc/passwd) ![d](https://d.example/p.png)';
  const page = readPage(await writeHtml(exportDocument(reduceUpdates(opened, says(source)))));
  expect(page.all('a').map((link) => attribute(link, 'href'))).toEqual([
    'https://a.example/x?y=1&z=2',
    'mailto:b@example.com',
    'https://d.example/p.png',
  ]);
  expect(page.all('main').map(textOf).join('')).toContain('c (file:///etc/passwd)');
});

test('images are embedded if they can contain nothing but an image', async () => {
  const picture = (mimeType: string, data: string) =>
    update({sessionUpdate: 'agent_message_chunk', content: {type: 'image', mimeType, data}});
  const page = readPage(
    await writeHtml(
      exportDocument(
        reduceEvents(
          opened,
          picture('image/png', 'iVBORw0K'),
          picture('image/svg+xml', 'PHN2Zz4='),
          picture('image/png', '"><b>'),
        ),
      ),
    ),
  );
  expect(page.all('img').map((image) => attribute(image, 'src'))).toEqual(['data:image/png;base64,iVBORw0K']);
  expect(page.all('.attachment')).toHaveLength(2);
});

test('code is highlighted, with its classes', async () => {
  const page = readPage(
    await writeHtml(exportDocument(reduceUpdates(opened, says('```ts\nconst a = "x<y";\n```')))),
  );
  expect(page.all('.hl-keyword').map(textOf)).toEqual(['const']);
  expect(page.all('.code').map(textOf)).toEqual(['const a = "x<y";']);
});

test('a footnote of one word is in the page', async () => {
  const source = 'As shown [^1].\n\n[^1]: https://a.example/proof\n';
  const page = readPage(await writeHtml(exportDocument(reduceUpdates(opened, says(source)))));
  expect(page.all('main').map(textOf).join('')).toContain('https://a.example/proof');
});
