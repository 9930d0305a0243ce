import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {fakeAgent, openReady, temporaryFolder, untilTurnsEnd} from '../../support/driver/chat.ts';

/** An editor that says which file it shows, waits for a line, and replaces "proposed" by it. */
function editor(): string {
  const file = join(temporaryFolder('editor'), 'ask');
  writeFileSync(
    file,
    `#!/bin/sh
echo "EDITING [$(cat "$1")] $(basename "$1")"
read -r line || exit 1
test "$line" = "" && exit 0
test "$line" = "bytes" && { printf 'caf\\351' > "$1"; exit 0; }
sed -i "s/proposed/$line/" "$1"
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const open = (script: Script) =>
  openReady({agent: fakeAgent('script', JSON.stringify(script)), env: {EDITOR: editor()}});

test('e opens the content of a write: what is saved is written, and the agent is told', async () => {
  const params = {sessionId: '$session', path: '$cwd/a.ts', content: 'proposed\n'};
  const chat = await open({
    turns: [[{ask: 'it', method: 'fs/write_text_file', params}, {answered: 'it'}], []],
  });
  chat.type('go\r');
  await chat.sees('e edit');
  chat.type('e');
  await chat.sees('EDITING [proposed] proposed-a.ts');
  chat.type('\r');
  await chat.sees('Nothing was changed; the request still waits.');
  expect(existsSync(join(chat.cwd, 'a.ts'))).toBe(false);
  await chat.sees('e edit');
  chat.type('e');
  await chat.until(() => chat.history().split('EDITING').length === 3, 'for the editor again');
  chat.type('bytes\r');
  await chat.sees('What was saved is not UTF-8 text. The request still waits.');
  await chat.sees('e edit');
  chat.type('e');
  await chat.until(() => chat.history().split('EDITING').length === 4, 'for the editor once more');
  chat.type('mine\r');
  await untilTurnsEnd(chat, 2);
  expect(readFileSync(join(chat.cwd, 'a.ts'), 'utf8')).toBe('mine\n');
  await chat.hasSeen('I changed what you proposed for');
  await chat.hasSeen('-proposed');
});

test('e opens a command that runs here: what is saved runs, and the agent is told', async () => {
  const params = {sessionId: '$session', command: 'touch', args: ['proposed'], cwd: '$cwd'};
  const chat = await open({turns: [[{ask: 'it', method: 'terminal/create', params}, {answered: 'it'}], []]});
  chat.type('go\r');
  await chat.sees('e edit');
  chat.type('e');
  await chat.sees('EDITING [touch proposed]');
  chat.type('mine\r');
  await untilTurnsEnd(chat, 2);
  expect(existsSync(join(chat.cwd, 'mine'))).toBe(true);
  expect(existsSync(join(chat.cwd, 'proposed'))).toBe(false);
  await chat.hasSeen('The agent will be told by the next prompt, which starts another turn');
  await chat.hasSeen('This is what ran');
});

test('e writes a change that the agent would make itself, and rejects it', async () => {
  const content = [{type: 'diff', path: '$cwd/a.ts', oldText: 'old\n', newText: 'proposed\n'}];
  const params = {
    sessionId: '$session',
    toolCall: {toolCallId: 'c', title: 'Edit a.ts', kind: 'edit', content},
    options: [
      {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
      {optionId: 'no', name: 'Reject', kind: 'reject_once'},
    ],
  };
  const chat = await open({
    turns: [[{ask: 'it', method: 'session/request_permission', params}, {answered: 'it'}], []],
  });
  writeFileSync(join(chat.cwd, 'a.ts'), 'old\n');
  chat.type('go\r');
  await chat.sees('e edit');
  chat.type('e');
  await chat.sees('EDITING [proposed]');
  chat.type('mine\r');
  await untilTurnsEnd(chat, 2);
  await chat.hasSeen('rejected by you (Reject)');
  await chat.hasSeen('I rejected your change of');
  expect(readFileSync(join(chat.cwd, 'a.ts'), 'utf8')).toBe('mine\n');
  await chat.hasSeen('+mine');
});
