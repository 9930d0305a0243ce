import {setTimeout as wait} from 'node:timers/promises';
import {AGENT_LINE, PROGRAM, READY, workspace} from '../programs.ts';
import type {Measure} from '../row.ts';
import {cpuMs, openTerminal, type Session} from '../terminal.ts';
import {typeKeys} from './long-transcript.ts';
import {ask, cpuFor20000, leave, stream} from './streaming.ts';

const KEYS = 400;
const OURS = [PROGRAM, '--agent', AGENT_LINE];

/** The full screen beside the inline one: a long answer, and a transcript of many entries. */
export const fullScreen: Measure = {
  name: 'full-screen',
  async run(scale) {
    const chunks = Math.round(20_000 * scale);
    const entries = Math.round(100_000 * scale);
    const inline = await stream(OURS, chunks, 200);
    const full = await stream([...OURS, '--fullscreen'], chunks, 200);
    const long = await open(entries);
    const short = await open(10);
    return [
      {
        what: 'CPU for 20,000 chunks at 200/s on the full screen, typing (baseline: inline)',
        unit: 's',
        value: cpuFor20000(full, chunks),
        baseline: cpuFor20000(inline, chunks),
        target: 15,
      },
      {
        what: 'bytes to the terminal per chunk on the full screen (baseline: inline)',
        unit: 'B',
        value: full.bytesPerChunk,
        baseline: inline.bytesPerChunk,
        target: 180,
      },
      {
        what: `first paint of the full screen with ${entries} entries (baseline: with 10)`,
        unit: 'ms',
        value: long.paintMs,
        baseline: short.paintMs,
        target: 500,
      },
      {
        what: `CPU of a key press on the full screen with ${entries} entries (baseline: with 10)`,
        unit: 'ms',
        value: long.msPerKey,
        baseline: short.msPerKey,
        target: 1.2,
        of: 'ratio',
      },
      {
        what: `CPU of a page up and back to the end with ${entries} entries`,
        unit: 'ms',
        value: long.pageMs,
        target: 20,
      },
    ];
  },
};

/** Opens the full screen over a transcript with this many entries, and uses it. */
async function open(entries: number) {
  const {env, remove} = workspace();
  const terminal = openTerminal(process.execPath, [...OURS, '--fullscreen'], env);
  await terminal.until(READY);
  terminal.write(`searches ${entries} 50`);
  await terminal.until(`searches ${entries} 50`);
  terminal.mark();
  terminal.write('\r');
  await terminal.until(new RegExp(`for word ${entries - 1}\\b`), 600);
  await ask(terminal, 'ping', 'pong');
  await untilIdle(terminal);
  terminal.mark();
  terminal.write('\x18f');
  await terminal.until('\x1b[?1049l');
  await terminal.until(READY);
  await typeKeys(terminal, 20);
  terminal.write('\x15');
  terminal.mark();
  const from = performance.now();
  terminal.write('\x18f');
  await terminal.until(/\x1b\[\?1049h[^]*pong[^]*bench/);
  const paintMs = performance.now() - from;
  await typeKeys(terminal, 50);
  const beforeKeys = cpuMs(terminal.pid);
  await typeKeys(terminal, KEYS);
  const msPerKey = (cpuMs(terminal.pid) - beforeKeys) / KEYS;
  const pageMs = entries > KEYS ? await turnPages(terminal, 50) : 0;
  await leave(terminal);
  remove();
  return {paintMs, msPerKey, pageMs};
}

/** Waits until everything is stored, which takes some seconds and is no part of a key press. */
async function untilIdle({pid}: Session): Promise<void> {
  let before = -Infinity;
  for (let now = cpuMs(pid); now - before > 50; now = cpuMs(pid)) {
    before = now;
    await wait(500);
  }
}

/** Returns the CPU time of a page up and back to the end, in ms. */
async function turnPages(terminal: Session, count: number): Promise<number> {
  const before = cpuMs(terminal.pid);
  for (let i = 0; i < count; i++) {
    terminal.mark();
    terminal.write('\x1b[5~');
    await terminal.until('Shift+End end');
    terminal.mark();
    terminal.write('\x1b[1;2F');
    await terminal.until('pong');
  }
  return (cpuMs(terminal.pid) - before) / count;
}
