import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import {AGENT_NAMES, type AgentName} from './lab/agents.ts';
import {NOTES, printOnceWith, type PrintRun} from './real-agent.ts';

// Codex asks before it writes in this mode; the others always do.
const asking = (name: AgentName) => (name === 'codex' ? ['--mode', 'read-only'] : []);

interface RunReport {
  readonly exitCode: number | undefined;
  readonly stderr: string;
  /** What the agent wrote, if anything. */
  readonly written: string | undefined;
}

function reported({exitCode, stderr, cwd}: PrintRun): RunReport {
  const file = path.join(cwd, 'lab-notes.md');
  return {exitCode, stderr, written: existsSync(file) ? readFileSync(file, 'utf8') : undefined};
}

describe.each(AGENT_NAMES)('rules of the settings decide for %s', (name) => {
  const run = async (permissions: object, ...args: readonly string[]) =>
    reported(await printOnceWith(name, {permissions}, ...asking(name), ...args));

  test('allow permits a write that the level does not', async () => {
    const {exitCode, stderr, written} = await run({allow: ['edit lab-*.md']}, 'write file');
    expect({exitCode, written}).toEqual({exitCode: 0, written: NOTES});
    expect(stderr).not.toContain('refused');
  });

  test('allow for other files does not', async () => {
    const {exitCode, written} = await run({allow: ['edit src/**']}, 'write file');
    expect({exitCode, written}).toEqual({exitCode: 5, written: undefined});
  });

  test.each(['deny', 'ask'])('%s rejects at --approve all, and is named', async (effect) => {
    const {exitCode, stderr, written} = await run(
      {[effect]: ['edit lab-notes.md']},
      '--approve',
      'all',
      'write file',
    );
    expect({exitCode, written}).toEqual({exitCode: 5, written: undefined});
    expect(stderr).toContain('edit lab-notes.md');
  });

  test('allow for each program of a command lets it run, and deny for one of them does not', async () => {
    const prompt = name === 'codex' ? 'run outside' : 'run command';
    const allowed = await run({allow: ['execute echo *', 'execute ls']}, prompt);
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stderr).not.toContain('refused');
    const denied = await run({deny: ['execute ls']}, '--approve', 'all', prompt);
    expect(denied.exitCode).toBe(5);
    expect(denied.stderr).toContain('execute ls');
  });
});
