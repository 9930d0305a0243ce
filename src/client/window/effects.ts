import type {Effect, SessionEffect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {keyFor} from '../../app/keymap/key-names.ts';
import {logOverlay, changesOverlay} from '../../app/pages/pages.ts';
import {mcpPicker, switchedTold, withRows} from '../../app/pickers/mcp-picker.ts';
import {passagePicker, readingOverlay} from '../../app/pickers/passage-picker.ts';
import {undoPicker} from '../../app/pickers/undo-picker.ts';
import {GUARD_MS} from '../../app/requests/focus-guard.ts';
import {withProblems} from '../../app/requests/form-values.ts';
import {formFor} from '../../app/requests/form.ts';
import {
  permissionsPicker,
  decisionsOverlay,
  explanationOverlay,
} from '../../app/requests/permission-choices.ts';
import {HINT_MS, activeSession} from '../../app/sessions.ts';
import type {SessionKey, Picker, Overlay, AppState} from '../../app/state.ts';
import {patternProblems} from '../../host/elicitation/patterns.ts';
import type {SessionActions} from '../../session/actions.ts';
import {pendingRequest} from '../../session/selectors.ts';
import {nameOfSession} from '../../session/titles.ts';
import type {UndoPlan} from '../../session/transcript/diffs.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import {performAttaching, performPrompt} from '../prompt/send-prompt.ts';
import {pickUpSession} from '../sessions/resume-session.ts';
import type {Performer} from './effect-context.ts';
import {copyAndTell, exportAndTell} from './export-effects.ts';
import {
  removeOpen,
  unarchiveNewest,
  archiveSession,
  deleteSession,
  restoreSession,
} from './session-effects.ts';

/** A failure in it is told near the prompt. */
type Outcome = Result<unknown> | undefined | void;
type EffectOf<Kind extends Effect['kind']> = Extract<Effect, {kind: Kind}>;
type Handler<Handled extends Effect> = (effect: Handled, performer: Performer) => Outcome | Promise<Outcome>;
type Handlers = {readonly [Kind in Effect['kind']]: Handler<EffectOf<Kind>>};
type OfSession = Extract<Effect, {key: SessionKey}>;

/** How long the reason of a failed action stands near the prompt, in milliseconds. */
const FAILURE_MS = 8000;

/**
 * Does what the window wants done. Nothing that fails here ends the window, and what is wanted of a session that was closed
 * meanwhile is dropped.
 */
export function performEffect(effect: Effect, performer: Performer): void {
  const {store, log, report} = performer;
  const key = 'key' in effect ? effect.key : undefined;
  if (key !== undefined && !store.current().sessions[key])
    return log('info', `${effect.kind} dropped: session ${key} is closed`);
  settle(effect, performer).catch((error: unknown) => {
    report(error, {doing: effect.kind, ...(key !== undefined && {key})});
    if (effect.kind === 'send_prompt') store.dispatch({type: 'prompt_not_sent', key: effect.key});
  });
}

async function settle(effect: Effect, performer: Performer): Promise<void> {
  const handle = HANDLERS[effect.kind] as Handler<Effect>;
  const done = await handle(effect, performer);
  if (!done || done.ok || isListed(done.failure, effect, performer)) return;
  const text = failureSentence(done.failure);
  const of = 'key' in effect ? effect.key : undefined;
  const until = performance.now() + (of === undefined ? HINT_MS : FAILURE_MS);
  performer.store.dispatch({type: 'hint_shown', text, until, of});
}

/** The list of the ways to sign in tells it, and stays as long as it is so. */
function isListed(failure: Failure, effect: Effect, {store}: Performer): boolean {
  if (!('key' in effect)) return false;
  const connection = store.current().sessions[effect.key]?.session.connection;
  return failure.kind === 'authentication_required' && connection?.kind === failure.kind;
}

/** What only calls the actions of a session. */
function calling<Handled extends OfSession>(
  call: (actions: SessionActions, effect: Handled) => Outcome | Promise<Outcome>,
): Handler<Handled> {
  return (effect, {clientOf}) => call(clientOf(effect.key).actions, effect);
}

/** Done by the screen, or by a replay. */
function elsewhere(): void {}

const HANDLERS: Handlers = {
  quit: (_, {quit}) => quit(),
  redraw: elsewhere,
  suspend: elsewhere,
  open_editor: elsewhere,
  replay: elsewhere,
  show_wire: (effect, {showWire}) => showWire(effect),
  show_exchange: (effect, {showWire}) => showWire(effect),
  save_history: ({text}, {saveHistory}) => saveHistory(text),
  copy: (effect, {store}) => copyAndTell(effect, store),
  find_agents: (effect, {sessions}) => sessions.chooser.perform(effect),
  choose_agent: (effect, {sessions}) => sessions.chooser.perform(effect),
  install_agent: (effect, {sessions}) => sessions.chooser.perform(effect),
  stop_installing: (effect, {sessions}) => sessions.chooser.perform(effect),

  find_sessions: ({scope}, {sessions}) => sessions.finder.find(scope),
  ask_agents: (_, {sessions}) => sessions.finder.askAll(),
  find_passages: (effect, {store, memory}) => performReading(effect, {store, sessions: memory.sessions}),
  read_session: (effect, {store, memory}) => performReading(effect, {store, sessions: memory.sessions}),
  pick_up: pickUpSession,
  open_beside: (_, {store, sessions}) => {
    const {key, session} = activeSession(store.current());
    const {additionalDirectories} = session;
    const options = sessions.optionsOf(key);
    void sessions.open({options: {...options, additionalDirectories, opening: {kind: 'new'}}});
  },
  close_session: ({session}, {sessions}) => sessions.close(session),
  delete_session: deleteSession,
  archive_session: archiveSession,
  restore_session: (_, performer) => restoreSession(performer),
  remove_open: removeOpen,
  unarchive_session: (_, performer) => unarchiveNewest(performer),
  settle_session: ({row}, {memory}) => memory.sessions.settle(row),

  send_prompt: performPrompt,
  steer: performPrompt,
  look_at: performAttaching,
  attach_paths: performAttaching,
  read_clipboard: performAttaching,
  add_directory: performAttaching,
  cancel: calling((actions) => actions.cancel()),
  answer: calling((actions, {id, answer}) => actions.answer(id, answer)),
  submit_form: submitForm,
  open_link: openLink,
  run_shell: calling((actions, {command}) => actions.runShell(command)),
  interrupt_command: calling((actions, {terminalId}) => actions.interruptCommand(terminalId)),
  type_into: calling((actions, {terminalId, text}) => actions.typeInto(terminalId, text)),
  stop_command: calling((actions, {terminalId}) => actions.stopCommand(terminalId)),
  set_approval: calling((actions, {level}) => actions.setApproval(level)),
  set_mode: calling((actions, {modeId}) => actions.setMode(modeId)),
  set_model: calling((actions, {modelId}) => actions.setModel(modelId)),
  set_config: calling((actions, {configId, value}) => actions.setConfigOption(configId, value)),
  authenticate: calling((actions, {methodId}) => actions.authenticate(methodId)),
  log_out: calling((actions) => actions.logOut()),
  open_session: calling((actions, {opening}) => actions.openSession(opening)),
  rename_session: calling((actions, {title}) => actions.renameSession(title)),
  restart: calling((actions) => actions.restart()),
  export_session: exportAndTell,
  show_changes: performChanges,
  plan_undo: performChanges,
  undo: performChanges,
  show_permissions: performPermissions,
  show_decisions: performPermissions,
  explain_decision: performPermissions,
  add_rule: performPermissions,
  remove_rule: performPermissions,
  show_mcp: performMcp,
  switch_mcp: performMcp,
  show_log: ({key}, {store, clientOf}) =>
    store.dispatch({type: 'overlay_opened', overlay: logOverlay(clientOf(key).actions.stderrTail())}),
};

type AnswerEffect<Kind extends SessionEffect['kind']> = Extract<SessionEffect, {kind: Kind}> & {
  readonly key: SessionKey;
};

/** Sends a form, unless one of its patterns does not fit: that is told at its field. */
function submitForm({key, id, content}: AnswerEffect<'submit_form'>, performer: Performer): void {
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
async function openLink({key, id}: AnswerEffect<'open_link'>, performer: Performer): Promise<void> {
  const {store, clientOf} = performer;
  const open = store.current().sessions[key];
  const request = open && pendingRequest(open.session, id);
  if (request?.kind !== 'url') return;
  if (!request.isOpened) clientOf(key).actions.answer(id, {kind: 'accepted', content: {}});
  const {openInBrowser} = await import('./desktop.ts');
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

type ChangesEffect = Extract<SessionEffect, {kind: 'show_changes' | 'plan_undo' | 'undo'}>;

/** Shows what was changed, and takes it back. */
async function performChanges(
  effect: ChangesEffect & {readonly key: SessionKey},
  {store, clientOf}: Pick<Performer, 'store' | 'clientOf'>,
): Promise<void> {
  const {actions} = clientOf(effect.key);
  switch (effect.kind) {
    case 'show_changes':
      return store.dispatch({type: 'overlay_opened', overlay: changesOverlay(await actions.changes())});
    case 'plan_undo':
      return offerUndo(await actions.planUndo(), effect.key, store);
    case 'undo':
      return actions.undo(effect.turn);
  }
}

/** Asks before anything is taken back. */
function offerUndo(plan: UndoPlan | undefined, key: SessionKey, store: Performer['store']): void {
  const now = performance.now();
  const cwd = store.current().sessions[key]?.session.cwd ?? '';
  store.dispatch(
    plan
      ? {
          type: 'overlay_opened',
          overlay: {kind: 'picker', picker: undoPicker(plan, cwd, now + GUARD_MS)},
        }
      : {
          type: 'hint_shown',
          text: 'There is nothing to take back: no turn has written files through acp-tui.',
          until: now + HINT_MS,
        },
  );
}

type McpEffect = Extract<SessionEffect, {kind: 'show_mcp' | 'switch_mcp'}>;

/** Shows and switches MCP servers. */
function performMcp(
  effect: McpEffect & {readonly key: SessionKey},
  {store, clientOf}: Pick<Performer, 'store' | 'clientOf'>,
): Result<void> | undefined {
  const {actions} = clientOf(effect.key);
  const show = (picker: Picker) =>
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  const session = store.current().sessions[effect.key]?.session;
  if (!session) return undefined;
  if (effect.kind === 'switch_mcp') {
    const switched = actions.toggleMcpServer(effect.name);
    if (!switched.ok) return switched;
  }
  const rows = actions.listMcpServers();
  if (effect.kind === 'show_mcp') {
    show(mcpPicker(rows, session));
    return undefined;
  }
  const {overlay} = store.current();
  if (overlay.kind === 'picker' && overlay.picker.purpose.kind === 'mcp')
    show(withRows(overlay.picker, rows, session));
  const text = switchedTold(rows.find(({name}) => name === effect.name));
  if (text !== undefined)
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
  return undefined;
}

type PermissionEffect = Extract<
  SessionEffect,
  {kind: 'show_permissions' | 'show_decisions' | 'explain_decision' | 'add_rule' | 'remove_rule'}
>;

/** Shows and changes what decides about permissions. */
async function performPermissions(
  effect: PermissionEffect & {readonly key: SessionKey},
  {store, permissions}: Performer,
): Promise<Result<void> | undefined> {
  const open = store.current().sessions[effect.key];
  const show = (overlay: Overlay) => store.dispatch({type: 'overlay_opened', overlay});
  const tell = (text: string) =>
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS});
  switch (effect.kind) {
    case 'show_permissions': {
      if (!open) return undefined;
      const shown = {rules: permissions.rules(open.session.cwd), decisions: permissions.decisions()};
      show({kind: 'picker', picker: permissionsPicker(shown, open)});
      return undefined;
    }
    case 'show_decisions':
      show(decisionsOverlay(permissions.log(open?.session.sessionId ?? '')));
      return undefined;
    case 'explain_decision': {
      const decision = permissions.decisions()[effect.index];
      if (decision) show(explanationOverlay(decision));
      return undefined;
    }
    case 'add_rule': {
      const added = await permissions.add(effect);
      if (added.ok) tell(`Rule: ${effect.effect} ${effect.text}.`);
      return added;
    }
    case 'remove_rule': {
      const isThere = permissions
        .rules(open?.session.cwd ?? '')
        .some(({source, text}) => source === 'user' && text === effect.text);
      if (!isThere) {
        tell(`There is no rule "${effect.text}" of yours; /permissions lists them.`);
        return undefined;
      }
      const removed = await permissions.remove(effect.text);
      if (removed.ok) tell(`No rule any more: ${effect.text}.`);
      return removed;
    }
  }
}

type ReadingEffect = Extract<Effect, {kind: 'find_passages' | 'read_session'}>;

interface ReadingPerformer {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: Pick<SessionStore, 'search' | 'state'>;
}

/** Finds what was said in stored sessions, and shows one to be read. */
async function performReading(
  effect: ReadingEffect,
  {store, sessions}: ReadingPerformer,
): Promise<Result<unknown> | undefined> {
  const show = (overlay: Overlay) => store.dispatch({type: 'overlay_opened', overlay}, 'urgent');
  if (effect.kind === 'read_session') {
    const state = await sessions.state(effect.id);
    if (!state.ok) return state;
    show(readingOverlay(state.value, effect));
    return undefined;
  }
  const found = sessions.search(effect.query);
  if (!found.ok) return found;
  if (found.value.length === 0) {
    const text = `Nothing found for ${effect.query}.`;
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
    return undefined;
  }
  const passages = found.value.map(({session, entry, at, snippet}) => {
    const {id, cwd} = session;
    return {session: id, name: nameOfSession(session), cwd, at, entry, snippet};
  });
  show({kind: 'picker', picker: passagePicker(effect.query, passages, Date.now())});
  return undefined;
}
