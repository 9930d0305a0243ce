import {AGENT_LINE, ASKS, withoutProbe, PROGRAM, READY, timeProgram, workspace} from '../programs.ts';
import {quantile, type Measure, type Row} from '../row.ts';
import {openTerminal, type Session} from '../terminal.ts';
import {leave, typeMeanwhile} from './streaming.ts';

/** What the agent says last. */
const LAST = /That is all/;

/** Very many tool calls as fast as possible, while a user types. */
export const toolCalls: Measure = {
  name: 'tool-calls',
  async run(scale) {
    const count = Math.round(20_000 * scale);
    const atOnce = Math.round(2000 * scale);
    return [
      ...(await compare(`searches ${count} 1`, `${count} tool calls, one after another`)),
      ...(await compare(`searches ${atOnce} ${atOnce}`, `${atOnce} tool calls at once`)),
    ];
  },
};

async function compare(prompt: string, what: string): Promise<Row[]> {
  const {seconds, echoes} = await draw(prompt);
  const baseline = await runOnce(prompt);
  return [
    {what: `${what}, until all are drawn (baseline: -p)`, unit: 's', value: seconds, baseline, target: 5},
    {what: `${what}: key to echo, p99`, unit: 'ms', value: quantile(echoes, 0.99), target: 50},
  ];
}

async function draw(prompt: string): Promise<{seconds: number; echoes: readonly number[]}> {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], withoutProbe(env));
  await terminal.until(READY);
  terminal.write(prompt);
  await terminal.until(prompt);
  terminal.mark();
  const start = performance.now();
  terminal.write('\r');
  const echoes: number[] = [];
  const end = terminal.until(LAST, 600).then(() => performance.now());
  let over = false;
  const typed = typeMeanwhile(terminal, echoes, () => over);
  const seconds = ((await end) - start) / 1000;
  over = true;
  await typed;
  await leave(terminal);
  remove();
  return {seconds, echoes};
}

async function runOnce(prompt: string): Promise<number> {
  const {env, remove} = workspace();
  const milliseconds = await timeProgram([PROGRAM, '--agent', AGENT_LINE, '-p', prompt], withoutProbe(env));
  remove();
  return milliseconds / 1000;
}

interface Large {
  readonly what: string;
  /** In the unit of its prompt. */
  readonly size: number;
  readonly prompt: (size: number) => string;
  /** What is on the terminal when everything is drawn; `LAST` by default. */
  readonly end?: RegExp;
}

const MILLION = 1_000_000;

/** What an agent or a command may send at once. */
const CASES: readonly Large[] = [
  {what: 'an update of N MB', size: 5, prompt: (size) => `update ${size}`},
  {what: 'N diffs in one call', size: 200, prompt: (size) => `diffs ${size}`},
  {what: 'a code block of N lines', size: 20_000, prompt: (size) => `code ${size}`},
  {
    what: 'a request for a new file of N lines',
    size: 70_000,
    prompt: (size) => `change ${size}`,
    end: new RegExp(ASKS),
  },
  {what: 'N tool calls', size: 3000, prompt: (size) => `searches ${size} ${size}`},
  {
    what: 'N MB of command output',
    size: 100,
    prompt: (size) => `!yes 0123456789 | head -c ${size * MILLION}; echo o''ver`,
    end: /over/,
  },
];

/** Keys typed while something large is drawn, beside keys during an ordinary answer. */
export const large: Measure = {
  name: 'large',
  async run(scale) {
    const chunks = Math.round(2000 * scale);
    const ordinary = await typed({prompt: `chunks ${chunks} 200`, end: new RegExp(` ${chunks - 1} `)});
    const rows: Row[] = [];
    for (const {what, size, prompt, end = LAST} of CASES) {
      const scaled = Math.max(1, Math.round(size * scale));
      const echoes = await typed({prompt: prompt(scaled), end});
      rows.push({
        what: `longest key to echo, ${what.replace('N', String(scaled))} (baseline: an answer at 200/s)`,
        unit: 'ms',
        value: quantile(echoes, 1),
        baseline: quantile(ordinary, 1),
        target: 100,
      });
    }
    return rows;
  },
};

/** Types from the moment that a prompt is sent until its end is drawn, at least once. */
async function typed({
  prompt,
  end,
}: {
  readonly prompt: string;
  readonly end: RegExp;
}): Promise<readonly number[]> {
  const {env, remove} = workspace();
  const terminal: Session = openTerminal(
    process.execPath,
    [PROGRAM, '--agent', AGENT_LINE],
    withoutProbe(env),
  );
  await terminal.until(READY);
  terminal.write(prompt);
  await terminal.until(prompt.slice(-8));
  terminal.mark();
  terminal.write('\r');
  const echoes: number[] = [];
  let over = false;
  const seen = terminal.until(end, 600).finally(() => (over = true));
  await Promise.all([seen, typeMeanwhile(terminal, echoes, () => over)]);
  await leave(terminal);
  remove();
  return echoes;
}
