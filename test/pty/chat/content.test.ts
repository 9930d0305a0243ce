import {chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd, type Chat, newHome} from '../../support/driver/chat.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');

/** A project, and programs that record their arguments instead of opening a file. */
function place() {
  const home = newHome();
  const cwd = path.join(home, 'project');
  const bin = path.join(home, 'bin');
  mkdirSync(cwd);
  mkdirSync(bin);
  writeFileSync(path.join(cwd, 'a.ts'), 'one\ntwo\nthree\n');
  const program = (name: string, line: string) => {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };
  program('xdg-open', `echo "$1" > '${home}/opened'; cp "$1" '${home}/copy'`);
  program('browser', `echo "$1" > '${home}/address'`);
  program('vim', `echo "$@" >> '${home}/edited'; echo VIM; read -r line`);
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    DISPLAY: ':0',
    BROWSER: path.join(bin, 'browser'),
    VISUAL: 'vim',
  };
  return {home, cwd, env};
}

/** An agent that sends an image, a text, a file and a link, and a tool call with a line. */
function sends(cwd: string): string {
  const content = (block: object) => ({sessionUpdate: 'agent_message_chunk', content: block});
  return fakeAgent(
    'updates',
    JSON.stringify([
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'call-1',
        title: 'Plot',
        status: 'completed',
        locations: [{path: path.join(cwd, 'a.ts'), line: 2}],
        content: [
          {
            type: 'content',
            content: {
              type: 'image',
              mimeType: 'image/png',
              data: PNG.toString('base64'),
              uri: 'file:///x/chart.png',
            },
          },
        ],
      },
      content({type: 'resource', resource: {uri: 'x:notes.md', text: '# Notes', mimeType: 'text/markdown'}}),
      content({
        type: 'resource',
        resource: {uri: 'x:../data.zip', blob: 'AAAA', mimeType: 'application/zip'},
      }),
      content({type: 'text', text: 'See https://example.com/report.'}),
    ]),
  );
}

/** Opens the list, selects the entry that matches these words, then the action. */
async function choose(chat: Chat, words: string, action: 'Open' | 'Save' | 'Copy'): Promise<void> {
  chat.type(`/open ${words}`);
  chat.press('enter');
  await chat.sees('Content of this session');
  chat.press('enter');
  await chat.sees(/^\W*Copy /m);
  chat.type(action);
  await chat.sees(`Filter: ${action}`);
  chat.press('enter');
}

/** Waits until the editor has opened a file, closes it, and waits until acp-tui has the terminal again. */
async function closeEditor(chat: Chat, opened: () => boolean): Promise<void> {
  await chat.until(opened, 'for the editor to open the file');
  // What it got before may not have been read yet: then it would seem to be ours already.
  await chat.until(() => !chat.modes.bracketedPaste, "for the terminal to be the editor's");
  chat.press('enter');
  await chat.until(() => chat.modes.bracketedPaste, 'for the terminal to be ours');
}

const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
};

test('content from an agent is listed, opened, edited and saved', async () => {
  const {home, cwd, env} = place();
  const chat = await openReady({home, cwd, env, agent: sends(cwd)});
  chat.type('plot');
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('[chart.png · image/png · 12 B] Ctrl+X o open');
  await chat.hasSeen('[x:notes.md · text/markdown · 7 B] Ctrl+X o open');
  await chat.hasSeen('[x:../data.zip · application/zip · 3 B] Ctrl+X o open');

  chat.press('ctrl+x');
  chat.type('o');
  await chat.sees('Content of this session');
  await chat.sees(/data\.zip.*application\/zip · 3 B/);
  await chat.sees(/chart\.png.*image\/png · 12 B · Plot/);
  await chat.sees('https://example.com/report');
  await chat.sees('a.ts:2');
  chat.press('escape');
  await chat.until(() => !chat.screen().includes('Content of this session'), 'for the list to close');

  await choose(chat, 'chart', 'Open');
  await chat.sees('Opened chart.png.');
  const opened = read(path.join(home, 'opened'));
  expect(opened).toMatch(/acp-tui-\w+\/content\.png$/);
  expect(readFileSync(path.join(home, 'copy'))).toEqual(PNG);

  await choose(chat, 'notes', 'Open');
  const edited = () => read(path.join(home, 'edited'));
  await closeEditor(chat, () => edited().endsWith('content.md'));
  await choose(chat, 'a.ts', 'Open');
  await closeEditor(chat, () => edited().endsWith(`+2 ${cwd}/a.ts`));

  await choose(chat, 'data.zip', 'Save');
  await chat.sees('Saved data.zip (3 B).');
  expect(readdirSync(cwd).sort()).toEqual(['a.ts', 'data.zip']);

  chat.signal('SIGTERM');
  await chat.ended();
  expect(read(opened)).toBe('');
});

test('a URL is opened after a confirmation that shows all of it', async () => {
  const {home, cwd, env} = place();
  const chat = await openReady({home, cwd, env, agent: sends(cwd)});
  chat.type('plot');
  chat.press('enter');
  await untilTurnsEnd(chat);
  await choose(chat, 'report', 'Open');
  await chat.sees('Open this URL in the browser?');
  await chat.sees('Host: example.com');
  expect(read(path.join(home, 'address'))).toBe('');
  await chat.sees('why am I asked');
  chat.press('enter');
  await chat.hasSeen('● Open this URL in the browser?');
  await chat.until(() => read(path.join(home, 'address')) !== '', 'for the browser');
  expect(read(path.join(home, 'address'))).toBe('https://example.com/report');
});
