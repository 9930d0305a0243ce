import type {ClientOptions} from '../../../../src/client/options.ts';
import {createTurnSnapshots} from '../../../../src/snapshots/turn-snapshots.ts';
import {temporaryFolder} from '../../storage/temporary-folder.ts';
import {idle, type OpenedClient} from '../open-client.ts';

/** Snapshots that a prompt waits for, however slow the machine is. */
export function patient(maxWaitMs = 60_000, minSlowMs?: number) {
  const state = temporaryFolder();
  const slow = minSlowMs === undefined ? {} : {minSlowMs};
  const openSnapshots: ClientOptions['openSnapshots'] = (of) =>
    createTurnSnapshots({...of, state, keepDays: 1, maxWaitMs, ...slow});
  return {state, openSnapshots};
}

/** Sends a prompt; resolves at the end of its turn. */
export async function turn({prompt, until, state}: OpenedClient, text: string): Promise<void> {
  const last = state().lastTurn?.turn;
  prompt(text);
  await until((now) => idle(now) && now.lastTurn?.turn !== last, `the end of ${text}`);
}
