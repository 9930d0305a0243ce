import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {relatedProcesses} from '../../../../../src/shared/processes/process-tree.ts';
import {resultSchema, streamEventSchema} from '../../../../../src/modes/print/schema.ts';
import {version} from '../../../../../src/shared/version.ts';
import {exactly} from '../../../../support/program/exactly.ts';
import {
  agentOption,
  PROGRAM,
  runHere,
  runProgram,
  startProgram,
} from '../../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';

/* Print mode with a scripted agent, as users and scripts run it: what is about a process with the built program. */

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

/** The sockets on which a process listens. */
function listening(pid: number): readonly string[] {
  const waiting = new Set(
    ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .flatMap((fields) => (fields[3] === '0A' ? [`socket:[${fields[9]}]`] : [])),
    ),
  );
  const own = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  return own.filter((file) => waiting.has(file));
}

test.each(['', 'state'])(
  'the demo agent needs no set-up, and writes nothing to the folder with XDG_STATE_HOME=%j',
  async (state) => {
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    const env = {HOME: home, ACP_TUI_DEMO_PACE: '0'};
    const args = ['-p', 'hello', '--agent', 'demo', '--env', `XDG_STATE_HOME=${state}`];
    const run = await runProgram(args, {input: '', cwd: folder, env});
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('demo');
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(join(home, '.local/state'))).toContain('acp-tui-demo-agent');
  },
);

test.each([
  ['a command of the user', '/tests src', 'Test src.'],
  ["one that acp-tui's own hides in a window", '//review src', 'Look at src.'],
  ["the agent's of the same name", '//tests src', '/tests src'],
  ["the agent's of the name of a file that cannot be used", '//empty src', '/empty src'],
  ['what begins with slashes', '// why?', '// why?'],
])('a prompt can be %s', async (_what, prompt, sent) => {
  const config = temporaryFolder();
  const commands = join(config, 'commands');
  mkdirSync(commands);
  writeFileSync(join(commands, 'tests.md'), 'Test $1.');
  writeFileSync(join(commands, 'review.md'), 'Look at $1.');
  writeFileSync(join(commands, 'empty.md'), '');
  const args = ['-p', prompt, agentOption('echo')];
  const {stdout} = await runHere(args, {env: {ACP_TUI_CONFIG_DIR: config}});
  expect(stdout.trim()).toBe(sent);
});

describe('the answer', () => {
  test('is all that goes to standard output', async () => {
    expect(await runHere(['-p', 'hello there', agentOption('echo')])).toEqual({
      exitCode: 0,
      stdout: 'hello there\n',
      stderr: '',
    });
  });

  test('is printed in a pipe without any option', async () => {
    const run = await runHere([agentOption('echo')], {input: 'from a pipe\n'});
    expect(run).toEqual({exitCode: 0, stdout: 'from a pipe\n', stderr: ''});
  });

  test('is for arguments, then standard input, then files', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes.txt'), 'a note');
    const args = ['-p', '--stdin', '-f', 'notes.txt', 'review', agentOption('echo')];
    const run = await runHere(args, {input: 'this', cwd: folder});
    expect(run.stdout).toBe('review\n\nthis\n');
  });

  test('does not wait long for a standard input that stays open', async () => {
    const {ended, stdout, stderr} = startProgram(['-p', 'hello', agentOption('echo')]);
    expect(await ended).toEqual({exitCode: 0, signal: null});
    expect(stdout()).toBe('hello\n');
    expect(stderr()).toMatch(/^acp-tui: warning: Standard input is ignored, because nothing came for 3 s; /);
  });

  const IGNORED =
    'acp-tui: warning: Standard input is ignored, because a program above may read it, too; add --stdin to send it.\n';

  test.runIf(process.platform === 'linux').each([
    ['in a pipe', 'echo piped | "$@" review', 'review\n\npiped\n', ''],
    ['in a file', 'echo piped > list; "$@" review < list', 'review\n\npiped\n', ''],
    ['through another program', 'echo piped | timeout 60 "$@" review; :', 'review\n\npiped\n', ''],
    [
      'and leaves a loop its lines',
      'printf "a\\nb\\n" | while read line; do "$@" "$line"; done',
      'a\nb\n',
      IGNORED.repeat(2),
    ],
    [
      'unless asked for them',
      'printf "a\\nb\\n" | while read line; do "$@" --stdin "$line"; done',
      'a\n\nb\n',
      '',
    ],
    [
      'and leaves a loop over a file its lines',
      'printf "a\\nb\\n" > list; while read line; do "$@" "$line"; done < list',
      'a\nb\n',
      IGNORED.repeat(2),
    ],
    ['but not if it is closed', '"$@" review <&-', 'review\n', ''],
    ['but not if it is empty', ': | "$@" review', 'review\n', ''],
  ])('takes what is meant for it from a shell: %s', async (_name, line, stdout, stderr) => {
    expect(await runInShell(line, '-p', agentOption('echo'))).toEqual({stdout, stderr});
  });
});

/** Runs a line of a shell in which "$@" stands for the program with these arguments. */
async function runInShell(line: string, ...args: readonly string[]) {
  const folders = ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => [
    `ACP_TUI_${name}_DIR`,
    temporaryFolder(),
  ]);
  const env = {...process.env, ...Object.fromEntries(folders)} as NodeJS.ProcessEnv;
  const words = ['-c', line, 'sh', process.execPath, PROGRAM, ...args];
  const {stdout, stderr} = await promisify(execFile)('/bin/sh', words, {cwd: temporaryFolder(), env});
  return {stdout, stderr};
}

describe('the demo agent', () => {
  const run = (prompt: string, format: string) =>
    runHere(['-p', prompt, '--agent', 'demo', '--approve', 'all', '--output-format', format], {
      // Without the pauses of a model that thinks.
      env: {ACP_TUI_DEMO_PACE: '0'},
    });

  test.each(['/markdown', '/edit', '/run', '/tour', 'hello'])('answers %s', async (prompt) => {
    const json = exactly(resultSchema, (await run(prompt, 'json')).stdout);
    expect(json).toMatchObject({exitCode: 0, stopReason: 'end_turn', error: null});
    expect(json.text.trim().length).toBeGreaterThan(0);
  });

  test('shows every kind of event on its tour', async () => {
    const {stdout} = await run('/tour', 'stream-json');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => exactly(streamEventSchema, line));
    expect(events.map(({type}) => type)).toEqual(
      expect.arrayContaining(['init', 'text', 'tool_call', 'plan', 'result']),
    );
    // Which number an answer has depends on what else can be answered.
    expect(stdout).not.toMatch(/`\d` (?:allows|rejects)/);
  });
});

describe('formats', () => {
  test('json follows its schema', async () => {
    const run = await runHere(['-p', 'x', '--output-format', 'json', agentOption('tools')]);
    const result = exactly(resultSchema, run.stdout);
    expect(result.toolCalls.map(({title, status}) => [title, status])).toEqual([
      ['Read greet.ts', 'completed'],
      ['Edit greet.ts', 'completed'],
      ['npm test', 'failed'],
      ['Search for "greeting"', 'completed'],
    ]);
  });

  test.each(['updates', 'unknowns', 'malformed', 'disorder', 'escapes', 'config-options', 'banner'])(
    'stream-json follows its schema with the scenario %s',
    async (scenario) => {
      const run = await runHere(['-p', 'x', '--output-format', 'stream-json', agentOption(scenario)]);
      const events = run.stdout
        .trimEnd()
        .split('\n')
        .map((line) => exactly(streamEventSchema, line));
      expect(events[0]?.type).toBe('init');
      expect(events.at(-1)).toMatchObject({type: 'result', exitCode: run.exitCode});
    },
  );

  test('acp prints JSON lines of the agent, starting with the response to initialize', async () => {
    const run = await runHere(['-p', 'x', '--output-format', 'acp', agentOption('tools')]);
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[0]).toMatchObject({jsonrpc: '2.0', result: {protocolVersion: 1}});
    expect(lines.at(-1)).toMatchObject({result: {stopReason: 'end_turn'}});
  });

  test('quiet with -o prints the last message twice', async () => {
    const folder = temporaryFolder();
    const args = ['-p', 'x', '--output-format', 'quiet', '-o', 'answer.md', agentOption('tools')];
    const run = await runHere(args, {cwd: folder});
    expect(run.stdout).toBe('Done.\n');
    expect(readFileSync(join(folder, 'answer.md'), 'utf8')).toBe('Done.\n');
  });
});

describe('the exit code', () => {
  test.each([
    [1, ['crash'], []],
    [1, ['exits-early'], []],
    [1, ['error-details'], []],
    [1, ['version-2'], []],
    [1, ['not-acp'], []],
    [2, ['modes'], ['--mode', 'nonesuch']],
    [2, ['config-options'], ['--set', 'nonesuch=1']],
    [2, ['auth'], ['--auth', 'nonesuch']],
    [2, ['echo'], ['--resume', '-p']],
    [1, ['echo'], ['--resume', 'x']],
    [4, ['echo'], ['--continue']],
    [2, ['echo'], ['--cwd', '/nonesuch']],
    [3, ['hangs'], ['--timeout', '0.2']],
    [3, ['silent'], ['--timeout', '0.2']],
    [5, ['permission'], []],
    [6, ['auth'], []],
    [6, ['sign-in'], ['--auth', 'key']],
    [6, ['sign-in'], ['--auth', 'terminal']],
    [6, ['sign-in'], ['--auth', 'key', '--env', 'FAKE_KEY=wrong']],
    [7, ['refusal'], []],
    [8, ['max-tokens'], []],
    [8, ['max-turn-requests'], []],
    [0, ['permission'], ['--approve', 'all']],
    [0, ['auth'], ['--auth', 'token']],
    [0, ['sign-in'], ['--auth', 'key', '--env', 'FAKE_KEY=right']],
    [0, ['modes'], ['--mode', 'code']],
  ] as const)('is %i for %j %j', async (code, [scenario], args) => {
    const run = await runHere(['-p', 'x', ...args, agentOption(scenario)]);
    expect(run.exitCode).toBe(code);
    expect(run.stderr.split('\n').filter((line) => line.startsWith('acp-tui: '))).toHaveLength(
      code === 0 ? 0 : 1,
    );
  });

  test('is that of the signal for an agent that hangs at its start, whose output is shown at once', async () => {
    const {child, ended, stderr} = startProgram(['-p', 'x', agentOption('silent', 'set KEY first')], {
      input: '',
    });
    const said = /^acp-tui: warning: \S+ has not answered yet\. It printed: set KEY first$/gm;
    await expect.poll(stderr, {timeout: 30_000}).toMatch(said);
    expect(child.exitCode).toBe(null);
    child.kill('SIGINT');
    await ended;
    expect(stderr().match(said)).toHaveLength(1);
  });

  test('is 130 after Ctrl+C, once the agent has ended its turn', async () => {
    const {child, ended, stdout, stderr} = startProgram(['-p', 'x', agentOption('waits')], {input: ''});
    await expect.poll(stdout).toContain('waiting');
    child.kill('SIGINT');
    expect(await ended).toEqual({exitCode: 130, signal: null});
    expect(stderr()).toContain('press Ctrl+C again');
  });

  test('is 130 after pressing Ctrl+C twice, although the agent does not react', async () => {
    const {child, ended, stdout, stderr} = startProgram(['-p', 'x', agentOption('hangs')], {input: ''});
    await expect.poll(stdout).toContain('thinking');
    child.kill('SIGINT');
    await expect.poll(stderr).toContain('again');
    child.kill('SIGINT');
    expect(await ended).toEqual({exitCode: 130, signal: null});
  });

  test.each([
    ['SIGTERM', 143],
    // Node itself does something else on these.
    ['SIGUSR1', 138],
    ['SIGUSR2', 140],
  ] as const)('after %s is %i', async (signal, code) => {
    const {child, ended, stdout, stderr} = startProgram(['-p', 'x', agentOption('waits')], {input: ''});
    await expect.poll(stdout).toContain('waiting');
    child.kill(signal);
    expect(await ended).toEqual({exitCode: code, signal: null});
    expect(stderr()).not.toContain('Debugger');
  });

  test('after SIGUSR1 the demo agent opens no inspector and continues', async () => {
    const {child, ended, stdout} = startProgram(['-p', '/slow', '--agent', 'demo'], {input: ''});
    await expect.poll(stdout).toContain('1. This');
    const demo = relatedProcesses(child.pid!).find((pid) => commandOf(pid).includes('demo-agent.js'));
    const before = stdout().length;
    process.kill(demo!, 'SIGUSR1');
    await expect.poll(() => stdout().length).toBeGreaterThan(before + 50);
    expect(listening(demo!)).toEqual([]);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({exitCode: 143});
  });
});

describe('without an agent', () => {
  test('--version prints one line to standard output', async () => {
    expect(await runProgram(['--version'])).toEqual({exitCode: 0, stdout: `${version}\n`, stderr: ''});
  });

  test('--help prints to standard output, usage errors to standard error', async () => {
    expect(await runHere(['--help'])).toMatchObject({exitCode: 0, stderr: ''});
    const wrong = await runHere(['--nonesuch']);
    expect(wrong).toMatchObject({exitCode: 2, stdout: ''});
    expect(wrong.stderr).toMatch(/^acp-tui: .*--nonesuch.*\n$/);
  });

  test('an unknown theme is a usage error that lists the available ones', async () => {
    expect(await runHere(['-p', 'hello', '--theme', 'drak'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^acp-tui: Unknown theme "drak"\. Available: auto, dark, .*\n$/),
    });
  });
});
