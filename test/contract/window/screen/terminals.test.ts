import {expect, test} from 'vitest';
import type {Chat} from '../../../support/driver/chat.ts';
import {chatRunning} from '../../../support/driver/running-chat.ts';

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
