import {showAgents} from '../../app/pickers/agent-picker.ts';
import {applyReaction, type Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {GUARD_MS} from '../../app/requests/request-phase.ts';
import {interruptedPicker, showSessions} from '../../app/pickers/session-picker.ts';
import {activeSession, isQuiet} from '../../app/sessions.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {InteractiveOptions} from '../../cli/options.ts';
import type {AgentChooser} from '../../window/agents/agent-chooser.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {Store} from '../../shared/store.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';

interface StartupContext {
  readonly given: InteractiveOptions;
  readonly sessions: SessionStore;
  readonly perform: (effect: Effect) => void;
}

/** Opens the startup overlay: the list of `--resume`, or an interrupted session of this folder. */
export function openStartupOverlay(
  store: Store<AppState, AppEvent>,
  {given, sessions, perform}: StartupContext,
): void {
  if (given.resumeRequest?.which === 'chosen') {
    const {filter} = given.resumeRequest;
    const scope = filter === undefined ? 'folder' : 'everywhere';
    const list = showSessions(scope, {filter: filter ?? '', fork: given.fork});
    return applyReaction(list, store, perform);
  }
  if (given.resumeRequest || !given.save) return;
  const {cwd} = activeSession(store.latest()).session;
  const listed = sessions.list({cwd, status: 'interrupted', ofWindows: true, limit: 1});
  const [interrupted] = listed.ok ? listed.value : [];
  if (!interrupted) return;
  const at = performance.now();
  const {id, updatedAt} = interrupted;
  const name = nameOfSession(interrupted);
  if (isQuiet(store.latest(), at)) {
    const picker = {...interruptedPicker({id, name, ago: Date.now() - updatedAt}), answerFrom: at + GUARD_MS};
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  } else {
    const text = `"${name}" was interrupted; /resume lists it.`;
    store.dispatch({type: 'toast_shown', text, until: at + 10_000}, 'urgent');
  }
}

interface FirstChoice {
  /** The session without an agent, which is replaced when one is selected. */
  readonly key: SessionKey;
  readonly chooser: AgentChooser;
  readonly perform: (effect: Effect) => void;
}

/** Without a chosen agent, the window starts with the list of agents; closing it starts the demo agent. */
export function chooseFirstAgent(
  store: Store<AppState, AppEvent>,
  {key, chooser, perform}: FirstChoice,
): void {
  // No agent is being started.
  const event = {type: 'connection_changed', connection: {kind: 'closed'}, at: Date.now()} as const;
  store.dispatch({type: 'session', key, event, at: performance.now()});
  applyReaction(showAgents({isFirst: true}), store, perform);
  let isWatching = true;
  let isDue = false;

  /** Only after all effects of a key. */
  function check(): void {
    isDue = false;
    const {overlay, sessions} = store.latest();
    const isListed = overlay.kind === 'picker' && overlay.picker.purpose.kind === 'agents';
    if (!isWatching || isListed || chooser.isChoosing()) return;
    isWatching = false;
    stop();
    if (sessions[key]) perform({kind: 'choose_agent', id: 'demo'});
  }

  const stop = store.onEvent(() => {
    if (isDue) return;
    isDue = true;
    setImmediate(check);
  });
}
