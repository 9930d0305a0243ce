import {ACPX, acpxArguments} from '../baselines/acpx.ts';
import {agentAlone} from '../baselines/agent-alone.ts';
import {openTerminal} from '../terminal.ts';
import {AGENT, AGENT_LINE, bare, MINIMAL_CLIENT, PAINTED, PROGRAM, timed, workspace} from '../programs.ts';
import {median, type Measure, type Row} from '../row.ts';

const EMPTY = ['-e', '0'];

/** The time until something is on the screen, beside a Node that does nothing. */
export const startup: Measure = {
  name: 'startup',
  async run(scale) {
    const {env, remove} = workspace();
    const runs = Math.max(5, Math.round(15 * scale));
    const times = {
      node: [] as number[],
      version: [] as number[],
      paint: [] as number[],
      print: [] as number[],
      minimal: [] as number[],
      acpx: [] as number[],
      agent: [] as number[],
    };
    const acpxRun = acpxArguments(AGENT_LINE, 'ping');
    // In rotation, so that a machine that slows down affects all of them; the first round warms the caches.
    for (let i = 0; i <= runs; i++) {
      const round = {
        node: await timed(EMPTY, bare(env)),
        version: await timed([PROGRAM, '--version'], bare(env)),
        paint: await firstPaint(bare(env)),
        print: await timed([PROGRAM, '-p', '--agent', AGENT_LINE, 'ping'], bare(env)),
        minimal: await timed([MINIMAL_CLIENT, 'ping', ...AGENT], bare(env)),
        acpx: acpxRun ? await timed(acpxRun, bare(env)) : Number.NaN,
        agent: await agentAlone(AGENT),
      };
      if (i > 0) for (const key of Object.keys(times) as (keyof typeof times)[]) times[key].push(round[key]);
    }
    remove();
    const node = median(times.node);
    const rows: Row[] = [
      {
        what: '--version (baseline: an empty Node program)',
        unit: 'ms',
        value: median(times.version),
        baseline: node,
        target: 8,
        of: 'difference',
      },
      {
        what: 'first paint (baseline: an empty Node program)',
        unit: 'ms',
        value: median(times.paint),
        baseline: node,
        target: 4.4,
        of: 'ratio',
      },
      {
        what: '-p beside the agent’s own time (baseline: minimal client)',
        unit: 'ms',
        value: median(times.print) - median(times.agent),
        baseline: median(times.minimal) - median(times.agent),
        target: 1.3,
        of: 'ratio',
      },
      {
        what: '-p, one word (baseline: a minimal SDK client)',
        unit: 'ms',
        value: median(times.print),
        baseline: median(times.minimal),
        target: 45,
        of: 'difference',
      },
    ];
    const besideAcpx: Row = {
      what: `-p, one word (baseline: ${ACPX})`,
      unit: 'ms',
      value: median(times.print),
      baseline: median(times.acpx),
      target: 1,
      of: 'ratio',
    };
    return acpxRun ? [...rows, besideAcpx] : rows;
  },
};

async function firstPaint(env: Record<string, string>): Promise<number> {
  const start = performance.now();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], env);
  await terminal.until(PAINTED);
  const taken = performance.now() - start;
  terminal.signal('SIGTERM');
  await terminal.ended;
  return taken;
}
