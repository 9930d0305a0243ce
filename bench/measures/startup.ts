import {ACPX, acpxArguments} from '../baselines/acpx.ts';
import {agentAlone} from '../baselines/agent-alone.ts';
import {openTerminal} from '../terminal.ts';
import {
  AGENT,
  AGENT_LINE,
  withoutProbe,
  bundleProgram,
  INLINE_PROTOTYPE,
  MINIMAL_CLIENT,
  PAINTED,
  PROGRAM,
  READY,
  timeProgram,
  workspace,
} from '../programs.ts';
import {median, type Measure, type Row} from '../row.ts';

/** The time until something is on the screen and takes keys, beside a minimal Ink program that is bundled the same way. */
export const startup: Measure = {
  name: 'startup',
  async run(scale) {
    const {env, remove} = workspace();
    const runs = Math.max(5, Math.round(15 * scale));
    const times = {
      paint: [] as number[],
      echo: [] as number[],
      inkPaint: [] as number[],
      inkEcho: [] as number[],
      print: [] as number[],
      minimal: [] as number[],
      acpx: [] as number[],
      agent: [] as number[],
    };
    const prototype = [await bundleProgram(INLINE_PROTOTYPE, env['HOME'] ?? ''), ...AGENT];
    const acpxRun = acpxArguments(AGENT_LINE, 'ping');
    // In rotation, so that a machine that slows down affects all of them; the first round warms the caches.
    for (let i = 0; i <= runs; i++) {
      const round = {
        ...(await firstPaint([PROGRAM, '--agent', AGENT_LINE], {env: withoutProbe(env), painted: PAINTED})),
        ...inkTimes(await firstPaint(prototype, {env: withoutProbe(env), painted: READY})),
        print: await timeProgram([PROGRAM, '-p', '--agent', AGENT_LINE, 'ping'], withoutProbe(env)),
        minimal: await timeProgram([MINIMAL_CLIENT, 'ping', ...AGENT], withoutProbe(env)),
        acpx: acpxRun ? await timeProgram(acpxRun, withoutProbe(env)) : Number.NaN,
        agent: await agentAlone(AGENT),
      };
      if (i > 0) for (const key of Object.keys(times) as (keyof typeof times)[]) times[key].push(round[key]);
    }
    remove();
    const rows: Row[] = [
      {
        what: 'first paint (baseline: a minimal Ink program)',
        unit: 'ms',
        value: median(times.paint),
        baseline: median(times.inkPaint),
        target: 1.35,
        of: 'ratio',
      },
      {
        what: 'first key echoed (baseline: a minimal Ink program)',
        unit: 'ms',
        value: median(times.echo),
        baseline: median(times.inkEcho),
        target: 1.5,
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
        target: 1,
        of: 'ratio',
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

interface Start {
  readonly env: Record<string, string>;
  /** The text of the first frame. */
  readonly painted: string;
}

/** Starts a program and types a key as soon as something is on the screen: milliseconds from the start to the first frame, and to the key in it. */
async function firstPaint(program: readonly string[], {env, painted}: Start) {
  const start = performance.now();
  const terminal = openTerminal(process.execPath, program, env);
  await terminal.until(painted);
  const paint = performance.now() - start;
  terminal.mark();
  terminal.write('§');
  await terminal.until('§');
  const echo = performance.now() - start;
  terminal.signal('SIGTERM');
  await terminal.ended;
  return {paint, echo};
}

const inkTimes = ({paint, echo}: {readonly paint: number; readonly echo: number}) => ({
  inkPaint: paint,
  inkEcho: echo,
});
