import {execFile} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {describe, expect, test} from 'vitest';
import {isProcessRunning} from '../../support/program/running.ts';
import {fakeAgent, openReady, temporaryFolder} from '../../support/driver/chat.ts';
import {agentOption, runProgram, startProgram} from '../../support/program/run-program.ts';

/* The built program in pipes, as scripts use it. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = join(root, 'dist');
const REACT = 'react.transitional.element';

/** A shell script, with the built program as `$1` followed by its arguments. */
async function shell(script: string, ...args: readonly string[]): Promise<{stdout: string; stderr: string}> {
  const words = ['-c', script, 'sh', join(root, 'bin/acp-tui.js'), ...args];
  const home = temporaryFolder('shell');
  const env = {...process.env, ACP_TUI_CONFIG_DIR: home, ACP_TUI_STATE_DIR: home, NODE: process.execPath};
  return promisify(execFile)('/bin/bash', words, {env, cwd: home, maxBuffer: 2 ** 26});
}

describe('what is loaded', () => {
  /** A log of the built files that a run loads, as Node resolves them, and the environment that enables it. */
  function loadLog() {
    const folder = temporaryFolder('hook');
    const [hook, log] = [join(folder, 'hook.mjs'), join(folder, 'loaded')];
    writeFileSync(log, '');
    writeFileSync(
      hook,
      `import {registerHooks} from 'node:module';
      import {appendFileSync} from 'node:fs';
      registerHooks({load: (url, context, next) => (appendFileSync(${JSON.stringify(log)}, url + '\\n'), next(url, context))});`,
    );
    const names = () =>
      [...readFileSync(log, 'utf8').matchAll(/^file:.*\/dist\/(\S+)$/gm)].map(([, name]) => name ?? '');
    return {env: {NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`}, names};
  }
  async function loadedBy(args: readonly string[]): Promise<string[]> {
    const {env, names} = loadLog();
    await runProgram(args, {input: '', env});
    return names();
  }
  const source = (name: string) => readFileSync(join(dist, name), 'utf8');

  test('in print mode contains neither React nor Ink', async () => {
    const loaded = await loadedBy(['-p', 'hello', agentOption('echo')]);
    expect(loaded).toContainEqual(expect.stringMatching(/^print-mode/));
    expect(loaded.filter((name) => source(name).includes(REACT))).toEqual([]);
    // The marker it looked for is there.
    expect(readdirSync(dist).some((name) => source(name).includes(REACT))).toBe(true);
  });

  test('contains no shell grammar without rules about commands', async () => {
    const grammar = 'Incompatible language version';
    const loaded = await loadedBy(['-p', 'hello', '--approve', 'all', agentOption('echo')]);
    expect(loaded.filter((name) => source(name).includes(grammar))).toEqual([]);
    expect(readdirSync(dist).some((name) => source(name).includes(grammar))).toBe(true);
  });

  test('is a few files with all that every start needs', async () => {
    const print = await loadedBy(['-p', 'hello', agentOption('echo')]);
    expect(print.length).toBeGreaterThan(5);
    expect(print.length).toBeLessThan(25);
    const {env, names} = loadLog();
    await openReady({agent: fakeAgent('echo'), env});
    expect(names().length).toBeGreaterThan(5);
    expect(names().length).toBeLessThan(30);
  });

  test('for --version is only the entry point and the handling of a closed output', async () => {
    const files = await loadedBy(['--version']);
    expect(files.length).toBeGreaterThan(0);
    expect(files.reduce((bytes, name) => bytes + source(name).length, 0)).toBeLessThan(15_000);
  });
});

describe('standard output', () => {
  test('closed early ends the run without a message', async () => {
    const script = '"$NODE" "$1" -p go "$2" < /dev/null | head -c 10; echo " ${PIPESTATUS[0]}"';
    const {stdout, stderr} = await shell(script, agentOption('flood'));
    expect(stdout).toBe('0 1 2 3 4  141\n');
    expect(stderr).toBe('');
  });

  test('that is read slowly gets everything', async () => {
    const script = '"$NODE" "$1" -p go "$2" | { read -r -n 1 first; sleep 1; printf %s "$first"; cat; }';
    const {stdout} = await shell(script, agentOption('flood', '50000'));
    expect(stdout.trimEnd().split(' ')).toEqual(Array.from({length: 50_000}, (_, index) => `${index}`));
  });
});

describe('the prompt', () => {
  const prompt = Array.from({length: 110_000}, (_, index) => `word${index}`).join(' ');

  test('of a megabyte goes through standard input and comes back whole', async () => {
    expect(prompt.length).toBeGreaterThan(1_000_000);
    const run = await runProgram(['-p', '-', '--output-format', 'quiet', agentOption('echo')], {
      input: prompt,
    });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe(`${prompt}\n`);
  });

  test("in a loop does not consume the loop's input", async () => {
    const script =
      'printf "a\\nb\\nc\\n" | while read -r line; do "$NODE" "$1" -p "$line" "$2" 2>/dev/null; done';
    expect((await shell(script, agentOption('echo'))).stdout).toBe('a\nb\nc\n');
  });

  test('may come from a file, and beside arguments with -', async () => {
    const script = 'echo from a file > f; "$NODE" "$1" "$2" < f; "$NODE" "$1" -p first - "$2" < f';
    expect((await shell(script, agentOption('echo'))).stdout).toBe('from a file\nfirst\n\nfrom a file\n');
  });
});

test('a run leaves nothing behind, however stubborn', async () => {
  const {child, ended, stdout} = startProgram(['-p', 'x', agentOption('stubborn')], {input: ''});
  await ended;
  const pids = Object.values(JSON.parse(stdout()) as Record<string, number>);
  expect(pids).toHaveLength(3);
  expect(child.exitCode).toBe(0);
  expect(pids.filter(isProcessRunning)).toEqual([]);
});
