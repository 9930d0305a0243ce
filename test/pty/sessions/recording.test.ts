import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {readRecording} from '../../../src/recording/format.ts';
import {
  environment,
  fakeAgent,
  openChat,
  openReady,
  PROGRAM,
  quoted,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
} from '../../support/driver/chat.ts';

/** The messages of a chat, without durations. */
function transcript(chat: Chat): string[] {
  const lines = chat.history().split('\n');
  return lines.filter((line) => /hello there|general kenobi/.test(line));
}

test('a chat is recorded, inspected with Ctrl+\\, and its recording serves as an agent', async () => {
  const file = path.join(temporaryFolder('recording'), 'wire.ndjson');
  const chat = await openReady({agent: fakeAgent('echo'), args: ['--record', file]});
  chat.type('hello there\r');
  await untilTurnsEnd(chat);

  chat.press('ctrl+\\');
  await chat.sees(/❯ .*< session\/update agent_message_chunk|❯ .*> session\/prompt/);
  chat.type('end_turn');
  await chat.sees(/❯ .*> session\/prompt #2 .* end_turn/);
  chat.press('enter');
  await chat.sees('c copy');
  await chat.sees('"method": "session/prompt"');
  chat.type('c');
  await chat.sees(/Copied the text|Sent the text/);
  await chat.until(() => chat.clipboard.length === 1, 'for the copy');
  const [copied = ''] = chat.clipboard.splice(0);
  expect(Buffer.from(copied.replace('c;', ''), 'base64').toString()).toContain('"text": "hello there"');
  chat.press('escape');
  await chat.sees('Filter: end_turn');
  chat.press('ctrl+\\');
  await chat.noLongerSees('Filter: end_turn');

  chat.press('ctrl+d');
  await chat.until(() => chat.exit !== undefined, 'for the end');
  const {lines, unreadable} = readRecording(readFileSync(file, 'utf8'));
  expect(unreadable).toBe(0);
  expect(lines.at(-1)).toMatchObject({e: 'exit', asked: true});

  const line = [PROGRAM, 'sessions', 'export', 'session-1', '--format', 'recording'];
  const exported = execFileSync(process.execPath, line, {env: environment(chat.home), encoding: 'utf8'});
  expect(readRecording(exported)).toEqual({lines, unreadable: 0});

  const replayed = openChat({args: ['replay', file, '--speed', 'max']});
  await replayed.sees('at the end');
  await expect.poll(() => transcript(replayed)).toEqual(transcript(chat));
  replayed.type('q');
  await replayed.until(() => replayed.exit !== undefined, 'for the end');

  const agent = quoted([process.execPath, PROGRAM, 'replay', file, '--serve']);
  const again = await openReady({agent});
  again.type('hello there\r');
  await untilTurnsEnd(again);
  expect(transcript(again)).toEqual(transcript(chat));
});

test('a replay waits for keys, and its messages can be inspected without playing it', async () => {
  const wire = path.join(import.meta.dirname, '../../../fixtures/wire/codex-fail.ndjson');
  const replay = openChat({args: ['replay', wire, '--step']});
  await replay.sees('replay 0 of 20, paused');
  replay.press('enter');
  await replay.sees(/replay [1-9]\d* of 20, paused/);
  replay.press('enter');
  await replay.sees('at the end');
  await replay.sees('It failed as expected.');
  replay.type('q');
  await replay.until(() => replay.exit !== undefined, 'for the end');

  const list = openChat({args: ['inspect', wire]});
  await list.sees(/❯ .*session_info_update/);
  list.press('escape');
  await list.until(() => list.exit !== undefined, 'for the end');
  expect(list.exit?.code).toBe(0);
});
