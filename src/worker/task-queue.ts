import {announceArrival} from './arrivals.ts';
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

/** So many tasks at most are in the thread: those behind one that takes too long have to be posted again. */
const MAX_POSTED = 8;

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
  /** The thread ends when it was idle for so many milliseconds; by default it never does. */
  readonly maxIdle?: number;
}

/** Runs tasks in a thread, one after the other, each within a time limit; the output of those that fail is null. */
export class TaskQueue {
  readonly #options: QueueOptions;
  #thread: Thread | undefined;
  #isReady = false;
  /** The first one runs, and the thread has some of the next ones, too: this process may be busy when one ends. */
  #jobs: Job[] = [];
  #posted = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waste: ReturnType<typeof createBudget>;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#waste = createBudget(MAX_ENDED * options.timeLimit, 0.1);
  }

  get isIdle(): boolean {
    return this.#isReady && !this.isBusy;
  }

  get isBusy(): boolean {
    return this.#jobs.length > 0;
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

  /** Runs a task; `finish` gets its output. */
  run(job: Job): void {
    if (this.#isGivenUp) return job.finish(null);
    this.#jobs.push(job);
    if (this.#jobs.length === 1) this.#next();
    else this.#post();
  }

  get #isGivenUp(): boolean {
    return this.#failures >= MAX_FAILURES || this.#waste.left() <= 0;
  }

  /** Begins the time of the first job. */
  #next(): void {
    const {timeLimit, maxIdle = Infinity} = this.#options;
    if (!this.#isReady) return this.#jobs.length > 0 ? this.start() : undefined;
    if (this.#jobs.length === 0) return this.#after(maxIdle, () => this.#end());
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
    this.#post();
  }

  #post(): void {
    while (this.#isReady && this.#posted < MAX_POSTED) {
      const job = this.#jobs[this.#posted];
      if (job === undefined) return;
      this.#posted++;
      this.#thread?.post(job.name, job.input);
    }
  }

  #settle(output: unknown): void {
    this.#posted--;
    this.#finish(this.#jobs.shift(), output);
  }

  #finish(job: Job | undefined, output: unknown): void {
    job?.finish(output);
    if (this.#isGivenUp) for (const waiting of this.#jobs.splice(0)) waiting.finish(null);
    this.#next();
  }

  #expire(): void {
    // After a stall, timers run before what has been received meanwhile.
    const answer = this.#thread?.received();
    if (answer !== undefined) return this.#settle(answer.output);
    this.#waste.spend(this.#options.timeLimit);
    this.#fail();
  }

  /** The thread has ended by itself, or did not start. */
  #lost(): void {
    if (!this.#isReady) this.#failures++;
    this.#fail();
  }

  #fail(): void {
    const running = this.#posted > 0 ? this.#jobs.shift() : undefined;
    this.#end();
    this.#finish(running, null);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#thread?.end();
    this.#thread = undefined;
    this.#isReady = false;
    this.#posted = 0;
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
