import {readFileSync} from 'node:fs';
import {cpuMs, openTerminal, type Session} from '../terminal.ts';
import {AGENT_LINE, PROGRAM, READY, workspace} from '../programs.ts';
import {type Measure} from '../row.ts';
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
    return [
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
async function converse(prompt: string, last: string): Promise<Conversed> {
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
