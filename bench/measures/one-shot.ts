import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {ACPX, acpxArguments} from '../baselines/acpx.ts';
import {
  AGENT,
  AGENT_LINE,
  withoutProbe,
  MINIMAL_CLIENT,
  PROGRAM,
  timeProgram,
  workspace,
} from '../programs.ts';
import {exponentOf, MAX_EXPONENT, median, type Measure, type Row} from '../row.ts';

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
      ours.push(await timeProgram([PROGRAM, '-p', '--agent', AGENT_LINE, prompt], withoutProbe(env)));
      minimal.push(await timeProgram([MINIMAL_CLIENT, prompt, ...AGENT], withoutProbe(env)));
      if (acpxRun) acpx.push(await timeProgram(acpxRun, withoutProbe(env)));
    }
    const remote = await overWebSocket(prompt, withoutProbe(env));
    remove();
    const row = (name: string, times: readonly number[], target: number): Row => ({
      what: `one-shot, ${count} chunks (baseline: ${name})`,
      unit: 'ms',
      value: median(ours),
      baseline: median(times),
      target,
      of: 'ratio',
    });
    const overStdio: Row = {
      ...row('over stdio', ours, 1.5),
      what: `one-shot, ${count} chunks over a WebSocket (baseline: over stdio)`,
      value: median(remote),
    };
    return [row('a minimal SDK client', minimal, 1.3), ...(acpxRun ? [row(ACPX, acpx, 1)] : []), overStdio];
  },
};

/** Returns the times of the same prompt to the same agent behind `acp-tui serve`. */
async function overWebSocket(prompt: string, env: Record<string, string>): Promise<readonly number[]> {
  const token = 'a-token-of-the-benchmark';
  const serving = spawn(process.execPath, [PROGRAM, 'serve', '--agent', AGENT_LINE], {
    env: {...env, ACP_TUI_SERVE_TOKEN: token},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  serving.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!/ws:\S+/.test(said)) await once(serving.stdout, 'data');
  const [url = ''] = /ws:\S+/.exec(said) ?? [];
  const times: number[] = [];
  for (let i = 0; i < 5; i++)
    times.push(
      await timeProgram([PROGRAM, '-p', '--agent', url, prompt], {...env, ACP_TUI_AGENT_TOKEN: token}),
    );
  serving.kill();
  await once(serving, 'close');
  return times;
}

const [FEW, MANY] = [5000, 40_000];

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
      const exponent = exponentOf([few, less - word], [many, more - word]);
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
