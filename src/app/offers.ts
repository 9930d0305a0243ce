import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionState} from '../session/state.ts';
import {pickerOf} from './picker.ts';
import {GUARD_MS} from './requests.ts';
import {activeSession, changeSession, isQuiet} from './sessions.ts';
import type {AppState, OpenSession, Picker, PickerItem} from './state.ts';

/** How long an agent may take to answer a cancel before a restart is offered, in milliseconds. */
export const CANCEL_PATIENCE_MS = 5000;

const restartItem: PickerItem = {
  id: 'restart',
  label: 'Restart the agent',
  description: 'The conversation stays on the screen; the agent starts without it.',
};
const quitItem: PickerItem = {id: 'quit', label: 'Quit'};

/** The ways to go on where the session cannot by itself; undefined where it can. */
export function offerFor({connection, turn}: SessionState): Picker | undefined {
  switch (connection.kind) {
    case 'authentication_required':
      return pickerOf({
        purpose: {kind: 'authenticate'},
        title: 'Sign in to go on',
        note: connection.problem,
        items: connection.methods.map(signInItem),
      });
    case 'lost':
    case 'failed':
      return pickerOf({
        purpose: {kind: 'recovery'},
        title: connection.kind === 'lost' ? 'The agent is gone' : 'The agent could not be started',
        items: [
          connection.kind === 'lost' ? restartItem : {...restartItem, label: 'Try again'},
          {id: 'stay', label: 'Read on', description: 'Sending an empty prompt asks again.'},
          quitItem,
        ],
      });
    case 'starting':
    case 'ready':
    case 'closed':
      return turn.kind === 'cancelling' ? stalledCancel : undefined;
  }
}

const stalledCancel = pickerOf({
  purpose: {kind: 'recovery'},
  title: 'The agent has not answered the cancel',
  items: [{id: 'stay', label: 'Wait'}, restartItem, quitItem],
});

function signInItem(method: acp.AuthMethod): PickerItem {
  const {id, name, description} = method;
  const kind: string = ('type' in method ? method.type : undefined) ?? 'agent';
  return {
    id,
    label: name || id,
    description: description ?? undefined,
    disabled: kind === 'agent' ? undefined : 'Not possible from here yet; use the program of the agent.',
  };
}

/** Notes that a session came to where it cannot go on, and takes a list back that no longer fits. */
export function followOffers(state: AppState, before: OpenSession, at: number): AppState {
  const {key} = before;
  const {connection} = state.sessions[key]?.session ?? before.session;
  if (connection === before.session.connection) return withoutStaleOffer(state);
  const {kind} = connection;
  const isNews = kind !== before.session.connection.kind || kind === 'authentication_required';
  const isStuck = kind === 'lost' || kind === 'failed' || kind === 'authentication_required';
  const noted = isNews ? changeSession(state, key, (open) => ({...open, offerDue: isStuck})) : state;
  return openIfQuiet(withoutStaleOffer(noted), at);
}

function withoutStaleOffer(state: AppState): AppState {
  const shown = shownOffer(state);
  if (!shown) return state;
  const offer = offerFor(activeSession(state).session);
  if (offer?.title === shown.title && offer.note === shown.note) return state;
  return {...state, overlay: {kind: 'none'}};
}

function shownOffer({overlay}: AppState): Picker | undefined {
  if (overlay.kind !== 'picker') return undefined;
  const {kind} = overlay.picker.purpose;
  return kind === 'recovery' || kind === 'authenticate' ? overlay.picker : undefined;
}

/** Opens the list that is due where that catches no key that was meant for the prompt. */
export function openIfQuiet(state: AppState, at: number): AppState {
  const open = activeSession(state);
  const picker = open.offerDue && isQuiet(state, at) ? offerFor(open.session) : undefined;
  if (!picker) return state;
  return {
    ...changeSession(state, open.key, (open) => ({...open, offerDue: false})),
    overlay: {kind: 'picker', picker: {...picker, answerFrom: at + GUARD_MS}},
  };
}
