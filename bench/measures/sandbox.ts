import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {sandboxPolicy} from '../../src/sandbox/policy.ts';
import {createSandbox} from '../../src/sandbox/sandbox.ts';
import {AGENT_LINE, withoutProbe, PROGRAM, timeProgram, workspace} from '../programs.ts';
import {median, type Measure} from '../row.ts';

/** What a sandbox costs: a run of print mode, and a command, each beside the same without. */
export const sandbox: Measure = {
  name: 'sandbox',
  async run(scale) {
    const {env, remove} = workspace();
    const home = env['HOME'] ?? '';
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({sandboxFolders: []}));
    const settings = {...withoutProbe(env), ACP_TUI_CONFIG_DIR: home};
    const runs = Math.max(5, Math.round(20 * scale));
    const print = ['-p', '--agent', AGENT_LINE, 'ping'];
    const times = {inside: [] as number[], outside: [] as number[]};
    for (let i = 0; i <= runs; i++) {
      const inside = await timeProgram([PROGRAM, '--sandbox', ...print], settings);
      const outside = await timeProgram([PROGRAM, ...print], settings);
      if (i > 0) times.inside.push(inside);
      if (i > 0) times.outside.push(outside);
    }
    const commands = await timeCommands(home, runs);
    remove();
    return [
      {
        what: 'a run of print mode in a sandbox (baseline: without)',
        unit: 'ms',
        value: median(times.inside),
        baseline: median(times.outside),
        target: 150,
        of: 'difference',
      },
      {
        what: 'a command in a sandbox (baseline: without)',
        unit: 'ms',
        value: median(commands.inside),
        baseline: median(commands.outside),
        target: 30,
        of: 'difference',
      },
    ];
  },
};

async function timeCommands(home: string, runs: number) {
  const policy = sandboxPolicy({
    agent: {label: 'demo', command: 'demo', args: []},
    roots: [process.cwd()],
    home,
    ownFolders: [],
    env: {},
    network: 'none',
    networkHosts: [],
    sandboxSockets: 'none',
  });
  const opened = await createSandbox(policy, {ask: async () => false, onRefused: () => {}});
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const times = {inside: [] as number[], outside: [] as number[]};
  const place = {cwd: process.cwd(), env: {PATH: process.env['PATH']}};
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    const confined = opened.value.confine(['/bin/true'], place);
    if (!confined.ok) throw new Error(JSON.stringify(confined.failure));
    const {argv, env} = confined.value;
    await ended(argv, env);
    times.inside.push(performance.now() - start);
    const begin = performance.now();
    await ended(['/bin/true'], place.env);
    times.outside.push(performance.now() - begin);
  }
  opened.value.close();
  return times;
}

function ended([file, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve) => spawn(file, args, {env, stdio: 'ignore'}).on('close', resolve));
}
