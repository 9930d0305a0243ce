import {spawn, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable, Writable} from 'node:stream';
import {onTestFinished} from 'vitest';
import {run} from '../../../src/modes/run.ts';
import {parseArguments} from '../../../src/modes/parse-arguments.ts';
import {AGENTS_HERE} from '../agent-here.ts';
import {lendProcess, PROGRAM} from '../driver/lend-process.ts';
import {FAKE_AGENT} from '../fake-agent.ts';

export {PROGRAM};

export interface ProgramOptions {
  /** Written to standard input, which is then closed; without it, standard input stays open. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface RunHereOptions extends ProgramOptions {
  /** In place of the standard output that is collected: a file that may be full. */
  readonly stdoutFd?: number;
}

export interface RunningProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when the program has exited and its output is complete. */
  readonly ended: Promise<{readonly exitCode: number | null; readonly signal: NodeJS.Signals | null}>;
}

/** Starts the built program with its own settings and state; it is killed at the end of the test if it still runs. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): RunningProgram {
  const child = spawn(process.execPath, [PROGRAM, ...args], homeFor(options));
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = {stdout: '', stderr: ''};
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  // The program may exit before it has read everything.
  child.stdin.on('error', () => {});
  if (options.input !== undefined) child.stdin.end(options.input);
  const ended = once(child, 'close').then(([exitCode, signal]) => ({
    exitCode: exitCode as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {child, stdout: () => output.stdout, stderr: () => output.stderr, ended};
}

/** Where it runs: with its own settings and state, which are removed at the end of the test. */
function homeFor({cwd, env}: ProgramOptions) {
  const home = mkdtempSync(join(tmpdir(), 'acp-tui-home-'));
  onTestFinished(() => rmSync(home, {recursive: true, force: true, maxRetries: 5}));
  const folders = ['config', 'state', 'data', 'cache'].map(
    (name) => [`ACP_TUI_${name.toUpperCase()}_DIR`, join(home, name)] as const,
  );
  return {cwd: cwd ?? home, env: {...process.env, ...Object.fromEntries(folders), ...env}};
}

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program until it exits; standard input is empty unless given. */
export async function runProgram(
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const {ended, stdout, stderr} = startProgram(args, {input: '', ...options});
  const {exitCode} = await ended;
  return {exitCode, stdout: stdout(), stderr: stderr()};
}

/**
 * The same in the process of the test: a process takes half a second of CPU to start. For what is not about a process: its signals, its streams, its
 * command line as a shell has it. Several at a time share environment and folder.
 */
export async function runHere(
  args: readonly string[],
  {input = '', stdoutFd, ...options}: RunHereOptions = {},
): Promise<ProgramResult> {
  const [stdout, stderr] = [collecting(), collecting()];
  const stdin = Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), {unref: () => stdin});
  const takeBack = lendProcess({
    ...homeFor(options),
    args,
    stdin,
    stdout: Object.assign(stdout.stream, stdoutFd !== undefined && {fd: stdoutFd}),
    stderr: stderr.stream,
  });
  try {
    const parsed = await parseArguments(args, {stdinIsTty: false, stdoutIsTty: false, columns: 80});
    const exitCode = await run(parsed, {...AGENTS_HERE, loadScreen});
    return {exitCode, stdout: stdout.text(), stderr: stderr.text()};
  } finally {
    takeBack();
  }
}

/** A window has a driver of its own. */
function loadScreen(): never {
  throw new Error('a window is opened by openChat');
}

function collecting() {
  let text = '';
  const stream = new Writable({
    decodeStrings: true,
    write(data: Buffer, _encoding, written) {
      text += data.toString('utf8');
      written();
    },
  });
  return {stream, text: () => text};
}

/** The option that starts the scripted agent with this scenario. */
export function agentOption(scenario: string, ...args: readonly string[]): string {
  const words = [process.execPath, FAKE_AGENT, scenario, ...args].map((word) => JSON.stringify(word));
  return `--agent=${words.join(' ')}`;
}
