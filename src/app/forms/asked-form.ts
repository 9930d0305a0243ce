import {remember} from '../../session/remember.ts';
import type {PendingForm} from '../../session/state.ts';
import type {AppEventOf} from '../events.ts';
import {changeSession} from '../sessions.ts';
import type {AppState, OpenSession} from '../state.ts';
import {formOf, type FormState} from './form.ts';

const untouched = remember(({fields, asker}: PendingForm) => formOf(fields, asker));

/** A form that waits, as far as it is filled in; what was typed stays when the keyboard goes elsewhere. */
export function formFor({forms}: OpenSession, request: PendingForm): FormState {
  return forms[request.id] ?? untouched(request);
}

/** The form was filled in further, or what is wrong with it was found out. */
export function formChanged(state: AppState, {key, id, form}: AppEventOf<'form_changed'>): AppState {
  return changeSession(state, key, (open) =>
    open.session.pending.some((request) => request.id === id)
      ? {...open, forms: {...open.forms, [id]: form}}
      : open,
  );
}

/** What was typed into a form that waits no longer is gone. */
export function withoutOldForms(open: OpenSession): OpenSession {
  const ids = Object.keys(open.forms);
  if (ids.length === 0) return open;
  const waiting = new Set(open.session.pending.map(({id}) => id));
  if (ids.every((id) => waiting.has(id))) return open;
  const kept = Object.entries(open.forms).filter(([id]) => waiting.has(id));
  return {...open, forms: Object.fromEntries(kept)};
}
