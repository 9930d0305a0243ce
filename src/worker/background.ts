import {announceArrival} from './arrivals.ts';
import {TaskQueue} from './task-queue.ts';
import type {TaskInput, TaskName, TaskOutput} from './tasks.ts';
import {startThread, type StartThread} from './thread.ts';

/** A task has so many milliseconds of the processor; then its thread is ended. */
const TIME_LIMIT = 1000;
/** Milliseconds of the processor for a task that takes long for ordinary input. */
const LONG_LIMIT = 10_000;
/** The thread of those ends when it was idle for so many milliseconds: it keeps what it has read in memory. */
const MAX_IDLE = 30_000;

let drawing: TaskQueue;
let longer: TaskQueue;

/** Sets how threads are started. */
export function useThreads(startThread: StartThread): void {
  drawing = new TaskQueue({startThread, timeLimit: TIME_LIMIT});
  longer = new TaskQueue({startThread, timeLimit: LONG_LIMIT, maxIdle: MAX_IDLE});
}

useThreads(startThread);

/** Starts the thread that draws, so that it is ready when it is needed. */
export function startDrawing(): void {
  drawing.start();
}

interface Known {
  readonly name: TaskName;
  readonly variant: string;
  output: unknown;
}

/** By what the task is about. */
const known = new WeakMap<object, Known>();

interface Task<Name extends TaskName> {
  /** What the task is about, by which its output is cached. */
  readonly of: object;
  /** Everything else that the input depends on. */
  readonly variant?: string;
  readonly input: () => TaskInput<Name>;
  /** True if it is drawn again soon: nothing is run while another task is. */
  readonly isDraft?: boolean;
  /** True if it takes long for ordinary input: nothing waits for it, and drawing goes on. */
  readonly isLong?: boolean;
}

/**
 * Returns the output of a task while something is drawn, without waiting for it. Undefined if it is not there yet: an arrival is announced when it is. Null if
 * there will be none, because it takes too long or fails: draw it without.
 */
export function taskOutputIfReady<Name extends TaskName>(
  name: Name,
  {of, variant = '', input, isDraft = false, isLong = false}: Task<Name>,
): TaskOutput<Name> | null | undefined {
  const before = known.get(of);
  const isKnown = before?.name === name && (before.output === null || before.variant === variant);
  const queue = isLong ? longer : drawing;
  if (!isKnown && isDraft && !queue.isIdle) {
    queue.start();
    return undefined;
  }
  const entry: Known = isKnown ? before : {name, variant, output: undefined};
  if (!isKnown) {
    known.set(of, entry);
    const finish = (output: unknown) => {
      entry.output = output;
      announceArrival();
    };
    queue.run({name, input: input(), finish});
  }
  return entry.output as TaskOutput<Name> | null | undefined;
}

/** Returns the output of a task; null if it takes too long or fails. */
export function awaitTaskOutput<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskOutput<Name> | null> {
  return new Promise((resolve) => {
    longer.run({name, input, finish: (output) => resolve(output as TaskOutput<Name> | null)});
  });
}
