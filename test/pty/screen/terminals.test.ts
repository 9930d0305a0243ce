import {cpSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {isProcessRunning} from '../../support/program/running.ts';
import {
  openReady,
  openShell,
  PROGRAM,
  quoted,
  READY,
  temporaryFolder,
  type Chat,
} from '../../support/driver/chat.ts';

/** A chat whose agent runs a command without a request. */
async function chatRunning(command: string, env: Readonly<Record<string, string>> = {}): Promise<Chat> {
  const chat = await openReady({agent: 'demo', args: ['--approve', 'all'], env});
  chat.type(`/run ${command}`);
  await chat.sees(command.slice(-30));
  chat.type('\r');
  return chat;
}

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

test('a command that asks is shown as waiting, gets the focus and an answer, and returns to the prompt', async () => {
  const chat = await chatRunning('printf "Name? "; read name; echo "hello $name"');
  await chat.sees('May be waiting for input');
  await chat.sees('i type into it');
  await more(chat, 'i');
  await chat.sees('Typing into the command');
  chat.type('Ada\r');
  await chat.hasSeen('hello Ada');
  await chat.hasSeen('The command printed');
  await chat.until(() => !chat.screen().includes('Typing into'), 'the focus to be back');
  await chat.hasSeen('Name? Ada');
});

test('Ctrl+C and Esc reach the command that has the focus, and the turn continues', async () => {
  const chat = await chatRunning(`trap 'echo got INT' INT; echo ready; read a; read b; echo "over"`);
  await chat.sees(/^ +│ ready/m);
  await more(chat, 'i');
  await chat.sees('Typing into the command');
  chat.type('\x03');
  await chat.sees('got INT');
  chat.type('\r\r');
  await chat.hasSeen('The command printed');
  expect(chat.history()).not.toContain('Cancelled');
});

test('progress and colors look as in a terminal, and no output of a command reaches the terminal raw', async () => {
  const command = String.raw`printf 'one 1%%\ntwo 1%%\n\033[2A\033[Kone 99%%\n\033[K\033[32mtwo 99%%\033[0m\n\033]0;hostile\007\033[?1049h\033[?1049l'`;
  const chat = await chatRunning(command);
  await chat.hasSeen('The command printed');
  await chat.hasSeen(/^ +│ one 99%\n +│ two 99%/m);
  expect(chat.title).not.toContain('hostile');
  expect(chat.raw).not.toContain('\x1b[?1049h');
  expect(chat.raw).toMatch(/\x1b\[(?:32|38;5;2)mtwo 99%/);
});

test('a command is stopped with Ctrl+X k', async () => {
  const chat = await chatRunning('echo started; sleep 300');
  await chat.sees(/^ +│ started/m);
  await more(chat, 'k');
  await chat.hasSeen('killed by SIGTERM');
});

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
