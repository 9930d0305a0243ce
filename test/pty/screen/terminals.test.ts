import {cpSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {isProcessRunning} from '../../support/program/running.ts';
import {openShell, PROGRAM, quoted, READY, temporaryFolder, type Chat} from '../../support/driver/chat.ts';
import {chatRunning} from '../../support/driver/running-chat.ts';

/** The median amount of output before a key is drawn, in characters. */
async function drawnBeforeKey(chat: Chat, rounds: number): Promise<number> {
  const drawn: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const text = `w${round}.`;
    const before = chat.raw.length;
    chat.type(text);
    await chat.sees(text);
    drawn.push(chat.raw.length - before);
    if (round % 10 < 9) continue;
    chat.type('\x15');
    await chat.noLongerSees(text);
  }
  return drawn.toSorted((a, b) => a - b)[Math.floor(drawn.length / 2)] ?? 0;
}

/** Ctrl+X and a letter. */
async function more(chat: Chat, letter: string): Promise<void> {
  chat.type('\x18');
  await chat.sees('After Ctrl+X');
  chat.type(letter);
  await chat.noLongerSees('After Ctrl+X');
}

/** A frame of this size takes less; a key waits for a few of them at most. */
const FRAME = 8000;

test('an endless command keeps keys responsive, memory stable, and can be stopped', async () => {
  // A program that kept its output in memory would not survive this: a second of it is more.
  const chat = await chatRunning('yes', {NODE_OPTIONS: '--max-old-space-size=192'});
  await chat.sees(/earlier lines/);
  expect(await drawnBeforeKey(chat, 100)).toBeLessThan(10 * FRAME);
  await more(chat, 'k');
  await chat.hasSeen('killed by SIGTERM');
  await chat.hasSeen('The command printed');
});

test.each([
  ['SIGTERM', (chat: Chat) => chat.signal('SIGTERM')],
  ['closing the window', (chat: Chat) => chat.hangUp()],
  ['Ctrl+C twice', (chat: Chat) => chat.type('\x03\x03')],
])('no command survives %s', async (_name, leave) => {
  const stubborn = `trap '' HUP TERM INT; while :; do sleep 1; done`;
  const chat = await chatRunning(
    `(${stubborn}) & a=$!; setsid sh -c "${stubborn}" & b=$!; sleep 300 & echo pids $$ $a $b $! end; wait`,
  );
  await chat.sees(/pids \d+ \d+ \d+ \d+ end/);
  const pids = /pids (\d+) (\d+) (\d+) (\d+) end/.exec(chat.screen())!.slice(1).map(Number);
  expect(pids.map(isProcessRunning)).toEqual([true, true, true, true]);
  leave(chat);
  await chat.until(() => !pids.some(isProcessRunning), 'everything to end');
});

test('without node-pty commands run with pipes, and one notice says so', async () => {
  const folder = temporaryFolder('without-pty');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(path.join(PROGRAM, '../..', part), path.join(folder, part), {recursive: true});
  const chat = await openShell();
  chat.type(
    `${quoted([process.execPath, path.join(folder, 'bin/acp-tui.js')])} --agent demo --approve all\r`,
  );
  await chat.sees(READY);
  for (const word of ['first', 'second']) {
    chat.type(`/run test -t 1 || echo "${word} piped"`);
    await chat.sees(`echo "${word}`);
    chat.type('\r');
    await chat.hasSeen(new RegExp(`^ +│ ${word} piped`, 'm'));
    await chat.sees(READY);
  }
  chat.type('!test -t 1 || echo "own piped"');
  await chat.sees(/^╭─ your shell/m);
  chat.press('enter');
  await chat.hasSeen(/^ +│ own piped/m);
  await expect.poll(() => chat.history().match(/Commands run without a terminal/g)).toHaveLength(1);
});
