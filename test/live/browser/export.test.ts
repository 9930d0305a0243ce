import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {writeHtml} from '../../../src/export/html/page.ts';
import {
  calls,
  ended,
  reduceEvents,
  opened,
  prompted,
  says,
  thinks,
  update,
} from '../../support/session/build.ts';
import {exportDocument, sessionWith} from '../../support/session/everything.ts';
import {openPage} from './browser.ts';

const CODE = '```ts\nconst answer: number = 42; // long '.concat('x'.repeat(300), '\n```');
const session = reduceEvents(
  opened,
  prompted('Please look at the parser, and make it faster.'),
  update(thinks('It may be the regular expression.')),
  update(says(`I **read** the file first.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${CODE}\n\n- one\n- two`)),
  update(
    calls('t1', {
      title: 'Edit parser.ts',
      kind: 'edit',
      status: 'completed',
      content: [
        {
          type: 'diff',
          path: '/project/parser.ts',
          oldText: 'const slow = true;\nparse();\n',
          newText: 'const slow = false;\nparse();\n',
        },
      ],
    }),
  ),
  {
    type: 'terminal_created',
    terminalId: 'sh',
    command: 'npm test',
    cwd: '/project',
    pty: true,
    runBy: 'user',
  },
  {
    type: 'terminal_drawn',
    terminalId: 'sh',
    isBehind: false,
    change: {from: 0, rows: [[{text: '12 passed', style: {foreground: 2, bold: true}}]]},
  },
  {type: 'terminal_exited', terminalId: 'sh', exit: {code: 0, signal: null}},
  ended('end_turn'),
);

async function pageOf(html: string) {
  const folder = mkdtempSync(join(tmpdir(), 'acp-tui-page-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  const file = join(folder, 'session.html');
  writeFileSync(file, html);
  const address = pathToFileURL(file).href;
  return {address, page: await openPage(address)};
}

const OVERHANG = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
const colorOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`;

test('a browser renders an exported page, in light and dark, on desktop and phone', async () => {
  const {page, address} = await pageOf(await writeHtml(exportDocument(session)));
  const themes: unknown[] = [];
  for (const theme of ['light', 'dark']) {
    await page.send('Emulation.setEmulatedMedia', {
      features: [{name: 'prefers-color-scheme', value: theme}],
    });
    themes.push(await page.evaluate(BACKGROUND));
    for (const width of [1280, 360]) {
      await page.send('Emulation.setDeviceMetricsOverride', {
        width,
        height: 800,
        deviceScaleFactor: 1,
        mobile: width < 500,
      });
      // Nothing overflows the page horizontally; long lines of code scroll.
      expect(await page.evaluate(OVERHANG)).toBe(0);
      const {data} = await page.send('Page.captureScreenshot', {captureBeyondViewport: true});
      const folder = process.env['ACP_TUI_PICTURES'];
      if (folder) writeFileSync(join(folder, `${theme}-${width}.png`), Buffer.from(String(data), 'base64'));
    }
  }
  expect(themes).toEqual(['rgb(255, 255, 255)', 'rgb(20, 23, 29)']);
  const text = String(await page.evaluate('document.body.innerText'));
  for (const words of ['Please look at the parser', 'const slow = false;', '12 passed', 'const answer'])
    expect(text).toContain(words);
  expect(await page.evaluate(colorOf('figure.diff', 'display'))).toBe('block');
  expect(page.complaints).toEqual([]);
  expect(page.requests).toEqual([address]);
});

test('content of an agent in a page runs nothing and requests nothing', async () => {
  const hostile = `"><script>document.title='owned'</script><img src=http://127.0.0.1:9/x onerror="document.title='owned'"><style>*{color:red}</style>`;
  const {page, address} = await pageOf(await writeHtml(exportDocument(sessionWith(hostile), hostile)));
  expect(await page.evaluate('document.title')).toContain('<script>');
  expect(await page.evaluate("document.querySelectorAll('script, iframe, object, link, form').length")).toBe(
    0,
  );
  expect(page.requests.filter((url) => url !== address && !url.startsWith('data:'))).toEqual([]);
});
