import {openTerminal, type Session} from '../terminal.ts';
import {AGENT, AGENT_LINE, INLINE_PROTOTYPE, PROGRAM, READY, workspace, type Used} from '../programs.ts';
import {median, quantile, type Measure, type Row} from '../row.ts';

interface Streamed extends Used {
  readonly bytesPerChunk: number;
  /** Between two frames, the median. */
  readonly frameMs: number;
  readonly echoes: readonly number[];
}

/** A long answer on the screen: as fast as possible, and at 200 chunks per second while a user types. */
export const streaming: Measure = {
  name: 'streaming',
  async run(scale) {
    const burst = Math.round(20_000 * scale);
    const paced = Math.round(20_000 * scale);
    const ours = [PROGRAM, '--agent', AGENT_LINE];
    const prototype = [INLINE_PROTOTYPE, ...AGENT];
    const fast = {ours: await stream(ours, burst, 0), prototype: await stream(prototype, burst, 0)};
    const slow = {ours: await stream(ours, paced, 200), prototype: await stream(prototype, paced, 200)};
    return [
      compare(fast, {what: `longest stall, ${burst} chunks at once`, unit: 'ms', target: 60}, stall),
      compare(fast, {what: 'CPU for 20,000 chunks at once', unit: 's', target: 1.5, of: 'ratio'}, (run) =>
        cpuFor20000(run, burst),
      ),
      compare(
        slow,
        {what: 'CPU for 20,000 chunks at 200/s, typing', unit: 's', target: 1.5, of: 'ratio'},
        (run) => cpuFor20000(run, paced),
      ),
      compare(
        slow,
        {what: 'bytes to the terminal per chunk at 200/s', unit: 'B', target: 120},
        (run) => run.bytesPerChunk,
      ),
      compare(slow, {what: 'time between two frames at 200/s', unit: 'ms', target: 50}, (run) => run.frameMs),
      compare(slow, {what: 'key to echo at 200/s, p50', unit: 'ms', target: 4}, (run) =>
        quantile(run.echoes, 0.5),
      ),
      compare(slow, {what: 'key to echo at 200/s, p99', unit: 'ms', target: 25}, (run) =>
        quantile(run.echoes, 0.99),
      ),
      compare(slow, {what: 'longest stall, 200 chunks/s', unit: 'ms', target: 60}, stall),
    ];
  },
};

type Pair = {readonly ours: Streamed; readonly prototype: Streamed};

const stall = (run: Streamed) => run.longestStallMs;
/** CPU seconds for 20,000 chunks. */
export const cpuFor20000 = (run: Streamed, chunks: number) => run.cpuSeconds * (20_000 / chunks);

function compare(pair: Pair, row: Omit<Row, 'value' | 'baseline'>, read: (run: Streamed) => number): Row {
  return {...row, value: read(pair.ours), baseline: read(pair.prototype)};
}

/** Answers a prompt with chunks at a rate per second; 0 for as fast as possible. */
export async function stream(
  program: readonly string[],
  count: number,
  perSecond: number,
): Promise<Streamed> {
  const {env, used, remove} = workspace();
  const resolution = perSecond > 0 ? '10' : '1';
  const terminal = openTerminal(process.execPath, program, {...env, BENCH_RESOLUTION: resolution});
  await terminal.until(READY);
  await ask(terminal, 'ping', 'pong');
  terminal.signal('SIGURG');
  const before = terminal.bytes();
  const written = terminal.writtenAt().length;
  terminal.mark();
  terminal.write(`chunks ${count} ${perSecond}`);
  await terminal.until(`chunks ${count} ${perSecond}`);
  terminal.write('\r');
  const echoes: number[] = [];
  let over = false;
  const end = terminal.until(` ${count - 1} `, 600).finally(() => (over = true));
  if (perSecond > 0) await typeMeanwhile(terminal, echoes, () => over);
  await end;
  const bytes = terminal.bytes() - before;
  const frames = terminal.writtenAt().slice(written);
  const frameMs = median(frames.slice(1).map((at, index) => at - (frames[index] ?? at)));
  await leave(terminal);
  const result = {...used(), bytesPerChunk: bytes / count, frameMs, echoes};
  remove();
  return result;
}

/** Types a letter four times a second and records how long each takes to appear. */
export async function typeMeanwhile(terminal: Session, echoes: number[], over: () => boolean): Promise<void> {
  const letters = 'QXZVKJWY';
  for (let i = 0; !over(); i++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + (i % 7) * 30));
    const letter = letters[i % letters.length] ?? 'Q';
    terminal.mark();
    const start = performance.now();
    terminal.write(letter);
    await terminal.until(letter, 60);
    echoes.push(performance.now() - start);
  }
}

export async function ask(terminal: Session, prompt: string, answer: string | RegExp): Promise<void> {
  terminal.write(prompt);
  await terminal.until(prompt);
  terminal.mark();
  terminal.write('\r');
  await terminal.until(answer);
}

export async function leave(terminal: Session): Promise<void> {
  terminal.write('\x15');
  const ended = terminal.ended;
  terminal.signal('SIGTERM');
  await ended;
}

const COUNT = 20;
/** Chunks per second, of all of them together. */
const RATES = [200, 1000];

/** Twenty subagents that write at once while a user types, beside the same chunks as one answer. */
export const subagents: Measure = {
  name: 'subagents',
  async run(scale) {
    const rows: Row[] = [];
    for (const rate of RATES) {
      const pieces = Math.round(30 * rate * scale);
      const ours = await typed(`subagents ${COUNT} ${rate} ${pieces}`, pieces);
      const plain = await typed(`chunks ${pieces} ${rate}`, pieces);
      rows.push({
        what: `key to echo, ${COUNT} subagents, ${rate} pieces/s, p99 (baseline: one answer)`,
        unit: 'ms',
        value: quantile(ours, 0.99),
        baseline: quantile(plain, 0.99),
        target: 25,
      });
    }
    return rows;
  },
};

/** How long each key takes to appear while the agent answers this prompt, in milliseconds. */
async function typed(prompt: string, pieces: number): Promise<readonly number[]> {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], env);
  await terminal.until(READY);
  terminal.write(prompt);
  await terminal.until(prompt);
  terminal.mark();
  terminal.write('\r');
  const echoes: number[] = [];
  let over = false;
  const end = terminal.until(` ${pieces - 1} `, 600).finally(() => (over = true));
  await typeMeanwhile(terminal, echoes, () => over);
  await end;
  await leave(terminal);
  remove();
  return echoes;
}
