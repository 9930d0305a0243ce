import {readFileSync} from 'node:fs';
import {openTerminal, type Session} from '../terminal.ts';
import {AGENT_LINE, PROGRAM, READY, workspace} from '../programs.ts';
import {type Measure} from '../row.ts';
import {ask, leave} from './streaming.ts';

const KEYS = 400;

/** What a long conversation costs: memory, each key, and sitting there. */
export const longTranscript: Measure = {
  name: 'long-transcript',
  async run(scale) {
    const blocks = Math.round(10_000 * scale);
    const long = await converse(blocks);
    const short = await converse(10);
    return [
      {
        what: `memory with ${blocks} blocks (baseline: with 10)`,
        unit: 'MB',
        value: long.memoryMb,
        baseline: short.memoryMb,
        target: 160,
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

async function converse(blocks: number): Promise<{memoryMb: number; msPerKey: number; idlePercent: number}> {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], env);
  await terminal.until(READY);
  await ask(terminal, `blocks ${blocks}`, `Block ${blocks - 1}:`);
  await ask(terminal, 'ping', 'pong');
  const memoryMb =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1]) / 1024;
  await typeKeys(terminal, 50);
  const before = cpuMs(terminal.pid);
  await typeKeys(terminal, KEYS);
  const msPerKey = (cpuMs(terminal.pid) - before) / KEYS;
  const idleFrom = cpuMs(terminal.pid);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const idlePercent = ((cpuMs(terminal.pid) - idleFrom) / 5000) * 100;
  await leave(terminal);
  remove();
  return {memoryMb, msPerKey, idlePercent};
}

/** Types and takes back, each key waited for. */
async function typeKeys(terminal: Session, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const letter = 'QXZVKJWY'[i % 8] ?? 'Q';
    terminal.mark();
    terminal.write(letter);
    await terminal.until(letter, 10);
    if (i % 20 === 19) terminal.write('\x15');
  }
}

/** User and system time of a process in milliseconds (Linux: clock ticks of 10 ms). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
