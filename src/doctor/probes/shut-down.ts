import {setTimeout as sleep} from 'node:timers/promises';
import {duration} from '../../text/format.ts';
import {notTried, type Check} from '../check.ts';
import type {Probe} from '../examination.ts';
import type {Life} from '../life.ts';

/** How long an agent may take to end, in milliseconds. acp-tui itself waits for less. */
const LIMIT_MS = 10_000;
/** How long what it started may take after it, in milliseconds. */
const AFTERWARDS_MS = 2000;
const LOOK_AGAIN_MS = 50;

const SUBJECT = {id: 'shut-down', name: 'ending with its input', advertised: 'untold'} as const;

/** What an agent does when its input ends, and what it leaves behind. */
export const shutDown: Probe = async (examination) => {
  const {life, initialized} = examination.found;
  const {signal, onProgress} = examination.options;
  if (!life || !initialized) return [];
  if (await Promise.race([life.process.exited, Promise.resolve()])) {
    await life.end();
    return [notTried(SUBJECT, 'it had ended before')];
  }
  onProgress(SUBJECT.name);
  const startedAt = performance.now();
  life.endInput();
  const exit = await Promise.race([life.process.exited, sleep(LIMIT_MS, undefined, {signal, ref: false})]);
  const ms = Math.round(performance.now() - startedAt);
  const left = exit ? await leftovers(life, signal) : 0;
  await life.end();
  return [verdictOn({exit, left, ms})];
};

/** How many of its processes are still there. */
async function leftovers({process}: Life, signal: AbortSignal): Promise<number> {
  const deadline = performance.now() + AFTERWARDS_MS;
  let left = process.living();
  while (left > 0 && performance.now() < deadline) {
    await sleep(LOOK_AGAIN_MS, undefined, {signal});
    left = process.living();
  }
  return left;
}

interface Ending {
  readonly exit: {readonly code: number | null; readonly signal: string | null} | undefined;
  readonly left: number;
  readonly ms: number;
}

function verdictOn({exit, left, ms}: Ending): Check {
  if (!exit)
    return {
      ...SUBJECT,
      result: 'failed',
      note: `it did not end within ${duration(LIMIT_MS)}, and was killed`,
    };
  const how = exit.signal ?? `exit code ${String(exit.code)}`;
  return left > 0
    ? {
        ...SUBJECT,
        result: 'failed',
        ms,
        note: `${how}; it left ${left === 1 ? 'a process' : `${left} processes`} behind`,
      }
    : {...SUBJECT, result: 'worked', ms, note: how};
}
