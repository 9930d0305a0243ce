import type {AppEvent} from '../../app/events.ts';
import type {AppState, Tab, SessionKey} from '../../app/state.ts';
import {isReady} from '../../session/selectors.ts';
import type {Store} from '../../shared/store.ts';
import type {SessionActions} from '../../session/actions.ts';
import type {CommandLibrary} from '../../conversation/prompt/command-library.ts';

interface QuestionAboutOthers {
  readonly store: Store<AppState, AppEvent>;
  readonly library: CommandLibrary;
  readonly clientOf: (key: SessionKey) => Pick<SessionActions, 'askUser'>;
  /** Saves the answer. */
  readonly decide: (use: 'on' | 'off') => Promise<void>;
}

/** Asks once, when a session is open, whether the commands of other clients are used. */
export function askAboutOthers({store, library, clientOf, decide}: QuestionAboutOthers): void {
  async function ask({key, session}: Tab): Promise<void> {
    const clients = await library.unasked(session.cwd);
    if (clients.length === 0) return;
    const answer = await clientOf(key).askUser({
      title: `Use the commands of ${clients.join(' and ')}?`,
      text:
        'Their files are read from this folder and from your home folder, and are in the / menu under their names. ' +
        'What a command runs is asked about like a command of an agent. The setting otherCommands changes this later.',
      yes: 'Use them',
      no: 'Do not use them',
    });
    if (answer !== undefined) await decide(answer ? 'on' : 'off');
  }
  const stop = store.onEvent((_event, {sessions, active}) => {
    const tab = sessions[active];
    if (!tab || !isReady(tab.session)) return;
    stop();
    // Asking emits an event, which must not happen during this one.
    queueMicrotask(() => void ask(tab));
  });
}
