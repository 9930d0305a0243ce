import {pendingRequest} from '../../session/selectors.ts';
import type {PendingPermission} from '../../session/state.ts';
import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {activeSession, draftInHand} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {remembered, rememberedAside} from './remember.ts';

/** The option that refuses this once; -1 where the agent offers none. */
export function refusal(request: PendingPermission): number {
  return request.options.findIndex((option) => option.kind === 'reject_once');
}

/** Refuses the request whose note was typed; the note, if there is one, is the next prompt. */
export function refuse(state: AppState, note: string): Step {
  const {key, session} = activeSession(state);
  const request = state.focus.kind === 'note' ? pendingRequest(session, state.focus.id) : undefined;
  if (request?.kind !== 'permission') return nothing;
  const index = refusal(request);
  return together(
    fold({type: 'note_sent', key}, {type: 'request_answered'}),
    rememberedAside(state, draftInHand(state)),
    note === ''
      ? nothing
      : together(remembered(note), fold({type: 'prompt_submitted', key, text: note, place: 'first'})),
    perform({kind: 'answer', key, id: request.id, answer: {kind: 'option', index}}),
  );
}
