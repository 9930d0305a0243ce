import {readFileSync, existsSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {AGENT_NAMES} from './lab/agents.ts';
import {NOTES, printOnce} from './real-agent.ts';

const HELLO = 'Hello from the **mock** model. This is `short` markdown.\n';

/** The last line of `json` and `stream-json`. */
const resultOf = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

describe.each(AGENT_NAMES)('one prompt to %s', (name) => {
  test('prints only the answer to standard output', async () => {
    const {stdout, stderr, exitCode} = await printOnce(name, 'say hello');
    expect({stdout, exitCode}).toEqual({stdout: HELLO, exitCode: 0});
    // Codex starts in a mode in which it asks less than it could.
    expect(stderr).toMatch(
      name === 'codex' ? /^warning: The agent starts in the mode Auto review .*\n$/ : /^$/,
    );
  });

  test('streams a long answer completely, byte for byte', async () => {
    const {stdout} = await printOnce(name, 'long markdown');
    expect(stdout).toMatch(/^# A long answer\n\n## Section 1\n/);
    expect(stdout).toContain('wide characters: 日本語 한국어 🎉 👩‍👩‍👧 e\u0301.');
    expect(stdout.match(/^## Section \d$/gm)).toHaveLength(6);
    expect(stdout).toMatch(/\n```diff\n- old line\n\+ new line\n```\n\nThe end of the long answer\.\n$/);
  });

  test('as json reports what was run, and that it was allowed', async () => {
    const {stdout, exitCode} = await printOnce(
      name,
      '--output-format',
      'json',
      '--approve',
      'all',
      'two tools read file notes.md',
    );
    const {text, stopReason, toolCalls, denied, error} = resultOf(stdout);
    expect({text, stopReason, denied, error, exitCode}).toEqual({
      text: 'Both are done.',
      stopReason: 'end_turn',
      denied: [],
      error: null,
      exitCode: 0,
    });
    expect(toolCalls).toHaveLength(2);
  });

  test('as stream-json prints chunks that make up the result', async () => {
    const {stdout} = await printOnce(name, '--output-format', 'stream-json', 'think');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const said = (type: string) =>
      events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
    expect(events[0]).toMatchObject({type: 'init'});
    expect(said('thought')).toContain('conclusion');
    expect(said('text').trimEnd()).toBe(events.at(-1).text);
  });

  test('as acp prints the lines of the agent, each a message', async () => {
    const {stdout} = await printOnce(name, '--output-format', 'acp', 'say hello');
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.find(({id}) => id === 0).result.protocolVersion).toBe(1);
    expect(messages.filter(({method}) => method === 'session/update').length).toBeGreaterThan(1);
    expect(messages.some(({result}) => result?.stopReason === 'end_turn')).toBe(true);
  });

  test('as quiet prints the last message', async () => {
    const {stdout, stderr} = await printOnce(name, '--output-format', 'quiet', 'say hello');
    expect({stdout, stderr}).toEqual({stdout: HELLO, stderr: ''});
  });

  test('writes a file when approved', async () => {
    const {cwd, exitCode} = await printOnce(name, '--approve', 'edits', 'write file');
    expect(exitCode).toBe(0);
    expect(readFileSync(path.join(cwd, 'lab-notes.md'), 'utf8')).toBe(NOTES);
  });

  test("fails with the model's error message", async () => {
    const {stdout, stderr} = await printOnce(name, 'model error');
    expect(stdout + stderr).toContain('mock: scripted error 400');
    expect(stderr).not.toContain('{');
  });

  test('rejects an unknown mode and lists the available ones', async () => {
    const {stderr, exitCode} = await printOnce(name, '--mode', 'nope', 'say hello');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^acp-tui: Unknown mode "nope"\. Available: [\w-]+, /);
  });

  test('stops in time when the model does not answer', async () => {
    const {exitCode, stderr} = await printOnce(name, '--timeout', '8', 'slow');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('--timeout');
  });
});

// Codex asks in its read-only mode; the others always do.
test.each([
  ['gemini', []],
  ['opencode', []],
  ['codex', ['--mode', 'read-only']],
] as const)('%s is refused a write without approval, and the exit code says so', async (name, args) => {
  const {cwd, exitCode, stderr} = await printOnce(name, ...args, 'write file');
  expect(exitCode).toBe(5);
  expect(stderr).toContain('--approve edits allows it');
  expect(existsSync(path.join(cwd, 'lab-notes.md'))).toBe(false);
});

test.each([
  ['gemini', 'gemini-2.5-pro'],
  ['opencode', 'mock/mock-2'],
  ['codex', 'gpt-5.5'],
] as const)('%s uses another model', async (name, model) => {
  const {stdout, exitCode} = await printOnce(name, '--model', model, 'say hello');
  expect({stdout, exitCode}).toEqual({stdout: HELLO, exitCode: 0});
});
