import {prependToDraft} from '../../app/editor/insert.ts';
import {keyFor} from '../../app/keymap/key-names.ts';
import {sandboxPage} from '../../app/pages/sandbox-page.ts';
import {withProblems} from '../../app/requests/form-values.ts';
import {formFor} from '../../app/requests/form.ts';
import {
  permissionsPicker,
  decisionsOverlay,
  explanationOverlay,
} from '../../app/requests/permission-choices.ts';
import {patternProblems} from '../../host/elicitation/patterns.ts';
import type {Tab} from '../../app/state.ts';
import type {PermissionRules} from '../../conversation/trust/permission-rules.ts';
import {decisionsIn, type DecisionRecord} from '../../session/requests/permission-rules.ts';
import {pendingRequest} from '../../session/selectors.ts';
import {isSubagent} from '../../session/subagents/tree.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {notify, show, showPicker, type EffectHandlers} from './effect-context.ts';

/** Refused connections that are shown. */
const MAX_REFUSED = 20;
/** Number of decisions that can be explained. */
const MAX_EXPLAINED = 100;

/** Effects on requests of the agent, and on permission rules and decisions. */
export const requestEffects = {
  // Unless a field does not match its pattern; the field then shows the error.
  submit_form({key, id, content}, context) {
    const {store, tab, client} = context;
    const request = pendingRequest(tab.session, id);
    if (request?.kind !== 'form') return undefined;
    const problems = patternProblems(request.fields, content);
    const filled = formFor(tab, request);
    if (problems.size === 0) {
      store.dispatch({type: 'form_changed', key, id, form: {...filled, isSent: true}}, 'urgent');
      return client.answer(id, {kind: 'accepted', content});
    }
    const form = withProblems(filled, problems);
    store.dispatch({type: 'form_changed', key, id, form}, 'urgent');
    return notify(context, 'Does not match the pattern that the agent requires.');
  },
  // The agent is told first that the user agreed.
  async open_link({id}, context) {
    const {store, tab, client} = context;
    const request = pendingRequest(tab.session, id);
    if (request?.kind !== 'url') return;
    if (!request.isOpened) void client.answer(id, {kind: 'accepted', content: {}});
    const {openInBrowser} = await import('../desktop.ts');
    const isOpened = await openInBrowser(request.link.href, {env: process.env, platform: process.platform});
    const {keymap} = store.latest();
    const [goes, copies] = [keyFor('focus_request', keymap), keyFor('copy_text', keymap)];
    notify(
      context,
      isOpened
        ? 'Opened in the browser.'
        : `No browser found here · ${goes} go to the request · ${copies} copy the URL`,
    );
  },
  async show_permissions(_, context) {
    const {permissions, tab, client} = context;
    const {session} = tab;
    const grants = (await client.sessionGrants()).filter(
      ({sessionId}) => sessionId === session.sessionId || isSubagent(session, sessionId),
    );
    const decisions = decisionsOf(tab, permissions);
    const shown = {rules: permissions.rules(session.cwd), grants, decisions};
    showPicker(context, permissionsPicker(shown, tab));
  },
  show_decisions: (_, context) => show(context, decisionsOverlay(logOf(context.tab, context.permissions))),
  show_sandbox(_, context) {
    const {tab, permissions} = context;
    const decisions = decisionsIn(logOf(tab, permissions));
    const refused = decisions.filter(({method, outcome}) => method === 'network' && outcome !== 'allowed');
    return show(context, sandboxPage(tab.session, refused.slice(-MAX_REFUSED)));
  },
  explain_decision({index}, context) {
    const decision = decisionsOf(context.tab, context.permissions)[index];
    if (decision) show(context, explanationOverlay(decision));
  },
  take_back({id, covers}, context) {
    context.client.takeBack(id);
    notify(context, `No longer allowed for this session: ${escapeHiddenLine(covers)}.`);
  },
  // The session tells the agent once it is written.
  async answer_edited({key, id, changes, path, before, text}, context) {
    const {store, client} = context;
    const isEmptied = text.trim() === '' && before.trim() !== '';
    if (text === before || isEmptied) return notify(context, 'Nothing was changed; the request still waits.');
    if (store.latest().request?.id === id) store.dispatch({type: 'request_answered'}, 'urgent');
    const done = await client.answer(id, {kind: 'edited', content: text, changes, key: 'e'});
    const tab = store.latest().sessions[key];
    if (done.ok || !tab) return undefined;
    store.dispatch({type: 'request_not_taken', id}, 'urgent');
    const {editNote} = await import('../../text/diff/edit-note.ts');
    const note = editNote({path, before, after: text, state: 'gone'});
    const draft = prependToDraft(tab.draft, note);
    store.dispatch({type: 'draft_changed', key, draft, at: performance.now()}, 'urgent');
    return notify(context, `${failureSentence(done.failure)} What you changed is in the prompt.`);
  },
  async add_rule(rule, context) {
    const added = await context.permissions.add(rule);
    if (added.ok) notify(context, `Rule: ${rule.effect} ${rule.text}.`);
    return added;
  },
  async remove_rule({text}, context) {
    const {tab, permissions} = context;
    const isThere = permissions
      .rules(tab.session.cwd)
      .some((rule) => rule.source === 'user' && rule.text === text);
    if (!isThere) return notify(context, `No rule "${text}" of yours; /permissions lists them.`);
    const removed = await permissions.remove(text);
    if (removed.ok) notify(context, `Rule removed: ${text}.`);
    return removed;
  },
} satisfies Partial<EffectHandlers>;

type PermissionLog = Pick<PermissionRules, 'log'>;

function logOf({agentLabel, session: {sessionId = ''}}: Tab, {log}: PermissionLog) {
  return log(agentLabel, sessionId);
}

/** Returns the newest decisions about requests of a session and its subagents, oldest first. */
function decisionsOf({agentLabel, session}: Tab, {log}: PermissionLog): readonly DecisionRecord[] {
  const {sessionId = '', subagents} = session;
  return [sessionId, ...Object.keys(subagents)]
    .flatMap((id) => decisionsIn(log(agentLabel, id)))
    .toSorted((one, other) => one.at - other.at)
    .slice(-MAX_EXPLAINED);
}
