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
import type {SessionGrant} from '../../session/actions.ts';
import {pendingRequest} from '../../session/selectors.ts';
import {isSubagent} from '../../session/subagents/tree.ts';
import type {Result} from '../../shared/failure.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {notify, type EffectContext} from './effect-context.ts';

/** Submits a form, unless a field does not match its pattern; the field then shows the error. */
export function submitForm({key, id, content}: EffectOf<'submit_form'>, context: EffectContext): void {
  const {store, clientOf} = context;
  const open = store.latest().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (!open || request?.kind !== 'form') return;
  const problems = patternProblems(request.fields, content);
  if (problems.size === 0) return clientOf(key).answer(id, {kind: 'accepted', content});
  const form = withProblems(formFor(open, request), problems);
  store.dispatch({type: 'form_changed', key, id, form}, 'urgent');
  notify(context, 'Does not match the pattern that the agent requires.');
}

/** Tells the agent that the user agreed, and opens the URL in the browser. */
export async function openLink({key, id}: EffectOf<'open_link'>, context: EffectContext): Promise<void> {
  const {store, clientOf} = context;
  const open = store.latest().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (request?.kind !== 'url') return;
  if (!request.isOpened) clientOf(key).answer(id, {kind: 'accepted', content: {}});
  const {openInBrowser} = await import('./desktop.ts');
  const isOpened = await openInBrowser(request.link.href, {env: process.env, platform: process.platform});
  const {keymap} = store.latest();
  const [goes, copies] = [keyFor('focus_request', keymap), keyFor('copy_text', keymap)];
  notify(
    context,
    isOpened
      ? 'Opened in the browser.'
      : `No browser found here · ${goes} go to the request · ${copies} copy the URL`,
  );
}

/* Effects on permission rules and decisions. */

export function showPermissions({key}: EffectOf<'show_permissions'>, context: EffectContext): void {
  const {store, permissions, clientOf} = context;
  const open = store.latest().sessions[key];
  if (!open) return;
  const {session} = open;
  const isOfSession = ({sessionId}: SessionGrant) =>
    sessionId === session.sessionId || isSubagent(session, sessionId);
  const shown = {
    rules: permissions.rules(session.cwd),
    grants: clientOf(key).sessionGrants().filter(isOfSession),
    decisions: permissions.decisions(),
  };
  show(context, {kind: 'picker', picker: permissionsPicker(shown, open)});
}

export function showDecisions({key}: EffectOf<'show_decisions'>, context: EffectContext): void {
  const {store, permissions} = context;
  const sessionId = store.latest().sessions[key]?.session.sessionId ?? '';
  show(context, decisionsOverlay(permissions.log(sessionId)));
}

export function explainDecision({index}: EffectOf<'explain_decision'>, context: EffectContext): void {
  const decision = context.permissions.decisions()[index];
  if (decision) show(context, explanationOverlay(decision));
}

function show({store}: EffectContext, overlay: Overlay): void {
  store.dispatch({type: 'overlay_opened', overlay});
}

export function takeBack({key, id, covers}: EffectOf<'take_back'>, context: EffectContext): void {
  context.clientOf(key).takeBack(id);
  notify(context, `No longer allowed for this session: ${escapeHiddenLine(covers)}.`);
}

export async function addRule(rule: EffectOf<'add_rule'>, context: EffectContext): Promise<Result<void>> {
  const added = await context.permissions.add(rule);
  if (added.ok) notify(context, `Rule: ${rule.effect} ${rule.text}.`);
  return added;
}

export async function removeRule(
  {key, text}: EffectOf<'remove_rule'>,
  context: EffectContext,
): Promise<Result<void> | undefined> {
  const {store, permissions} = context;
  const cwd = store.latest().sessions[key]?.session.cwd ?? '';
  const isThere = permissions.rules(cwd).some((rule) => rule.source === 'user' && rule.text === text);
  if (!isThere) return notify(context, `No rule "${text}" of yours; /permissions lists them.`);
  const removed = await permissions.remove(text);
  if (removed.ok) notify(context, `Rule removed: ${text}.`);
  return removed;
}
