import {AGENT_LINE, bare, PROGRAM, READY, timed, workspace} from '../programs.ts';
import {quantile, type Measure, type Row} from '../row.ts';
import {openTerminal} from '../terminal.ts';
import {leave, typeMeanwhile} from './streaming.ts';

/** The line at the end of a turn, once everything before it is printed. */
const TURN_END = /\x1b\[[\d;]+m[\d.]+ (?:ms|s|min)\x1b\[39m/;

/** Very many tool calls as fast as possible, while a user types. */
export const toolCalls: Measure = {
  name: 'tool-calls',
  async run(scale) {
    const count = Math.round(20_000 * scale);
    return [
      ...(await compare(`searches ${count} 1`, `${count} tool calls, one after another`)),
      ...(await compare(`searches ${count} ${count}`, `${count} tool calls at once`)),
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
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], bare(env));
  await terminal.until(READY);
  terminal.write(prompt);
  await terminal.until(prompt);
  terminal.mark();
  const start = performance.now();
  terminal.write('\r');
  const echoes: number[] = [];
  const end = terminal.until(TURN_END, 600).then(() => performance.now());
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
  const milliseconds = await timed([PROGRAM, '--agent', AGENT_LINE, '-p', prompt], bare(env));
  remove();
  return milliseconds / 1000;
}
