import type {SessionEvent} from '../../session/events.ts';
import {sendsNext} from '../../session/queue/queue.ts';
import {isIdle} from '../../session/selectors.ts';
import {emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import type {AppState, SessionKey} from '../state.ts';
import type {ReviewView} from './review-view.ts';

/** Returns the review of a session, while it is shown. */
function reviewOf({overlay}: AppState, key: SessionKey): ReviewView | undefined {
  return overlay.kind === 'review' && overlay.key === key ? overlay : undefined;
}

/** Performs the next action that waits for the end of the turn, once no turn is running and no prompt is about to be sent. */
export function performWaitingChange(state: AppState, key: SessionKey): Reaction {
  const view = reviewOf(state, key);
  if (!view || view.doing) return nothing;
  const [change, ...waiting] = view.waiting;
  const tab = state.sessions[key];
  if (!change || !tab) return nothing;
  const {queue} = tab.session;
  if (!isIdle(tab.session) || queue.isSending || sendsNext(queue)) return nothing;
  return combine(
    emitEvent({type: 'review_changed', change: {waiting, doing: change}}),
    perform({kind: 'change_review', key, change, of: view.review.id}),
  );
}

/** Reads a review again at the end of a turn, unless something is being typed into it. */
export function refreshReview(state: AppState, key: SessionKey, event: SessionEvent): Reaction {
  const view = reviewOf(state, key);
  const isFree = view && !view.typing && !view.doing && view.waiting.length === 0;
  if (event.type !== 'turn_changes' || !isFree || view.selectedFrom !== undefined) return nothing;
  const change = {kind: 'refresh'} as const;
  return combine(
    emitEvent({type: 'review_changed', change: {doing: change}}),
    perform({kind: 'change_review', key, change, of: view.review.id}),
  );
}
