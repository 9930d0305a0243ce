import {sanitizeLine} from '../../text/sanitize.ts';
import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';

/** A title that is omitted stays; null clears it. */
export function sessionInfoUpdate(
  state: SessionState,
  {title}: UpdateOf<'session_info_update'>,
): SessionState {
  if (title === undefined) return state;
  return {...state, title: title === null ? undefined : sanitizeLine(title) || undefined};
}
