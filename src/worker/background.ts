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
let recent: ReturnType<typeof createRecent>;

/** Sets how threads are started. */
export function useThreads(startThread: StartThread): void {
  drawing = new TaskQueue({startThread, timeLimit: TIME_LIMIT});
  longer = new TaskQueue({startThread, timeLimit: LONG_LIMIT, maxIdle: MAX_IDLE});
  recent = createRecent();
}

/** Starts the thread that draws, so that it is ready when it is needed. */
export function startDrawing(): void {
  drawing.start();
}

/** True while something is rendered, or waits for that. */
export function isDrawing(): boolean {
  return drawing.isBusy;
}

interface Known {
  readonly name: TaskName;
  readonly variant: string;
  output: unknown;
}

/** By what the task is about. */
const known = new WeakMap<object, Known>();

/** The outputs of so many inputs are kept in any case, and of more as long as they have so many UTF-16 units. */
const MIN_RECENT = 100;
const MAX_RECENT = 2_000_000;

/** By input: a drawing may make anew what a task is about, and what arrives would begin the next drawing for ever. */
function createRecent() {
  const entries = new Map<string, Known>();
  let size = 0;
  return (input: string, make: () => Known): Known => {
    const entry = entries.get(input) ?? make();
    if (!entries.delete(input)) size += input.length;
    entries.set(input, entry);
    for (const oldest of entries.keys()) {
      if (size <= MAX_RECENT || entries.size <= MIN_RECENT) break;
      entries.delete(oldest);
      size -= oldest.length;
    }
    return entry;
  };
}

useThreads(startThread);

interface Task<Name extends TaskName> {
  /** What the task is about, by which its output is cached. */
  readonly of: object;
  /** Everything else that the input depends on. */
  readonly variant?: string;
  readonly input: () => TaskInput<Name>;
  /** True if it is drawn again soon: nothing is run while another task is. */
  readonly isDraft?: boolean;
}

/**
 * Returns the output of a task while something is drawn, without waiting for it. Undefined if it is not there yet: an arrival is announced when it is. Null if
 * there will be none, because it takes too long or fails: draw it without.
 */
export function taskOutputIfReady<Name extends TaskName>(
  name: Name,
  {of, variant = '', input, isDraft = false}: Task<Name>,
): TaskOutput<Name> | null | undefined {
  const before = known.get(of);
  if (before?.name === name && (before.output === null || before.variant === variant))
    return before.output as TaskOutput<Name> | null | undefined;
  if (isDraft && !drawing.isIdle) {
    drawing.start();
    return undefined;
  }
  const asked = input();
  const entry = recent(JSON.stringify([name, asked]), () => {
    const made: Known = {name, variant, output: undefined};
    const finish = (output: unknown) => {
      made.output = output;
      announceArrival({isDraft});
    };
    drawing.run({name, input: asked, finish});
    return made;
  });
  known.set(of, entry);
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
