import {spawnSync} from 'node:child_process';
import {execa} from 'execa';
import {ownEnvironment} from '../shared/processes/executable.ts';
import {fail, type ProcessExit, type Result} from '../shared/failure.ts';
import {createMarker, endTree, isStopped, killTree} from '../shared/processes/process-tree.ts';
import {agentEnvironment} from './environment.ts';
import {launchFailure} from './launch.ts';

/** A program to run in the foreground of the terminal. */
export interface ForegroundProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

export interface RunningForeground {
  /** Resolves when the program has exited and the terminal modes are restored; a failure if it cannot be started. */
  readonly ended: Promise<Result<ProcessExit>>;
  /** Stops the program and what it left running in the terminal. */
  readonly end: () => Promise<void>;
  /** Kills the program and what it left running, synchronously, for exits that cannot wait. */
  readonly killNow: () => void;
}

/** Interval of checking whether the program is stopped, in milliseconds. */
const POLL_MS = 250;

/**
 * Stops this process when the program has stopped only itself, as programs do that read Ctrl+Z as a key; otherwise the shell would wait for a job that does
 * nothing. SIGCONT to the job continues both. Returns a function that ends the check.
 */
function stopWith(pid: number): () => void {
  let wasStopped = false;
  const timer = setInterval(() => {
    const is = isStopped(pid);
    // Twice in a row: if both were stopped, this process may continue slightly earlier.
    if (is && wasStopped) process.kill(process.pid, 'SIGTSTP');
    wasStopped = is && !wasStopped;
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** Grace period for processes that the program left behind, in milliseconds. */
const GRACE_MS = 1000;

/**
 * Runs a program in this process's terminal and process group, so Ctrl+C and Ctrl+Z reach it as in a shell. Processes that it leaves running in the terminal
 * would read acp-tui's keys, so they are ended too; a browser in its own session keeps running.
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
      const failure = launchFailure(command, {code, message: originalMessage}, process.env);
      return fail(failure);
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
 * Saves the modes of the terminal on stdin and returns a function that restores them: a killed program leaves its own modes set, and they would be mistaken
 * for the user's.
 */
function keepTerminalModes(): () => void {
  if (process.platform === 'win32') return () => {};
  const modes = stty('-g').trim();
  return () => void (modes === '' || stty(modes));
}

/** In milliseconds. */
const STTY_MS = 1000;

function stty(argument: string): string {
  const {stdout} = spawnSync('stty', [argument], {
    env: ownEnvironment(),
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: STTY_MS,
    killSignal: 'SIGKILL',
  });
  return stdout ?? '';
}
