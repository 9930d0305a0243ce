import {execa} from 'execa';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {beforeSignal} from '../../shared/processes/before-signal.ts';
import {openLeash} from '../../shared/processes/leash.ts';
import {createMarker, killTree} from '../../shared/processes/process-tree.ts';

/** Bytes of each output, if nothing else is said. */
const MAX_OUTPUT = 64 * 1024;

/** How long what it has printed is read after its end, in milliseconds. */
const DRAIN_MS = 500;

/** A program of the user's settings. */
interface UserProgram {
  /** For the shell. */
  readonly command: string;
  readonly cwd: string;
  /** What it inherits outside of a sandbox. */
  readonly environment: NodeJS.ProcessEnv;
  /** Variables for it alone. */
  readonly own?: NodeJS.ProcessEnv;
  /** Undefined if it runs outside. */
  readonly sandbox: Sandbox | undefined;
  /** For its standard input. */
  readonly input: string;
  /** In milliseconds. */
  readonly limitMs: number;
  /** It is ended when an output has more bytes. */
  readonly maxOutput?: number;
  /** What it has started goes on after it if it succeeds, as a server does that it sets up. */
  readonly leavesRunning?: boolean;
  /** Ends it, and begins nothing, once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** How it ended: with an exit code, or in a sentence why not. */
export type ProgramEnd =
  {readonly exitCode: number; readonly stdout: string; readonly stderr: string} | {readonly problem: string};

export interface RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  readonly kill: () => void;
}

/** Runs a program for at most its time, and ends it with everything that it started: that may hold its output open. */
export function startUserProgram({
  command,
  cwd,
  environment,
  own,
  sandbox,
  input,
  limitMs,
  maxOutput = MAX_OUTPUT,
  leavesRunning = false,
  signal,
}: UserProgram): RunningProgram {
  if (signal?.aborted) return notStarted('It was cancelled.');
  const marker = createMarker();
  const env = {...(sandbox?.policy.environment ?? environment), ...own};
  const inside = sandbox?.confine(['/bin/sh', '-c', command], {cwd, env, isInTerminal: false});
  if (inside && !inside.ok) return notStarted(failureSentence(inside.failure));
  const confined = inside?.value;
  // In a sandbox, all ends with its first process.
  const leash = confined ? undefined : openLeash();
  const options = {
    input,
    cwd,
    env: {...(confined?.env ?? env), [marker]: '1'},
    extendEnv: false,
    maxBuffer: maxOutput,
    detached: true,
    cleanup: false,
    reject: false,
    ...(leash && {stdio: leash.stdio}),
  } as const;
  const [file, ...args] = confined?.argv ?? [command];
  const child = execa(file, args, {...options, shell: !confined});
  leash?.close();
  const kill = () => {
    if (child.pid !== undefined) killTree({pid: child.pid, marker, leash, signal: 'SIGKILL'});
  };
  signal?.addEventListener('abort', kill);
  // What it leaves behind may hold its outputs open, and is not always found.
  child.nodeChildProcess.once('exit', (code) => {
    if (code !== 0 || !leavesRunning) kill();
    const drop = () => [child.stdout, child.stderr].forEach((output) => output.destroy());
    const late = setTimeout(drop, DRAIN_MS);
    child.nodeChildProcess.once('close', () => clearTimeout(late));
  });
  async function end(): Promise<ProgramEnd> {
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      kill();
    }, limitMs);
    const {exitCode, stdout, stderr, isMaxBuffer, shortMessage} = await child;
    clearTimeout(limit);
    signal?.removeEventListener('abort', kill);
    if (isLate) return {problem: `It did not end within ${limitMs / 1000} s.`};
    if (isMaxBuffer) return {problem: `It printed more than ${maxOutput / 1024} KiB.`};
    return exitCode === undefined
      ? {problem: shortMessage ?? 'It did not end by itself.'}
      : {exitCode, stdout: stdout ?? '', stderr: stderr ?? ''};
  }
  return {ended: end(), kill};
}

function notStarted(problem: string): RunningProgram {
  return {ended: Promise.resolve({problem}), kill: () => {}};
}

/** Runs a program that must not outlive acp-tui, also if a signal ends that while nothing else listens. */
export async function runUserProgram(program: UserProgram): Promise<ProgramEnd> {
  let running: RunningProgram | undefined;
  const kill = () => running?.kill();
  // It may run for a while before its start returns.
  process.once('exit', kill);
  const stop = beforeSignal(kill);
  running = startUserProgram(program);
  const end = await running.ended;
  process.removeListener('exit', kill);
  stop();
  return end;
}
