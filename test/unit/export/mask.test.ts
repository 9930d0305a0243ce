import {expect, test} from 'vitest';
import {maskDocument} from '../../../src/export/mask.ts';
import {writeHtml} from '../../../src/export/html/page.ts';
import {writeJson} from '../../../src/export/json/json.ts';
import {writeMarkdown} from '../../../src/export/markdown.ts';
import {createMask} from '../../../src/shared/mask.ts';
import type {TerminalRow} from '../../../src/session/terminals/terminal-screen.ts';
import {calls, reduceEvents, opened, update} from '../../support/session/build.ts';
import {exportDocument, sessionWith} from '../../support/session/everything.ts';

const mask = createMask({});
const TOKEN = `ghp_${'a1b2'.repeat(9)}`;

test.each([
  ['Markdown', writeMarkdown],
  ['HTML', writeHtml],
  ['JSON', writeJson],
])('no credential is left in %s, wherever it was', async (_, write) => {
  const document = exportDocument(sessionWith(TOKEN), TOKEN);
  expect(await write(document)).toContain(TOKEN);
  expect(await write(await maskDocument(document, mask))).not.toContain(TOKEN);
});

async function drawn(...rows: TerminalRow[]) {
  const session = reduceEvents(
    opened,
    update(calls('t', {title: 'Run', content: [{type: 'terminal', terminalId: 'x'}]})),
    {type: 'terminal_created', terminalId: 'x', command: 'env', cwd: '/', pty: true},
    {type: 'terminal_drawn', terminalId: 'x', isBehind: false, change: {from: 0, rows}},
  );
  const masked = await maskDocument(exportDocument(session), mask);
  return masked.terminals.get('x')?.screen?.rows;
}

test('a credential is found across the colors and rows of a terminal', async () => {
  const style = {foreground: 1};
  expect(
    await drawn([{text: 'API_KEY='}, {text: 'abc'}, {text: 'def', style}], [{text: 'red', style}]),
  ).toEqual([[{text: 'API_KEY=[masked]'}], [{text: 'red', style}]]);
  const key = ['-----BEGIN PRIVATE KEY-----', 'MIIabc', '-----END PRIVATE KEY-----'];
  expect(await drawn(...key.map((text) => [{text}]), [{text: 'after'}])).toEqual([
    [{text: '[masked]'}],
    [{text: 'after'}],
  ]);
});

test('a field whose name marks it as secret is masked, whatever its value', async () => {
  const rawInput = {url: 'https://a.example', headers: {apiKey: 'hunter2', accept: 'text'}};
  const session = reduceEvents(opened, update(calls('t', {title: 'Fetch', rawInput})));
  const masked = await maskDocument(exportDocument(session), mask);
  expect(masked.entries[0]).toMatchObject({
    toolCallId: 't',
    rawInput: {url: 'https://a.example', headers: {apiKey: '[masked]', accept: 'text'}},
  });
});
