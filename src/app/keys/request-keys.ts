import {pendingRequest} from '../../session/selectors.ts';
import {nothing, type Step} from '../effects.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, RequestView} from '../state.ts';
import {formKey} from './form-keys.ts';
import {linkKey} from './link-keys.ts';
import {permissionKey} from './permission-keys.ts';

/** Keys while a request of the agent has the keyboard. */
export function requestKey(state: AppState, key: KeyEvent, view: RequestView): Step {
  const request = pendingRequest(activeSession(state).session, view.id);
  switch (request?.kind) {
    case 'permission':
      return permissionKey({state, view, request}, key);
    case 'form':
      return formKey({state, view, request}, key);
    case 'url':
      return linkKey({state, view, request}, key);
    case undefined:
      return nothing;
  }
}
