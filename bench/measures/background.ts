import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {AGENT_LINE, withoutProbe, PROGRAM, READY, workspace} from '../programs.ts';
import {median, type Measure} from '../row.ts';
import {cpuMs, openTerminal} from '../terminal.ts';
import {residentMb} from './long-transcript.ts';
import {ask, leave} from './streaming.ts';

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
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], withoutProbe(env));
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

/** Sessions in the background, beside the same in a window. */
export const background: Measure = {
  name: 'background',
  async run(scale) {
    const chunks = Math.round(6000 * scale);
    const cpu = {on: [] as number[], off: [] as number[]};
    const memory: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      cpu.on.push(await cpuOf('on', chunks));
      cpu.off.push(await cpuOf('off', chunks));
      memory.push(await serviceMemory());
    }
    return [
      {
        what: `CPU of ${chunks} chunks at 200/s, service and window (baseline: a window)`,
        unit: 'ms',
        value: median(cpu.on),
        baseline: median(cpu.off),
        target: 1.3,
        of: 'ratio',
      },
      {what: 'memory of the service with one session', unit: 'MB', value: median(memory), target: 90},
    ];
  },
};

/** The program's environment, how it is run with arguments, and how all of it ends. */
export function backgroundIn(setting: 'on' | 'off') {
  const {env: whole, remove} = workspace();
  const env = withoutProbe(whole);
  const config = join(env['XDG_CONFIG_HOME'] ?? '', 'acp-tui');
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.json'), JSON.stringify({background: setting}));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  return {
    run,
    window: (...args: string[]) => openTerminal(process.execPath, [PROGRAM, ...args], env),
    servicePid: () => (JSON.parse(run('service', 'status', '--json')) as {readonly pid: number}).pid,
    end: () => {
      run('service', 'stop');
      remove();
    },
  };
}

/** CPU time of a long answer in the window, and in the service if the session runs there, in milliseconds. */
async function cpuOf(setting: 'on' | 'off', chunks: number): Promise<number> {
  const {window, servicePid, end} = backgroundIn(setting);
  const terminal = window('--agent', AGENT_LINE);
  await terminal.until(READY);
  await ask(terminal, 'ping', 'pong');
  const pids = [terminal.pid, ...(setting === 'on' ? [servicePid()] : [])];
  const used = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const before = used();
  await ask(terminal, `chunks ${chunks} 200`, ` ${chunks - 1} `);
  const milliseconds = used() - before;
  await leave(terminal);
  end();
  return milliseconds;
}

/** The resident memory of the service with one session that has a transcript, in MB. */
async function serviceMemory(): Promise<number> {
  const {run, servicePid, end} = backgroundIn('off');
  run('-b', '--wait', '--agent', AGENT_LINE, 'chunks 200 1000');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const megabytes = residentMb(servicePid());
  end();
  return megabytes;
}
