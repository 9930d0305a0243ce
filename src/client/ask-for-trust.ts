import type {AppEvent} from '../app/events.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import {failureSentence} from '../errors.ts';
import type {Store} from '../store.ts';
import type {Client} from './create-client.ts';
import type {FolderTrust} from './folder-trust.ts';

export interface TrustSurroundings {
  readonly store: Store<AppState, AppEvent>;
  readonly key: SessionKey;
  readonly client: Pick<Client, 'askUser'>;
}

/** Asks once a session is open, and again with the next one when the question went away with the last. */
export function askForTrust(trust: FolderTrust, {store, key, client}: TrustSurroundings): void {
  const {question} = trust;
  if (!question) return;
  let isDecided = false;
  store.dispatch({type: 'trust_awaited', key, isAwaited: true});

  function notice(level: 'info' | 'warning', text: string): void {
    store.dispatch({type: 'session', key, event: {type: 'notice', level, text, at: Date.now()}});
  }

  function use(): void {
    const accepted = trust.accept();
    notice('info', 'The settings of this folder are used from now on; /permissions lists its rules.');
    if (!accepted.ok) notice('warning', failureSentence(accepted.failure));
  }

  async function ask(asked: NonNullable<FolderTrust['question']>): Promise<void> {
    const answer = await client.askUser(asked);
    if (isDecided) return;
    isDecided = answer !== undefined;
    if (answer) use();
    else if (answer === false)
      notice('info', 'The settings of this folder are not used; the next start asks again.');
    // What waits is sent with the settings that hold by now; a question that went away does not keep it.
    store.dispatch({type: 'trust_awaited', key, isAwaited: false});
  }

  store.onEvent((event) => {
    if (isDecided || event.type !== 'session' || event.key !== key) return;
    // The question is an event itself: it must not come in the middle of this one.
    if (event.event.type === 'session_opened') queueMicrotask(() => void ask(question));
  });
}
