import {execa} from 'execa';
import type {ProcessExit} from '../failure.ts';
import {createMarker, descendants, endTree, killTree} from '../process-tree.ts';
import {takeOutput} from './output.ts';

export interface CommandToRun {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How much output is kept, in UTF-8 bytes. */
  readonly outputLimit: number;
  /** Output as it comes: UTF-8, LF, at most thirty times a second, of a flood only the end. */
  readonly onOutput: (text: string) => void;
}

/** A command that runs or ran, with everything it started. */
export interface Terminal {
  output(): {readonly output: string; readonly truncated: boolean};
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined;
  /** Resolves when it has ended and its output was taken in. */
  readonly exited: Promise<ProcessExit>;
  /** SIGTERM, after a second SIGKILL, to all that came of it; resolves when nothing is left. */
  end(): Promise<void>;
  /** SIGKILL to all that came of it. */
  killNow(): void;
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;

/**
 * Starts a command in a process group of its own, without input. Synchronous, so that nothing runs that its caller does not
 * know of yet; `problem` says why it could not be started.
 */
export function startTerminal(command: CommandToRun): Terminal | {readonly problem: Promise<string>} {
  const marker = createMarker();
  // One pipe for both streams, so that what was printed first comes first: only a shell can tie them together.
  const child = execa('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command.argv], {
    cwd: command.cwd,
    env: {...command.env, [marker]: '1'},
    extendEnv: false,
    detached: true,
    cleanup: false,
    stdin: 'ignore',
    stderr: 'ignore',
    encoding: 'buffer',
    buffer: false,
    reject: false,
  });
  if (child.pid === undefined)
    return {problem: child.then((result) => result.originalMessage ?? 'the system did not say why')};
  const tree = {pid: child.pid, marker};
  const output = takeOutput(child.stdout, command);
  let ended: ProcessExit | undefined;
  // The id of a tree that is gone may belong to somebody else by now.
  let gone = false;
  const look = () => {
    gone ||= descendants(tree).length === 0;
  };
  const {promise: exited, resolve} = Promise.withResolvers<ProcessExit>();
  child.nodeChildProcess.once('exit', (code, signal) => {
    look();
    void output.closed.then(look);
    void output.settled().then(() => resolve((ended = {code, signal})));
  });
  return {
    output: output.read,
    exit: () => ended,
    exited,
    async end() {
      if (gone) return;
      gone = await endTree(tree, {graceMs: GRACE_MS});
      if (gone) await exited;
      child.stdout.destroy();
    },
    killNow() {
      if (!gone) killTree({...tree, signal: 'SIGKILL'});
    },
  };
}
