import {announceArrival} from '../text/late.ts';
import type {TaskName} from './tasks.ts';
import type {StartThread, Thread} from './thread.ts';

/** On a busy machine a task has more time, up to so many times its limit: otherwise ordinary text would be drawn plain there. */
const MOST_TIME = 10;
/** So many milliseconds may a thread take to start. */
const START_LIMIT = 15_000;
/** A thread that fails so often in a row before it is ready is not started again. */
const MAX_FAILURES = 3;
/** After so many tasks that took too long, none are run for some time, so that a flood of them delays no text for long; a tenth of the time that passes is regained. */
const MAX_ENDED = 3;

interface Job {
  readonly name: TaskName;
  readonly input: unknown;
  readonly finish: (output: unknown) => void;
}

interface QueueOptions {
  readonly startThread: StartThread;
  /** A task has so many milliseconds of the processor; then its thread is ended. */
  readonly timeLimit: number;
  /** The processor time of this process, in milliseconds. */
  readonly processorTime?: () => number;
  /** So many milliseconds at most `run` waits for the output, and not more than half of the time; by default it does not. */
  readonly maxWait?: number;
  /** The thread ends when it was idle for so many milliseconds; by default it never does. */
  readonly maxIdle?: number;
}

/** Runs tasks in a thread, one after the other, each within a time limit; the output of those that fail is null. */
export class TaskQueue {
  readonly #options: QueueOptions;
  #thread: Thread | undefined;
  #isReady = false;
  #current: Job | undefined;
  #waiting: Job[] = [];
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #patience: ReturnType<typeof createBudget>;
  readonly #waste: ReturnType<typeof createBudget>;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#patience = createBudget(options.maxWait ?? 0, 0.5);
    this.#waste = createBudget(MAX_ENDED * options.timeLimit, 0.1);
  }

  get isIdle(): boolean {
    return this.#isReady && this.#current === undefined;
  }

  start(): void {
    if (this.#thread !== undefined) return;
    const thread = this.#options.startThread({
      onReady: () => {
        if (this.#thread !== thread) return;
        this.#isReady = true;
        this.#failures = 0;
        announceArrival();
        this.#next();
      },
      onOutput: (output) => this.#thread === thread && this.#settle(output),
      onEnd: () => this.#thread === thread && this.#lost(),
    });
    this.#thread = thread;
    this.#after(START_LIMIT, () => this.#lost());
  }

  /** Runs a task; returns its output if it is there in time. Otherwise `finish` gets it. */
  run(job: Job): {readonly output: unknown} | undefined {
    if (this.#isGivenUp) return {output: null};
    const most = this.isIdle ? this.#patience.left() : 0;
    this.#waiting.push(job);
    this.#next();
    if (most <= 0) return undefined;
    const before = performance.now();
    const answer = this.#thread?.wait(most);
    this.#patience.spend(performance.now() - before);
    if (answer === undefined) return undefined;
    this.#current = undefined;
    this.#next();
    return answer;
  }

  get #isGivenUp(): boolean {
    return this.#failures >= MAX_FAILURES || this.#waste.left() <= 0;
  }

  #next(): void {
    if (this.#current !== undefined || (!this.#isReady && this.#waiting.length === 0)) return;
    if (!this.#isReady) return this.start();
    const job = this.#waiting.shift();
    this.#current = job;
    const {timeLimit, maxIdle = Infinity} = this.#options;
    if (job === undefined) return this.#after(maxIdle, () => this.#end());
    this.#thread?.post(job.name, job.input);
    const {processorTime = processorTimeOfProcess} = this.#options;
    const started = {at: performance.now(), used: processorTime()};
    const check = () => {
      // The thread has had at most what the whole process has.
      const left = timeLimit - (processorTime() - started.used);
      const most = MOST_TIME * timeLimit - (performance.now() - started.at);
      if (Math.min(left, most) < 1) this.#expire();
      else this.#after(Math.min(left, most), check);
    };
    this.#after(timeLimit, check);
  }

  #settle(output: unknown): void {
    const job = this.#current;
    this.#current = undefined;
    job?.finish(output);
    if (this.#isGivenUp) for (const waiting of this.#waiting.splice(0)) waiting.finish(null);
    this.#next();
  }

  #expire(): void {
    // After a stall, timers run before what has been received meanwhile.
    const answer = this.#thread?.wait(0);
    if (answer === undefined) {
      this.#waste.spend(this.#options.timeLimit);
      this.#end();
    }
    this.#settle(answer === undefined ? null : answer.output);
  }

  /** The thread has ended by itself, or did not start. */
  #lost(): void {
    if (!this.#isReady) this.#failures++;
    this.#end();
    this.#settle(null);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#thread?.end();
    this.#thread = undefined;
    this.#isReady = false;
  }

  #after(milliseconds: number, then: () => void): void {
    clearTimeout(this.#timer);
    if (milliseconds < Infinity) this.#timer = setTimeout(then, milliseconds).unref();
  }
}

function processorTimeOfProcess(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1000;
}

/** A budget that time refills, up to what it began with. */
function createBudget(most: number, rate: number) {
  let remaining = most;
  let since = performance.now();
  const left = () => {
    remaining = Math.min(most, remaining + (performance.now() - since) * rate);
    since = performance.now();
    return remaining;
  };
  return {
    left,
    spend(amount: number) {
      remaining = left() - amount;
    },
  };
}
