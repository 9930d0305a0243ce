import {AGENT, AGENT_LINE, bare, MINIMAL_CLIENT, PROGRAM, timed, workspace} from '../programs.ts';
import {median, type Measure} from '../row.ts';

/** A long answer without a screen, beside a minimal SDK client on the same agent. */
export const oneShot: Measure = {
  name: 'one-shot',
  async run(scale) {
    const {env, remove} = workspace();
    const count = Math.round(20_000 * scale);
    const prompt = `chunks ${count}`;
    const ours: number[] = [];
    const minimal: number[] = [];
    for (let i = 0; i < 5; i++) {
      ours.push(await timed([PROGRAM, '-p', '--agent', AGENT_LINE, prompt], bare(env)));
      minimal.push(await timed([MINIMAL_CLIENT, prompt, ...AGENT], bare(env)));
    }
    remove();
    const what = `one-shot, ${count} chunks (baseline: a minimal SDK client)`;
    return [{what, unit: 'ms', value: median(ours), baseline: median(minimal), target: 1.3, of: 'ratio'}];
  },
};
