import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Turn} from '../fake-conversation.ts';
import {runFake} from '../run-fake.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';

/* Messages are distinguished by their IDs, and may interleave ("Prompt Turn", Message IDs). */

const interleaved: Turn = async (agent) => {
  agent.say('', 'empty');
  agent.say('The answer is: ', 'a');
  agent.say('(searching)', 'b');
  agent.say('42', 'a');
  agent.say(' \n', 'blank');
  return 'end_turn';
};

describe('interleaved messages', () => {
  test('quiet prints the message written last, whole', async () => {
    const run = await runFake(['x', '--output-format', 'quiet'], interleaved);
    expect(run.stdout).toBe('The answer is: 42\n');
  });

  test('-o writes the message written last, whole', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'answer.md');
    await runFake(['x', '-o', file], interleaved);
    expect(readFileSync(file, 'utf8')).toBe('The answer is: 42\n');
  });

  test('json contains each message whole, in the order they started', async () => {
    const run = await runFake(['x', '--output-format', 'json'], interleaved);
    expect(JSON.parse(run.stdout)).toMatchObject({text: 'The answer is: 42\n\n(searching)'});
  });

  test('stream-json counts messages, not chunks', async () => {
    const run = await runFake(['x', '--output-format', 'stream-json'], interleaved);
    const events = run.stdout.split('\n', 5).map((line) => JSON.parse(line) as object);
    expect(events).toMatchObject([
      {type: 'init'},
      {type: 'other', data: {messageId: 'empty'}},
      {message: 1, messageId: 'a', text: 'The answer is: '},
      {message: 2, messageId: 'b', text: '(searching)'},
      {message: 1, messageId: 'a', text: '42'},
    ]);
  });

  test('text streams the chunks, with an empty line before another message', async () => {
    const run = await runFake(['x'], interleaved);
    expect(run.stdout).toBe('The answer is:\n\n(searching)\n\n42\n');
  });
});

test('a message ID that looks like an internal one is another message', async () => {
  const run = await runFake(['x', '--output-format', 'json'], async (agent) => {
    agent.say('No id.');
    for (const id of ['0', '1', '2', 'undefined']) agent.say(`Id ${id}.`, id);
    return 'end_turn';
  });
  expect(JSON.parse(run.stdout)).toMatchObject({text: 'No id.\n\nId 0.\n\nId 1.\n\nId 2.\n\nId undefined.'});
});

test('an empty line at the end of an older message does not make it the last one', async () => {
  const run = await runFake(['x', '--output-format', 'quiet'], async (agent) => {
    agent.say('First.', 'a');
    agent.say('Last.', 'b');
    agent.say('\n', 'a');
    return 'end_turn';
  });
  expect(run.stdout).toBe('Last.\n');
});
