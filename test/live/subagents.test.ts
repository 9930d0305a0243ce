import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {answer, chatWith, printOnce, say} from './real-agent.ts';

/** The file that the scripted model writes. */
const NOTES = '# Notes\n\nline one\nline two\nline three\n';

const resultOf = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

describe('a subagent of Claude', () => {
  test('asks in its own name, writes what was allowed, and can be opened', async () => {
    const chat = await chatWith('claude');
    const file = path.join(chat.cwd, 'sub.md');
    say(chat, `subagent write ${file}`);
    await chat.sees(/Allow this [a-z ]+\? ─+ Lab subagent, a subagent of Claude Agent/, 60);
    // In version 2 the turn has ended, so that its card may be printed before it asks.
    await chat.hasSeen(/Subagent Lab subagent · (?:needs you|working)/);
    expect(existsSync(file)).toBe(false);
    await answer(chat, /^Yes$|^Yes\b(?!, allow)/);
    await chat.hasSeen(/● Subagent Lab subagent · done/, 60);
    expect(readFileSync(file, 'utf8')).toBe(NOTES);
    chat.press('ctrl+x');
    chat.type('g');
    await chat.sees('Subagents');
    chat.press('enter');
    await chat.sees('The file is written.');
    await chat.sees('Write sub.md');
  });

  test('in print mode is allowed by --approve, and counted', async () => {
    const ran = await printOnce('claude', '--approve', 'all', '--output-format', 'json', 'subagent write');
    const {subagents, denied, error} = resultOf(ran.stdout);
    expect({denied, error, exitCode: ran.exitCode}).toEqual({denied: [], error: null, exitCode: 0});
    expect(subagents).toMatchObject([
      {
        title: 'Lab subagent',
        state: 'idle',
        stopReason: 'end_turn',
        text: 'I will write the file.\n\nThe file is written.',
        toolCalls: [
          {kind: 'edit', status: 'completed', permission: {outcome: 'allowed', by: '--approve all'}},
        ],
      },
    ]);
  });

  test('in print mode is rejected without approval, and the run says so', async () => {
    const ran = await printOnce('claude', '--output-format', 'json', 'subagent write');
    const {denied} = resultOf(ran.stdout);
    expect(ran.exitCode).toBe(5);
    expect(denied).toMatchObject([{subagent: 'Lab subagent', allowedBy: 'edits'}]);
  });
});

describe('a subagent of Codex', () => {
  test('is shown with its messages, and can be opened', async () => {
    const chat = await chatWith('codex');
    say(chat, 'start a subagent');
    await chat.hasSeen(/Subagent Lab · working/, 60);
    await chat.hasSeen(/● Subagent Lab · done/, 60);
    chat.press('ctrl+x');
    chat.type('g');
    await chat.sees('Subagents');
    chat.press('enter');
    await chat.sees('The subagent is done.');
    await chat.sees('Lab · End');
  });

  test('in print mode is waited for, and counted', async () => {
    const ran = await printOnce('codex', '--output-format', 'json', 'start a subagent');
    const {subagents, text} = resultOf(ran.stdout);
    expect(text).toBe('The subagent is done.');
    expect(subagents).toMatchObject([
      {title: 'Lab', state: 'idle', stopReason: 'end_turn', text: 'The subagent is done.'},
    ]);
  });
});
