import {serviceProcess} from '../../service/socket-place.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {WaitingElsewhere} from '../../app/state.ts';
import type {WindowOptions} from '../effects/effect-context.ts';
import {openRows} from './open-rows.ts';

/** How often the sessions of the background service are read, in milliseconds. */
const READ_MS = 3000;

type Followed = Pick<WindowOptions, 'store' | 'storage' | 'settings' | 'background'>;

/** Follows which sessions of the background service wait for the user, of those that no window shows. Returns the function to stop. */
export function followBackground(window: Followed): () => void {
  const {store} = window;
  let isReading = false;
  let isStopped = false;
  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    // The service may end meanwhile.
    const waitingElsewhere = await waitingIn(window).catch(() => []);
    isReading = false;
    if (!isStopped && idsOf(waitingElsewhere) !== idsOf(store.latest().waitingElsewhere))
      store.dispatch({type: 'changed', change: {waitingElsewhere}}, 'urgent');
  }
  void read();
  const timer = setInterval(() => void read(), READ_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

function idsOf(sessions: readonly WaitingElsewhere[]): string {
  return sessions.map(({id}) => id).join(' ');
}

async function waitingIn({background, ...window}: Followed): Promise<readonly WaitingElsewhere[]> {
  const openIn = serviceProcess(window.settings.state);
  if (openIn === undefined) return [];
  const waiting = openRows(window, {openIn}).filter(({status, key}) => status === 'waiting' && !key);
  // The index does not know which ones are shown.
  const there = waiting.length > 0 ? await background?.running() : undefined;
  const unshown = there?.sessions.filter(({windows}) => windows === 0).map(({id}) => id);
  return waiting
    .filter(({id}) => unshown?.includes(id))
    .map((row) => ({id: row.id, title: nameOfSession(row)}));
}
