import {spawnSync} from 'node:child_process';
import {execa} from 'execa';
import type {ProcessExit, Result} from '../shared/failure.ts';
import {createMarker, endTree, isStopped, killTree} from '../shared/process-tree.ts';
import {agentEnvironment} from './environment.ts';
import {launchFailure} from './launch-failure.ts';

/** A program that is to have the terminal. */
export interface ForegroundProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

export interface RunningForeground {
  /** Resolves when it has ended, with the terminal set as it was; a program that cannot be started is a failure. */
  readonly ended: Promise<Result<ProcessExit>>;
  /** Ends it with what it left in the terminal. */
  readonly end: () => Promise<void>;
  /** The same for exits that cannot wait, synchronously. */
  readonly killNow: () => void;
}

/** How often it is looked whether the program has stopped, in milliseconds. */
const LOOK_MS = 250;

/**
 * Stops this process when the program has stopped itself alone, as those do that read Ctrl+Z as a key: the shell would wait for a
 * job of which nothing moves. What brings the job back continues both. Returns what ends it.
 */
function stopWith(pid: number): () => void {
  let wasStopped = false;
  const timer = setInterval(() => {
    const is = isStopped(pid);
    // Twice in a row: where both were stopped, this one may go on a moment before the other.
    if (is && wasStopped) process.kill(process.pid, 'SIGTSTP');
    wasStopped = is && !wasStopped;
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** How long what it leaves may take to end. */
const GRACE_MS = 1000;

/**
 * Runs a program in the terminal that this process has, in its process group: keys like Ctrl+C and Ctrl+Z reach it as in a
 * shell. What it leaves running in the terminal would take keys from us, so it is ended with it; a browser that it opened in
 * a session of its own stays.
 */
export function runInForeground({command, args, env, cwd}: ForegroundProgram): RunningForeground {
  const restore = keepTerminalModes();
  const marker = createMarker();
  const child = execa(command, args, {
    cwd,
    env: agentEnvironment(process.env, {...env, [marker]: '1'}),
    extendEnv: false,
    stdio: 'inherit',
    cleanup: false,
    reject: false,
  });
  const tree = child.pid === undefined ? undefined : {pid: child.pid, marker, sparesOtherSessions: true};
  const stopFollowing = tree ? stopWith(tree.pid) : () => {};

  async function untilEnded(): Promise<Result<ProcessExit>> {
    const {exitCode, signal, code, originalMessage = ''} = await child;
    stopFollowing();
    restore();
    if (!tree) {
      const failure = await launchFailure(command, {code, message: originalMessage});
      return {ok: false, failure};
    }
    await endTree(tree, {graceMs: GRACE_MS});
    return {ok: true, value: {code: exitCode ?? null, signal: signal ?? null}};
  }

  return {
    ended: untilEnded(),
    async end() {
      if (tree) await endTree(tree, {graceMs: GRACE_MS});
    },
    killNow() {
      if (tree) killTree({...tree, signal: 'SIGKILL'});
      restore();
    },
  };
}

/**
 * Notes how the terminal of standard input is set, and returns what sets it so again: a program that is killed leaves it as it
 * was for itself, and that would be taken for how the user has it.
 */
function keepTerminalModes(): () => void {
  if (process.platform === 'win32') return () => {};
  const modes = stty('-g').trim();
  return () => void (modes === '' || stty(modes));
}

function stty(argument: string): string {
  const {stdout} = spawnSync('stty', [argument], {stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8'});
  return stdout ?? '';
}
