import {spawn, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {FAKE_AGENT} from '../fake-agent.ts';

const root = new URL('../../../', import.meta.url);
export const programFile = fileURLToPath(new URL('bin/acp-tui.js', root));

export interface ProgramOptions {
  /** Written to standard input, which is then closed; without it, standard input stays open. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
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
  const home = mkdtempSync(join(tmpdir(), 'acp-tui-home-'));
  const child = spawn(process.execPath, [programFile, ...args], {
    cwd: options.cwd ?? home,
    env: {
      ...process.env,
      ACP_TUI_CONFIG_DIR: join(home, 'config'),
      ACP_TUI_STATE_DIR: join(home, 'state'),
      ACP_TUI_DATA_DIR: join(home, 'data'),
      ACP_TUI_CACHE_DIR: join(home, 'cache'),
      ...options.env,
    },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(home, {recursive: true, force: true, maxRetries: 5});
  });
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

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program until it exits. */
export async function runProgram(
  args: readonly string[],
  options: ProgramOptions = {input: ''},
): Promise<ProgramResult> {
  const {ended, stdout, stderr} = startProgram(args, options);
  const {exitCode} = await ended;
  return {exitCode, stdout: stdout(), stderr: stderr()};
}

/** The option that starts the scripted agent with this scenario. */
export function agentOption(scenario: string, ...args: readonly string[]): string {
  const words = [process.execPath, FAKE_AGENT, scenario, ...args].map((word) => JSON.stringify(word));
  return `--agent=${words.join(' ')}`;
}
