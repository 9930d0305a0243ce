import {AGENT_LINE, PROGRAM, timeProgram, workspace} from '../programs.ts';
import type {Measure, Row} from '../row.ts';

const [FEW, MANY] = [5000, 40_000];
/** An exponent of 1 is twice the CPU time for twice the work. */
const MAX_EXPONENT = 1.15;

/** What there is more and more of in a turn: its prompt, and how many times as much as of the others is measured. */
const KINDS: readonly {readonly what: string; readonly prompt: string; readonly share?: number}[] = [
  {what: 'tool calls', prompt: 'grow call'},
  {what: 'messages', prompt: 'grow message'},
  {what: 'thoughts', prompt: 'grow thought'},
  {what: 'plans', prompt: 'grow plan'},
  {what: 'modes', prompt: 'grow mode'},
  {what: 'calls, messages, thoughts, plans and modes', prompt: 'grow mixed'},
  {what: 'calls that end when all have started', prompt: 'grow late'},
  {what: 'permission requests', prompt: 'grow request', share: 0.1},
  {what: 'subagents', prompt: 'grow subagent', share: 0.025},
];

/** How the CPU time of `-p` grows with the work of one turn, beside that of a turn with one word. */
export const growth: Measure = {
  name: 'growth',
  async run(scale) {
    const rows: Row[] = [];
    const word = await cpuSeconds('ping');
    for (const {what, prompt, share = 1} of KINDS) {
      const [few, many] = [FEW, MANY].map((count) => Math.round(count * share * scale)) as [number, number];
      const [less, more] = [await cpuSeconds(`${prompt} ${few}`), await cpuSeconds(`${prompt} ${many}`)];
      const exponent = Math.log((more - word) / (less - word)) / Math.log(many / few);
      rows.push(
        {
          what: `CPU of ${many} ${what} in -p (baseline: of ${few})`,
          unit: 's',
          value: more,
          baseline: less,
          target: 4,
        },
        {what: `exponent of its growth`, unit: '', value: exponent, target: MAX_EXPONENT},
      );
    }
    return rows;
  },
};

/** Exit code 5, since requests are rejected, is an end like any other. */
async function cpuSeconds(prompt: string): Promise<number> {
  const {env, used, remove} = workspace();
  await timeProgram([PROGRAM, '-p', '--agent', AGENT_LINE, prompt], env, [0, 5]);
  const {cpuSeconds: seconds} = used();
  remove();
  return seconds;
}
