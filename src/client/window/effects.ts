import type {Effect, EffectKind, EffectOf} from '../../app/effects.ts';
import {logOverlay} from '../../app/pages/pages.ts';
import {TOAST_MS, activeSession} from '../../app/sessions.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {openContent, saveContent} from '../content/content-effects.ts';
import {attachPaths, checkFiles, readClipboard, sendPrompt, steerPrompt} from '../prompt/prompt-effects.ts';
import type {EffectContext} from './effect-context.ts';
import {copyToClipboard, performExport} from './export-effects.ts';
import {
  addRule,
  explainDecision,
  openLink,
  removeRule,
  takeBack,
  showDecisions,
  showPermissions,
  submitForm,
} from './request-effects.ts';
import {changeReview, editReviewed, showReview} from '../review/review-effects.ts';
import {
  resumeSession,
  removeOpen,
  unarchiveNewest,
  unarchiveSession,
  archiveSession,
  deleteSession,
  restoreSession,
} from './session-effects.ts';
import {changeSetting, showSettings} from '../settings/setting-effects.ts';
import {
  findPassages,
  offerRewind,
  offerUndo,
  readSession,
  showChanges,
  showRewind,
  showMcpServers,
  showProviders,
  switchMcpServer,
} from './view-effects.ts';

/** Shows a failure as a toast. */
type Outcome = Result<unknown> | undefined | void;
type Handler<Handled extends Effect> = (
  effect: Handled,
  context: EffectContext,
) => Outcome | Promise<Outcome>;
type Handlers = {readonly [Kind in EffectKind]: Handler<EffectOf<Kind>>};

/** How long the toast of a failed action is shown, in milliseconds. */
const FAILURE_MS = 8000;

/** Runs an effect. Failures never end the window, and effects of a closed session are dropped. */
export function runEffect(effect: Effect, context: EffectContext): void {
  const {store, log, report} = context;
  const key = 'key' in effect ? effect.key : undefined;
  if (key !== undefined && !store.latest().sessions[key])
    return log('info', `${nameOf(effect)} dropped: session ${key} is closed`);
  settle(effect, context).catch((error: unknown) => {
    report(error, {doing: nameOf(effect), ...(key !== undefined && {key})});
    if (effect.kind === 'send_prompt') store.dispatch({type: 'prompt_not_sent', key: effect.key});
  });
}

function nameOf(effect: Effect): string {
  return effect.kind === 'call' ? effect.action : effect.kind;
}

async function settle(effect: Effect, context: EffectContext): Promise<void> {
  const handle = HANDLERS[effect.kind] as Handler<Effect>;
  const done = await handle(effect, context);
  if (!done || done.ok || isListed(done.failure, effect, context)) return;
  const text = failureSentence(done.failure);
  const of = 'key' in effect ? effect.key : undefined;
  const until = performance.now() + (of === undefined ? TOAST_MS : FAILURE_MS);
  context.store.dispatch({type: 'toast_shown', text, until, of});
}

/** The list of sign-in methods shows it while it is open. */
function isListed(failure: Failure, effect: Effect, {store}: EffectContext): boolean {
  if (!('key' in effect)) return false;
  const connection = store.latest().sessions[effect.key]?.session.connection;
  return failure.kind === 'authentication_required' && connection?.kind === failure.kind;
}

/** Handled by the screen. */
function onScreen(): void {}

/** Only used in a replay, without an agent. */
function inReplay(): void {}

const HANDLERS: Handlers = {
  redraw: onScreen,
  suspend: onScreen,
  open_editor: onScreen,
  replay: inReplay,
  quit: (_, {quit}) => quit(),
  show_wire: (_, {wire}) => wire.show(),
  show_exchange: ({index}, {wire}) => wire.showExchange(index),
  save_history: ({text}, {storage}) => storage.saveHistory(text),
  copy: copyToClipboard,
  show_settings: showSettings,
  change_setting: changeSetting,
  find_agents: ({ask}, {sessions}) => sessions.chooser.find(ask),
  choose_agent: ({id}, {sessions}) => sessions.chooser.choose(id),
  install_agent: ({id}, {sessions}) => sessions.chooser.install(id),
  stop_installing: (_, {sessions}) => sessions.chooser.stop(),

  find_sessions: ({scope}, {sessions}) => sessions.finder.find(scope),
  ask_agents: (_, {sessions}) => sessions.finder.askAll(),
  find_passages: findPassages,
  read_session: readSession,
  resume_session: resumeSession,
  open_beside: (_, {store, sessions}) => {
    const {key, session} = activeSession(store.latest());
    const {additionalDirectories} = session;
    const options = sessions.optionsOf(key);
    void sessions.open({options: {...options, additionalDirectories, opening: {kind: 'new'}}});
  },
  close_session: ({session}, {sessions}) => sessions.close(session),
  delete_session: deleteSession,
  archive_session: archiveSession,
  restore_session: (_, context) => restoreSession(context),
  remove_open: removeOpen,
  unarchive_session: ({row}, context) =>
    row === undefined ? unarchiveNewest(context) : unarchiveSession(row, context),
  mark_session_closed: ({row}, {storage}) => storage.sessions.settle(row),

  call({key, action, args}, {clientOf}) {
    const run: (...args: never) => Outcome | Promise<Outcome> = clientOf(key)[action];
    return run(...(args as never));
  },
  send_prompt: sendPrompt,
  steer: steerPrompt,
  check_files: checkFiles,
  attach_paths: attachPaths,
  read_clipboard: readClipboard,
  submit_form: submitForm,
  open_link: openLink,
  export_session: performExport,
  open_content: (effect, context) => openContent(effect, context),
  save_content: saveContent,
  show_changes: showChanges,
  show_review: showReview,
  change_review: changeReview,
  edit_reviewed: editReviewed,
  plan_undo: offerUndo,
  show_rewind: showRewind,
  plan_rewind: offerRewind,
  show_permissions: showPermissions,
  show_decisions: showDecisions,
  explain_decision: explainDecision,
  take_back: takeBack,
  add_rule: addRule,
  remove_rule: removeRule,
  show_providers: showProviders,
  show_mcp: showMcpServers,
  switch_mcp: switchMcpServer,
  show_log: ({key}, {store, clientOf}) =>
    store.dispatch({type: 'overlay_opened', overlay: logOverlay(clientOf(key).stderrTail())}),
};
