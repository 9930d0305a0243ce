import {AGENT_LINE} from '../programs.ts';
import {exponentOf, MAX_EXPONENT, median, type Measure, type Row} from '../row.ts';
import {backgroundIn} from './background.ts';
import {leave} from './streaming.ts';

/** The tool calls of the sessions: with none, what a start takes anyway. */
const [NONE, FEW, MANY] = [1, 5000, 40_000];
const ROUNDS = 3;
const WAYS = ['attach', 'resume'] as const;
type Times = Record<(typeof WAYS)[number], number>;

/** How long a window takes until it shows the end of a session, attached to it or resuming it, and how that grows with the session. */
export const reopening: Measure = {
  name: 'reopening',
  async run(scale) {
    const [few, many] = [FEW, MANY].map((count) => Math.round(count * scale)) as [number, number];
    const none = await timesToShow(NONE);
    const less = await timesToShow(few);
    const more = await timesToShow(many);
    return [
      {
        what: `attach to ${many} tool calls, until the last is drawn (baseline: -r)`,
        unit: 'ms',
        value: more.attach,
        baseline: more.resume,
        target: 1.5,
        of: 'ratio',
      },
      ...WAYS.flatMap((way): Row[] => [
        {
          what: `${way} with ${many} tool calls (baseline: with ${few})`,
          unit: 'ms',
          value: more[way],
          baseline: less[way],
          target: 8000,
        },
        {
          what: 'exponent of its growth',
          unit: '',
          value: exponentOf([few, less[way] - none[way]], [many, more[way] - none[way]]),
          target: MAX_EXPONENT,
        },
      ]),
    ];
  },
};

/** The milliseconds from the start of a window until the last text of a session with this many tool calls is drawn. */
async function timesToShow(calls: number): Promise<Times> {
  const {run, window, end} = backgroundIn('off');
  run('-b', '--wait', '--agent', AGENT_LINE, `searches ${calls} ${calls}`);
  const {sessions} = JSON.parse(run('sessions', '--json')) as {
    readonly sessions: readonly {readonly id: string}[];
  };
  const id = sessions[0]?.id ?? '';
  const timed = async (...args: string[]) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const terminal = window(...args);
      await terminal.until('That is all.');
      times.push(performance.now() - start);
      await leave(terminal);
    }
    return median(times);
  };
  const attach = await timed('attach', id);
  run('service', 'stop');
  const resume = await timed('-r', id, '--agent', AGENT_LINE);
  end();
  return {attach, resume};
}
