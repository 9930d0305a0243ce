import type {SessionEffect} from '../app/effects.ts';
import {formFor} from '../app/forms/asked-form.ts';
import {withProblems} from '../app/forms/fill.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {keyFor} from '../app/key-names.ts';
import type {SessionKey} from '../app/state.ts';
import {patternProblems} from '../host/forms/try-pattern.ts';
import {pendingRequest} from '../session/selectors.ts';
import type {Performer} from './window/performer.ts';

type EffectOf<Kind extends SessionEffect['kind']> = Extract<SessionEffect, {kind: Kind}> & {
  readonly key: SessionKey;
};

/** Sends a form, unless one of its patterns does not fit: that is told at its field. */
export function submitForm({key, id, content}: EffectOf<'submit_form'>, performer: Performer): void {
  const {store, clientOf} = performer;
  const open = store.current().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (!open || request?.kind !== 'form') return;
  const problems = patternProblems(request.fields, content);
  if (problems.size === 0) return clientOf(key).actions.answer(id, {kind: 'accepted', content});
  const form = withProblems(formFor(open, request), problems);
  store.dispatch({type: 'form_changed', key, id, form}, 'urgent');
  tell('An answer does not fit the pattern that the agent asks for.', performer);
}

/** The user has agreed: the agent is told so, and the browser gets the address. */
export async function openLink({key, id}: EffectOf<'open_link'>, performer: Performer): Promise<void> {
  const {store, clientOf} = performer;
  const open = store.current().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (request?.kind !== 'url') return;
  if (!request.isOpened) clientOf(key).actions.answer(id, {kind: 'accepted', content: {}});
  const {openInBrowser} = await import('./open-in-browser.ts');
  const isOpened = await openInBrowser(request.link.href, {env: process.env, platform: process.platform});
  const {keymap} = store.current();
  const [goes, copies] = [keyFor('focus_request', keymap), keyFor('copy_text', keymap)];
  tell(
    isOpened
      ? 'Handed to the browser.'
      : `No browser could be opened here: ${goes} goes to the request, ${copies} copies the address, for a browser elsewhere.`,
    performer,
  );
}

function tell(text: string, {store}: Performer): void {
  store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
}
