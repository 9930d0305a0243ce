import {emitEvent, perform, combine, type EditedRequest, type Reaction} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {TOAST_MS, changeActiveDraft, activeDraft} from '../sessions.ts';
import {draftText} from './draft.ts';
import {replaceText} from './insert.ts';
import {guardRequest} from '../requests/request-guard.ts';
import type {AppState} from '../state.ts';

/** Opens the active draft in the user's editor. */
export function openEditor(state: AppState): Reaction {
  const text = draftText(activeDraft(state));
  return combine(
    emitEvent({type: 'overlay_opened', overlay: {kind: 'editor'}}),
    perform({kind: 'open_editor', key: state.active, text}),
  );
}

/** Opens the content of a file that a request would write, or its command. */
export function openProposal({active}: AppState, request: EditedRequest, text: string): Reaction {
  return combine(
    emitEvent({type: 'overlay_opened', overlay: {kind: 'editor'}}),
    perform({kind: 'open_editor', key: active, text, request}),
  );
}

/** Applies the edited text. Keys typed in the editor must not reach a request that arrived meanwhile. */
export function editorClosed(state: AppState, event: AppEventOf<'editor_closed'>): AppState {
  const {key, before, isOfRequest, outcome, at} = event;
  const {overlay} = state;
  const closed = guardRequest(overlay.kind === 'editor' ? {...state, overlay: {kind: 'none'}} : state, at);
  if (outcome.kind === 'kept') return {...closed, toast: {text: outcome.why, until: at + TOAST_MS}};
  if (isOfRequest) return closed;
  const changed = changeActiveDraft(closed, key, (draft) =>
    replaceText(draft, {before, after: outcome.text}),
  );
  return {...changed, lastTypedAt: at, menu: {selected: 0, dismissed: true}};
}
