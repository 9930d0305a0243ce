import {ACPX, acpxArguments} from '../baselines/acpx.ts';
import {AGENT, AGENT_LINE, bare, MINIMAL_CLIENT, PROGRAM, timed, workspace} from '../programs.ts';
import {median, type Measure, type Row} from '../row.ts';

/** A long answer in print mode, beside a minimal SDK client and acpx with the same agent. */
export const oneShot: Measure = {
  name: 'one-shot',
  async run(scale) {
    const {env, remove} = workspace();
    const count = Math.round(20_000 * scale);
    const prompt = `chunks ${count}`;
    const ours: number[] = [];
    const minimal: number[] = [];
    const acpx: number[] = [];
    const acpxRun = acpxArguments(AGENT_LINE, prompt);
    for (let i = 0; i < 5; i++) {
      ours.push(await timed([PROGRAM, '-p', '--agent', AGENT_LINE, prompt], bare(env)));
      minimal.push(await timed([MINIMAL_CLIENT, prompt, ...AGENT], bare(env)));
      if (acpxRun) acpx.push(await timed(acpxRun, bare(env)));
    }
    remove();
    const row = (name: string, times: readonly number[], target: number): Row => ({
      what: `one-shot, ${count} chunks (baseline: ${name})`,
      unit: 'ms',
      value: median(ours),
      baseline: median(times),
      target,
      of: 'ratio',
    });
    return [row('a minimal SDK client', minimal, 1.3), ...(acpxRun ? [row(ACPX, acpx, 1)] : [])];
  },
};
