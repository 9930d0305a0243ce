import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {cpuMs, openTerminal, type Session} from '../terminal.ts';
import {AGENT_LINE, PROGRAM, READY, withoutProbe, workspace} from '../programs.ts';
import {exponentOf, MAX_EXPONENT, type Measure} from '../row.ts';
import {ask, leave} from './streaming.ts';

const KEYS = 400;

/** The cost of a long conversation: memory, each key, and idling. */
export const longTranscript: Measure = {
  name: 'long-transcript',
  async run(scale) {
    const blocks = Math.round(10_000 * scale);
    const long = await converse(`blocks ${blocks}`, `Block ${blocks - 1}:`);
    const short = await converse('blocks 10', 'Block 9:');
    const count = Math.round(blocks / 10);
    const calls = await converse(`calls ${count}`, `file ${count - 1}`);
    const pieces = Math.round(60_000 * scale);
    const streamed = await converse(`chunks ${pieces} 0`, new RegExp(`\\b${pieces - 1}\\b`));
    const afterChunks = {unit: 'MB', baseline: short.memoryMb, target: 170};
    return [
      {
        what: `memory after ${pieces} chunks at once (baseline: with 10 blocks)`,
        value: streamed.memoryMb,
        ...afterChunks,
      },
      {what: `memory after ${pieces} chunks, at rest`, value: streamed.restingMb, ...afterChunks},
      {
        what: `memory with ${blocks} blocks (baseline: with 10)`,
        unit: 'MB',
        value: long.memoryMb,
        baseline: short.memoryMb,
        target: 1.5,
        of: 'ratio',
      },
      {
        what: `memory with ${count} tool calls of 16 KB each, at rest`,
        unit: 'MB',
        value: calls.restingMb,
        baseline: short.memoryMb,
        target: 1.5,
        of: 'ratio',
      },
      {
        what: `CPU of a key press at ${count} tool calls`,
        unit: 'ms',
        value: calls.msPerKey,
        baseline: short.msPerKey,
        target: 1.2,
        of: 'ratio',
      },
      {
        what: `CPU of a key press at ${blocks} blocks (baseline: at 10)`,
        unit: 'ms',
        value: long.msPerKey,
        baseline: short.msPerKey,
        target: 1.2,
        of: 'ratio',
      },
      {what: 'idle CPU', unit: '%', value: long.idlePercent, target: 0.5},
    ];
  },
};

interface Conversed {
  readonly memoryMb: number;
  readonly msPerKey: number;
  readonly idlePercent: number;
  /** Memory after an idle time that lets the engine collect garbage. */
  readonly restingMb: number;
}

/** Requests a long answer, and measures once `last` is on the screen. */
async function converse(prompt: string, last: string | RegExp): Promise<Conversed> {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], env);
  await terminal.until(READY);
  await ask(terminal, prompt, last);
  await ask(terminal, 'ping', 'pong');
  const memoryMb = residentMb(terminal.pid);
  const idleFrom = cpuMs(terminal.pid);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const idlePercent = ((cpuMs(terminal.pid) - idleFrom) / 5000) * 100;
  // Garbage collected now is not part of a key's cost.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const restingMb = residentMb(terminal.pid);
  await typeKeys(terminal, 50);
  const before = cpuMs(terminal.pid);
  await typeKeys(terminal, KEYS);
  const msPerKey = (cpuMs(terminal.pid) - before) / KEYS;
  await leave(terminal);
  remove();
  return {memoryMb, msPerKey, idlePercent, restingMb};
}

/** The resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Types and deletes, waiting for each key. */
export async function typeKeys(terminal: Session, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const letter = 'QXZVKJWY'[i % 8] ?? 'Q';
    terminal.mark();
    terminal.write(letter);
    await terminal.until(letter, 10);
    if (i % 20 === 19) terminal.write('\x15');
  }
}

const EARLY = 10;
const LATE = 2000;
/** Turns whose cost is measured. */
const COUNTED = 40;

/** A short turn and the memory of the window late in a session, with what is stored and the snapshots around it, beside one of the first. */
export const turns: Measure = {
  name: 'turns',
  async run(scale) {
    const {env, remove} = workspace();
    const args = [PROGRAM, '--agent', AGENT_LINE];
    const terminal = openTerminal(process.execPath, args, withoutProbe(env), projectIn(env));
    const used = () => cpuMs(terminal.pid, {isWithChildren: true});
    await terminal.until(READY);
    const begun = used();
    let turn = 0;
    const takeTurns = async (end: number) => {
      const [before, from] = [used(), turn];
      while (turn < end) await ask(terminal, `turn ${++turn}`, 'pong');
      return (used() - before) / (end - from);
    };
    await takeTurns(EARLY);
    const early = {memory: residentMb(terminal.pid), cpu: await takeTurns(EARLY + COUNTED)};
    const [few, many] = [LATE / 10, LATE].map((count) => Math.round(count * scale)) as [number, number];
    await takeTurns(Math.max(turn, few));
    const less = used() - begun;
    const lessTurns = turn;
    await takeTurns(many - COUNTED);
    const cpu = await takeTurns(many);
    const what = `after ${many} turns (baseline: after ${EARLY})`;
    const rows = [
      {what: `CPU of a turn ${what}`, unit: 'ms', value: cpu, baseline: early.cpu, target: 1.2, of: 'ratio'},
      {
        what: 'exponent of its growth',
        unit: '',
        value: exponentOf([lessTurns, less], [many, used() - begun]),
        target: MAX_EXPONENT,
      },
      {
        what: `memory ${what}`,
        unit: 'MB',
        value: residentMb(terminal.pid),
        baseline: early.memory,
        target: 40,
        of: 'difference',
      },
    ] as const;
    await leave(terminal);
    remove();
    return [...rows];
  },
};

/** A git repository with a few files, of which snapshots are taken. */
function projectIn({HOME: home = ''}: Record<string, string>): string {
  const folder = join(home, 'project');
  mkdirSync(folder);
  for (let file = 0; file < 5; file++) writeFileSync(join(folder, `file-${file}`), 'text\n'.repeat(50));
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}
