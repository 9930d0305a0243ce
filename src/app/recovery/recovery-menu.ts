import {hasNoSession} from '../../session/selectors.ts';
import type {SessionState, StartStep, TurnState} from '../../session/state.ts';
import {describeFailure} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import {interruptedPromptOffer} from './interrupted-prompt.ts';
import {limitOffer} from './limit-offer.ts';
import {callAction, emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import {showAgents} from '../pickers/agent-picker.ts';
import {pickerOf, type ListItem, type PickerSelection} from '../pickers/picker.ts';
import {showSessions} from '../pickers/session-picker.ts';
import {signInPicker} from './sign-in.ts';
import {GUARD_MS} from '../requests/request-phase.ts';
import {activeSession, changeSession, isQuiet} from '../sessions.ts';
import type {AppState, Tab, Picker} from '../state.ts';

/** The time after which an unanswered cancel offers a restart, in milliseconds. */
export const CANCEL_TIMEOUT_MS = 5000;

/** The time after which a slow start is reported and can be cancelled, in milliseconds. */
const START_TIMEOUT_MS = 5000;

const METHODS: Readonly<Partial<Record<StartStep, string>>> = {
  reconnecting: 'the attempts to reconnect',
  initializing: 'initialize',
  opening_session: 'the request to open a session',
};

/** Returns the request that the agent has left unanswered for so long that the user may cancel; undefined if there is none. */
export function startMethod({session, since}: Tab, now: number): string | undefined {
  const {connection} = session;
  const isLong = connection.kind === 'starting' && now - since.connection >= START_TIMEOUT_MS;
  return isLong ? METHODS[connection.step] : undefined;
}

const restartItem: ListItem = {
  id: 'restart',
  label: 'Restart the agent',
  description: 'Resumes the session if the agent supports it.',
  choose: ({tab: {key}}) => callAction(key, 'restart'),
};
const agentsItem: ListItem = {id: 'agents', label: 'Select another agent', choose: () => showAgents()};
const logItem: ListItem = {
  id: 'log',
  label: 'Show its full output',
  description: 'Same as /status log',
  choose: ({tab: {key}}) => perform({kind: 'show_log', key}),
};
const stayItem: ListItem = {
  id: 'stay',
  label: 'Stay here',
  description: 'Send an empty prompt to see this again.',
};
/** After these there is no output to show. */
const NEVER_RAN: ReadonlySet<Failure['kind']> = new Set(['bad_agent', 'command_not_found', 'not_executable']);
/** After this many consecutive losses without a completed turn, a restart is unlikely to help. */
const MAX_LOSSES = 3;
const quitItem: ListItem = {id: 'quit', label: 'Quit', choose: () => perform({kind: 'quit'})};

/** Returns the recovery options of a session; undefined if it needs none. */
export function recoveryFor(tab: Tab): Picker | undefined {
  const {session} = tab;
  const {interruptedPrompt, prompts} = session.queue;
  const {connection, turn, losses} = session;
  switch (connection.kind) {
    case 'authentication_required':
      return signInPicker(tab, {title: 'Sign in to continue', note: connection.problem});
    case 'lost':
      return lostOffer(losses);
    case 'failed':
      return pickerOf({
        purpose: {kind: 'recovery'},
        title: 'The agent could not be started',
        items: [
          ...installItems(connection.failure),
          {...restartItem, label: 'Try again', ...(hasMessages(session) ? {} : {description: undefined})},
          agentsItem,
          ...(NEVER_RAN.has(connection.failure.kind) ? [] : [logItem]),
          stayItem,
          quitItem,
        ],
      });
    case 'no_session':
      return sessionOffer(session);
    case 'ready':
      if (turn.kind !== 'idle') return stalledOffer(turn);
      return interruptedPrompt
        ? interruptedPromptOffer(interruptedPrompt, prompts.length)
        : limitOffer(session.queue);
    case 'starting':
    case 'closed':
      return stalledOffer(turn);
  }
}

/** For a known agent that is not installed. */
function installItems(failure: Failure): readonly ListItem[] {
  if (failure.kind !== 'command_not_found' || failure.installable === undefined) return [];
  const id = failure.installable;
  const description = 'Looks it up in the registry; shows what is downloaded and run first.';
  const choose = () => perform({kind: 'install_agent', id});
  return [{id: 'install', label: `Install ${id}`, description, choose}];
}

/** After several consecutive losses, Enter alone does not restart the agent. */
function lostOffer(losses: number): Picker {
  const isHopeless = losses >= MAX_LOSSES;
  return pickerOf({
    purpose: {kind: 'recovery'},
    title: isHopeless ? `The agent stopped ${losses} times in a row` : 'The agent stopped',
    items: isHopeless ? [stayItem, restartItem, quitItem] : [restartItem, stayItem, quitItem],
  });
}

/** No session is open: none was selected yet, or the agent could not resume it. */
function sessionOffer(session: SessionState): Picker {
  const {connection} = session;
  const failure = connection.kind === 'no_session' ? connection.failure : undefined;
  const hasTranscript = hasMessages(session);
  const newItem: ListItem = {
    id: 'new',
    label: 'New session',
    description: hasTranscript ? 'Without the earlier messages as context.' : undefined,
    choose: startNew,
  };
  const withTranscript: ListItem = {
    id: 'new_with_context',
    label: 'New session with the transcript as context',
    description: 'It goes into the prompt for you to edit before sending.',
    choose: (selection) =>
      combine(emitEvent({type: 'handoff_drafted', key: selection.tab.key}), startNew(selection)),
  };
  const otherItem: ListItem = {
    id: 'resume',
    label: 'Another session',
    choose: () => showSessions('folder'),
  };
  return pickerOf({
    purpose: {kind: 'recovery'},
    title: offerTitle(failure, hasTranscript),
    items: [
      ...(hasTranscript ? [withTranscript] : []),
      newItem,
      otherItem,
      ...(failure ? [{id: 'retry', label: 'Try again', choose: openAgain}] : []),
      {...stayItem, label: 'Read only'},
      quitItem,
    ],
  });
}

function startNew({tab: {key}}: PickerSelection): Reaction {
  return callAction(key, 'openSession', {kind: 'new'});
}

function openAgain({tab: {key, session}}: PickerSelection): Reaction {
  const failure = session.connection.kind === 'no_session' ? session.connection.failure : undefined;
  if (failure?.kind === 'cannot_continue')
    return callAction(key, 'openSession', {kind: 'continue', sessionId: failure.sessionId});
  if (failure?.kind === 'no_such_session')
    return callAction(key, 'openSession', {kind: 'continue', sessionId: failure.wanted});
  return nothing;
}

function hasMessages({entries}: SessionState): boolean {
  return entries.some(({type}) => type === 'user_message');
}

function offerTitle(failure: Failure | undefined, hasTranscript: boolean): string {
  if (!failure) return 'No session open';
  return failure.kind === 'no_such_session' && hasTranscript
    ? 'The agent no longer has this session'
    : describeFailure(failure).what;
}

function stalledOffer({kind}: TurnState): Picker | undefined {
  return kind === 'cancelling' ? stalledCancel : undefined;
}

/** True if Enter shows the recovery options before it sends a draft: until they were shown, and while a session could not be opened. */
export function offersFirst(tab: Tab): boolean {
  const {session, draft, offerDue} = tab;
  const {connection, turn} = session;
  const isUndecided = connection.kind === 'no_session' && connection.failure !== undefined;
  if (turn.kind !== 'idle' || draft.text.startsWith('/')) return false;
  return (offerDue || isUndecided) && recoveryFor(tab) !== undefined;
}

const stalledCancel = pickerOf({
  purpose: {kind: 'recovery'},
  title: 'The agent has not responded to the cancel',
  items: [{id: 'stay', label: 'Keep waiting'}, restartItem, quitItem],
});

/** Records that a session needs recovery, and closes an offer that no longer applies. */
export function followRecovery(state: AppState, before: Tab, at: number): AppState {
  const {key} = before;
  const {session} = state.sessions[key] ?? before;
  const {connection} = session;
  if (connection === before.session.connection) return withoutStaleOffer(state);
  const {kind} = connection;
  const isNews = kind !== before.session.connection.kind || kind === 'authentication_required';
  const isStuck =
    kind === 'lost' ||
    kind === 'failed' ||
    kind === 'authentication_required' ||
    (kind === 'no_session' && !hasNoSession(session));
  const isOfferable = isStuck || (kind === 'ready' && session.queue.interruptedPrompt !== undefined);
  const kept = withoutStaleOffer(state);
  // An offer that is already shown is not shown again.
  const isDue = isOfferable && (key !== kept.active || shownOffer(kept) === undefined);
  const noted = isNews ? changeSession(kept, key, (tab) => ({...tab, offerDue: isDue})) : kept;
  return openIfQuiet(noted, at);
}

function withoutStaleOffer(state: AppState): AppState {
  const shown = shownOffer(state);
  if (!shown) return state;
  const offer = recoveryFor(activeSession(state));
  if (offer?.title !== shown.title) return {...state, overlay: {kind: 'none'}};
  // The note may have been completed later.
  return offer.note === shown.note
    ? state
    : {...state, overlay: {kind: 'picker', picker: {...shown, note: offer.note}}};
}

function shownOffer({overlay}: AppState): Picker | undefined {
  if (overlay.kind !== 'picker') return undefined;
  const {purpose} = overlay.picker;
  const isOffer = purpose.kind === 'recovery' || (purpose.kind === 'authenticate' && !purpose.byUser);
  return isOffer ? overlay.picker : undefined;
}

/** Records that the options were shown, however they were opened. */
export function withoutShownOffer(state: AppState): AppState {
  if (!shownOffer(state)) return state;
  return changeSession(state, state.active, (tab) => (tab.offerDue ? {...tab, offerDue: false} : tab));
}

/** Opens a due offer, unless it could catch keys meant for the prompt. */
export function openIfQuiet(state: AppState, at: number): AppState {
  const tab = activeSession(state);
  // Questions for the user take precedence.
  const isOffered = tab.offerDue && state.replay === undefined && tab.session.pending.length === 0;
  const picker = isOffered && isQuiet(state, at) ? recoveryFor(tab) : undefined;
  if (!picker) return state;
  return withoutShownOffer({
    ...state,
    overlay: {kind: 'picker', picker: {...picker, answerFrom: at + GUARD_MS}},
  });
}
