import {AGENT_LINE, bare, PROGRAM, READY, workspace} from '../programs.ts';
import {median, type Measure} from '../row.ts';
import {openTerminal} from '../terminal.ts';
import {residentMb} from './long-transcript.ts';
import {leave} from './streaming.ts';

const COUNT = 10;
const ROUNDS = 3;

/** The memory of ten sessions of one agent, beside one: the shared agent is not counted. */
export const sharedAgent: Measure = {
  name: 'shared-agent',
  async run() {
    const one: number[] = [];
    const many: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await memoryOf(1));
      many.push(await memoryOf(COUNT));
    }
    return [
      {
        what: `memory with ${COUNT} sessions of one agent (baseline: one session)`,
        unit: 'MB',
        value: median(many),
        baseline: median(one),
        target: 1.3,
        of: 'ratio',
      },
    ];
  },
};

/** The resident memory of the program, in MB, with this many sessions that have a transcript. */
async function memoryOf(sessions: number): Promise<number> {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], bare(env));
  for (let number = 1; number <= sessions; number++) {
    if (number > 1) {
      terminal.mark();
      terminal.write('\x18');
      await terminal.until('switch to the open session');
      terminal.mark();
      terminal.write('n');
      await terminal.until(`${number}/${number} `);
    }
    await terminal.until(READY);
    terminal.write('chunks 200 1000');
    await terminal.until('chunks 200 1000');
    terminal.mark();
    terminal.write('\r');
    await terminal.until(' 199 ');
  }
  // The transcript is drawn, and garbage is collected.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const megabytes = residentMb(terminal.pid);
  await leave(terminal);
  remove();
  return megabytes;
}
