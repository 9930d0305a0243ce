import {readFileSync, readlinkSync} from 'node:fs';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {ProcessExit} from '../../shared/failure.ts';
import {
  createMarker,
  descendants,
  endTree,
  interruptGroup,
  killTree,
  relatedProcesses,
} from '../../shared/processes/process-tree.ts';
import {
  applySandbox,
  type CommandProcess,
  type NotStarted,
  type ProcessToStart,
  startPiped,
  fitsPty,
  startInPty,
  type SpawnPty,
} from './command-process.ts';
import {captureOutput, type OutputOptions} from './output.ts';

interface CommandToRun extends ProcessToStart, OutputOptions {
  /** Undefined if there are no pseudo-terminals. */
  readonly spawnPty: SpawnPty | undefined;
}

/** A running or exited command, with everything it started. */
export interface Terminal {
  /** True if it has a pseudo-terminal, and so input. */
  readonly hasPty: boolean;
  output(): {readonly output: string; readonly truncated: boolean};
  /** Undefined while it runs. */
  exit(): ProcessExit | undefined;
  /** Resolves when it has exited and its output was read. */
  readonly exited: Promise<ProcessExit>;
  /** Types into it; ignored if it has no input, or has exited. */
  type(text: string): void;
  /** Ctrl+C: sends SIGINT to the foreground processes. */
  interrupt(): void;
  /** True if it is certainly waiting for input. */
  awaitsInput(): boolean;
  /** Sends SIGTERM, after a second SIGKILL, to the whole tree; resolves when nothing is left. */
  end(): Promise<void>;
  /** Sends SIGKILL to the whole tree. */
  killNow(): void;
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;

/**
 * Starts a command in a new process group, in a pseudo-terminal if possible. Synchronous, so that nothing runs that its caller does not know of; `problem` is
 * the reason if it could not be started.
 */
export function startTerminal(command: CommandToRun): Terminal | NotStarted {
  const marker = createMarker();
  const toStart = {...command, env: {...command.env, [marker]: '1'}};
  const started = startProcess(toStart);
  if ('problem' in started) return started;
  const tree = {pid: started.pid, marker};
  const output = captureOutput(started.output, command);
  let ended: ProcessExit | undefined;
  // The process id of a tree that is gone may have been reused.
  let gone = false;
  const checkTree = () => {
    gone ||= descendants(tree).length === 0;
  };
  const {promise: exited, resolve} = Promise.withResolvers<ProcessExit>();
  started.onExit((exit) => {
    checkTree();
    void output.closed.then(checkTree);
    void output.settled().then(() => resolve((ended = exit)));
  });
  return {
    hasPty: started.type !== undefined,
    output: output.read,
    exit: () => ended,
    exited,
    type(text) {
      if (!ended) started.type?.(text);
    },
    interrupt() {
      if (ended || gone) return;
      if (started.type) started.type('\x03');
      else interruptGroup(started.pid);
    },
    awaitsInput: () => !ended && started.type !== undefined && readsTerminal(relatedProcesses(tree.pid)),
    async end() {
      if (gone) return;
      gone = await endTree(tree, {graceMs: GRACE_MS});
      if (gone) await exited;
      started.dispose();
    },
    killNow() {
      if (!gone) killTree({...tree, signal: 'SIGKILL'});
    },
  };
}

function startProcess({spawnPty, ...command}: CommandToRun): CommandProcess | NotStarted {
  const applied = applySandbox(command, spawnPty !== undefined);
  if (!applied.ok) return {problem: Promise.resolve(failureSentence(applied.failure))};
  const whole = applied.value;
  try {
    if (spawnPty && fitsPty(whole)) return startInPty(spawnPty, whole);
  } catch {
    // No pseudo-terminal is left on the system.
  }
  return startPiped(whole);
}

/** The number of the system call `read`. */
const READ: Readonly<Record<string, string>> = {x64: '0', arm64: '63'};

/**
 * True if one of these processes sleeps in a read of its terminal. Linux only; a program that waits for keys and for something else at once is not detected.
 * Never throws.
 */
function readsTerminal(processes: readonly number[]): boolean {
  return process.platform === 'linux' && processes.some(readsItsTerminal);
}

function readsItsTerminal(pid: number): boolean {
  try {
    const [call, file] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
    if (call === undefined || call !== READ[process.arch]) return false;
    return /^\/dev\/(?:pts\/\d+|tty)$/.test(readlinkSync(`/proc/${pid}/fd/${Number(file)}`));
  } catch {
    return false;
  }
}
