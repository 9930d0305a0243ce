import {AGENT_LINE, PROGRAM, READY, workspace} from '../programs.ts';
import {quantile, type Measure, type Row} from '../row.ts';
import {openTerminal} from '../terminal.ts';
import {leave, typeMeanwhile} from './streaming.ts';

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
