import type {EffectOf} from '../../app/effects.ts';
import {keyFor} from '../../app/keymap/key-names.ts';
import {withProblems} from '../../app/requests/form-values.ts';
import {formFor} from '../../app/requests/form.ts';
import {
  permissionsPicker,
  decisionsOverlay,
  explanationOverlay,
} from '../../app/requests/permission-choices.ts';
import type {Overlay} from '../../app/state.ts';
import {patternProblems} from '../../host/elicitation/patterns.ts';
import {pendingRequest} from '../../session/selectors.ts';
import type {Result} from '../../shared/failure.ts';
import {say, type Performer} from './effect-context.ts';

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
  say(performer, 'An answer does not fit the pattern that the agent asks for.');
}

/** The user has agreed: the agent is told so, and the browser gets the address. */
export async function openLink({key, id}: EffectOf<'open_link'>, performer: Performer): Promise<void> {
  const {store, clientOf} = performer;
  const open = store.current().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (request?.kind !== 'url') return;
  if (!request.isOpened) clientOf(key).actions.answer(id, {kind: 'accepted', content: {}});
  const {openInBrowser} = await import('./desktop.ts');
  const isOpened = await openInBrowser(request.link.href, {env: process.env, platform: process.platform});
  const {keymap} = store.current();
  const [goes, copies] = [keyFor('focus_request', keymap), keyFor('copy_text', keymap)];
  say(
    performer,
    isOpened
      ? 'Handed to the browser.'
      : `No browser could be opened here: ${goes} goes to the request, ${copies} copies the address, for a browser elsewhere.`,
  );
}

/* What decides about permissions. */

export function showPermissions({key}: EffectOf<'show_permissions'>, performer: Performer): void {
  const {store, permissions} = performer;
  const open = store.current().sessions[key];
  if (!open) return;
  const shown = {rules: permissions.rules(open.session.cwd), decisions: permissions.decisions()};
  show(performer, {kind: 'picker', picker: permissionsPicker(shown, open)});
}

export function showDecisions({key}: EffectOf<'show_decisions'>, performer: Performer): void {
  const {store, permissions} = performer;
  const sessionId = store.current().sessions[key]?.session.sessionId ?? '';
  show(performer, decisionsOverlay(permissions.log(sessionId)));
}

export function explainDecision({index}: EffectOf<'explain_decision'>, performer: Performer): void {
  const decision = performer.permissions.decisions()[index];
  if (decision) show(performer, explanationOverlay(decision));
}

function show({store}: Performer, overlay: Overlay): void {
  store.dispatch({type: 'overlay_opened', overlay});
}

export async function addRule(rule: EffectOf<'add_rule'>, performer: Performer): Promise<Result<void>> {
  const added = await performer.permissions.add(rule);
  if (added.ok) say(performer, `Rule: ${rule.effect} ${rule.text}.`);
  return added;
}

export async function removeRule(
  {key, text}: EffectOf<'remove_rule'>,
  performer: Performer,
): Promise<Result<void> | undefined> {
  const {store, permissions} = performer;
  const cwd = store.current().sessions[key]?.session.cwd ?? '';
  const isThere = permissions.rules(cwd).some((rule) => rule.source === 'user' && rule.text === text);
  if (!isThere) return say(performer, `There is no rule "${text}" of yours; /permissions lists them.`);
  const removed = await permissions.remove(text);
  if (removed.ok) say(performer, `No rule any more: ${text}.`);
  return removed;
}
