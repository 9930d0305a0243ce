import type {EffectOf, FolderAnswer} from '../../app/effects.ts';
import type {SessionKey, Tab} from '../../app/state.ts';
import {fail, type Result} from '../../shared/failure.ts';
import {detach} from '../../app/commands/session-commands.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {unsentPrompts} from '../../session/queue/queue.ts';
import {isAgentBusy} from '../../session/lifecycle/live.ts';
import {runningTasks} from '../../session/lifecycle/tasks.ts';
import {nameOfSession, sessionTitle} from '../../session/titles.ts';
import {pluralize} from '../../text/format.ts';
import {resumeOrigin} from '../../storage/sessions/stored-session.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import {realFoldersOf, type Folders} from '../../shared/files/session-folders.ts';
import {isWithin, realpathOrItself} from '../../shared/files/folders.ts';
import {storedAgent, type AgentToAsk} from '../sessions/other-agents.ts';
import {addNotice} from '../notices.ts';
import {resume} from '../sessions/resume.ts';
import {optionsBeside} from '../sessions/options-beside.ts';
import type {FoundSession} from '../sessions/session-rows.ts';
import {
  notify,
  notifyBehind,
  showPicker,
  type EffectContext,
  type EffectHandlers,
  type EffectOutcome,
  type WindowContext,
} from './effect-context.ts';
import {openList} from '../../app/pickers/picker.ts';
import {foldersPicker, removalPicker} from '../../app/pickers/session-picker.ts';
import {activeSession, collectUnsent} from '../../app/sessions.ts';
import {sessionKeys} from '../../app/open-sessions.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';

/** A session file of this size takes noticeable time to read. */
const LONG_BYTES = 4 * 1024 * 1024;

/** Effects on sessions of the list, and on those that are open or were. */
export const sessionEffects = {
  resume_session: resumeSession,
  resume_ended({session: key}, context) {
    const {store, sessions, storage} = context;
    const row = storage.recording.id(key);
    const wasAttached = store.latest().sessions[key]?.isAttached;
    if (row !== undefined) return resumeSession({row, fork: false, wasAttached}, context);
    // It could not be started.
    return void sessions.open({options: sessions.optionsOf(key), takesQueue: true});
  },
  delete_session: ({row, sure}, context) => changeRow(row, {change: 'delete', sure}, context),
  // `acp-tui sessions list` still lists it.
  archive_session: ({row}, context) => changeRow(row, {change: 'archive', sure: false}, context),
  unarchive_session: ({row}, context) => changeRow(row, {change: 'unarchive', sure: true}, context),
  async rename_session({row, title}, context) {
    const {sessions, storage} = context;
    const found = sessions.finder.found(row);
    if (!found) return undefined;
    const {stored} = found;
    const tab = openHere(found, context);
    if (!tab && !stored) return notify(context, 'Only its agent has this session: resume it to rename it.');
    if (!tab && stored?.status === 'open')
      return fail({
        kind: 'not_offered',
        cannot: 'rename this session',
        why: 'it is open elsewhere; /rename does it there',
      });
    const renamed = tab
      ? await sessions.clientOf(tab.key).renameSession(title)
      : stored && storage.sessions.rename(stored.id, title);
    findAgain(context);
    return renamed;
  },
  // The most recently deleted one, in this window or elsewhere.
  restore_session(_, context) {
    const {storage} = context;
    const deleted = storage.sessions.list({include: 'deleted'});
    if (!deleted.ok) return deleted;
    const [newest] = deleted.value.toSorted((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0));
    if (!newest) return notify(context, 'No deleted session to restore.');
    const restored = storage.sessions.restore(newest.id);
    if (!restored.ok) return restored;
    findAgain(context);
    return notify(context, restoredText(nameOfSession(newest)));
  },
  detach_session: ({session}, context) => detachSession(session, context),
  remove_open: ({session, how, sure}, context) => removeOpen(session, {change: how, sure}, context),
} satisfies Partial<EffectHandlers>;

/** Lets a session go on in the background, once the service that resumes it there can be reached. The window closes with its last session. */
async function detachSession(key: SessionKey, context: EffectContext): Promise<EffectOutcome> {
  const {store, sessions, storage, background, quit} = context;
  const isMoved =
    store.latest().sessions[key]?.isAttached === false && whyNotDetached(key, context) === undefined;
  const reached = isMoved ? await background?.reach() : undefined;
  const tab = store.latest().sessions[key];
  if (!tab) return undefined;
  // It may have begun a turn meanwhile.
  const why = whyNotDetached(key, context) ?? detach.unavailable?.(tab, store.latest().keymap);
  if (why !== undefined) return notify(context, why);
  const id = storage.recording.id(key);
  const moved = tab.isAttached || id === undefined ? undefined : {id, options: sessions.optionsOf(key)};
  if (moved && reached?.ok === false)
    return addNotice(store, `This session stays here. ${failureSentence(reached.failure)}`, {key});
  if (isLast(context)) {
    if (moved) background?.resumeAtEnd(moved);
    return quit();
  }
  await sessions.leave(key);
  const resumed = moved && (await background?.resume(moved));
  if (moved && resumed?.ok === false) {
    const began = store.latest();
    await resumeSession({row: moved.id, fork: false}, context, {base: moved.options, began});
    return resumed;
  }
  return notify(context, `acp-tui attach ${id ?? ''} shows it again.`);
}

const isLast = ({store}: EffectContext) => sessionKeys(store.latest()).length === 1;

/** Returns why a session cannot leave its window, whatever the service says. */
function whyNotDetached(key: SessionKey, context: EffectContext): string | undefined {
  const {store, storage} = context;
  const tab = store.latest().sessions[key];
  if (!tab) return undefined;
  const {isAttached, session} = tab;
  // Only what the last one has not sent is kept for the next window.
  if (!isLast(context) && collectUnsent(tab).draft !== '') return 'Send or clear the draft first.';
  if (!isLast(context) && !isAttached && session.queue.outputs.length > 0)
    return 'Send or remove what is attached to the next prompt first.';
  return isAttached || storage.recording.id(key) !== undefined
    ? undefined
    : 'This session is not stored, so it cannot run in the background.';
}

/** Closes a session of the window, and then deletes or archives it if that is wanted; asks before that if something of it would be lost. */
async function removeOpen(
  key: SessionKey,
  {change, sure}: {readonly change: EffectOf<'remove_open'>['how']; readonly sure: boolean},
  context: EffectContext,
): Promise<EffectOutcome> {
  const {store, sessions, storage} = context;
  const tab = store.latest().sessions[key];
  if (!tab) return undefined;
  const {session} = tab;
  const id = storage.recording.id(key);
  const {sessionId} = session;
  const isKept = change === 'close';
  const byAgent = !isKept && sessionId !== undefined && !session.unused && agentCan(session, change);
  if (!isKept && id === undefined && !byAgent) return notify(context, 'This session is not stored.');
  const lost = lostByClosing(tab);
  const isForGood = change === 'delete' && byAgent;
  const note = [
    ...(isForGood ? [DELETED_BY_AGENT] : []),
    ...(lost.length > 0 ? [`Lost with it: ${lost.join(', ')}.`] : []),
  ].join(' ');
  if (note !== '' && !sure) {
    const title = nameOfSession({title: sessionTitle(session), firstPrompt: undefined});
    const effect = {kind: 'remove_open', session: key, how: change, sure: true} as const;
    return showPicker(context, removalPicker({title, how: change, note, isForGood, effect}));
  }
  if (isKept) return sessions.close(key);
  const done = byAgent ? await sessions.clientOf(key).changeSession(change, sessionId) : undefined;
  if (done && !done.ok) return done;
  // What is stored is the service's until it has ended there.
  if (tab.isAttached) await sessions.clientOf(key).close();
  sessions.close(key);
  const stored = id === undefined ? undefined : storage.sessions[change](id);
  return stored && !stored.ok ? stored : notify(context, doneText(change, byAgent));
}

const DELETED_BY_AGENT = 'The agent deletes it too. This cannot be undone.';

/** Returns what ends with an open session, and that no restoring brings back. */
export function lostByClosing(tab: Tab): readonly string[] {
  const {outputs} = tab.session.queue;
  const prompts = unsentPrompts(tab.session.queue);
  const tasks = runningTasks(tab.session);
  return [
    isAgentBusy(tab.session) ? 'its running turn' : '',
    tasks.length === 0 ? '' : pluralize(tasks.length, 'running task'),
    prompts.length === 0 ? '' : pluralize(prompts.length, 'queued prompt'),
    outputs.length === 0 ? '' : 'what is attached to the next prompt',
    collectUnsent(tab).draft === '' ? '' : 'what is typed in it',
  ].filter(Boolean);
}

interface ToResume {
  readonly row: string;
  readonly fork: boolean;
  readonly folders?: FolderAnswer;
  /** See `NewSessionOptions`. */
  readonly wasAttached?: boolean | undefined;
  /** True if it is only shown where it runs: in this window, or in the background service. */
  readonly isRunning?: boolean;
}

/** Opens a session in addition to the open ones; switches to it if it is open. `base`: options that it gets, by default those of the active one. */
export async function resumeSession(
  effect: ToResume,
  context: EffectContext,
  {base = context.sessions.optionsOf(context.store.latest().active), began = context.began} = {},
): Promise<EffectOutcome> {
  const {row, fork, wasAttached, isRunning = false} = effect;
  const {sessions, storage, background} = context;
  const found = sessions.finder.found(row);
  if (!found) return undefined;
  const {stored, listed} = found;
  const sessionId = stored ? stored.agentSessionId : listed?.sessionId;
  if (!fork && showOpen(found, context)) return undefined;
  const name = nameOfSession(found.row);
  if ((stored?.bytes ?? 0) > LONG_BYTES) notify(context, `Reading "${name}"…`);
  const agent = agentOf(found, base, context.agentsToAsk?.() ?? []);
  const folders = foldersFor(found, base, {agent, answer: effect.folders});
  if ('unasked' in folders) {
    const question = {row, fork, title: name, folders: folders.unasked, here: base.cwd};
    return showPicker(context, foldersPicker(question));
  }
  const onAdded = (key: SessionKey) => notifyBehind(key, context, (place) => `"${name}" is open ${place}.`);
  const how = {began, onAdded};
  const running = fork || !stored ? undefined : await background?.attach(stored);
  if (running && !running.ok) return running;
  if (running?.value) {
    const attached = running.value;
    // It may have been selected twice while it was read.
    if (showOpen(found, context)) return attached.leave();
    const kept = attached.session;
    const options = optionsBeside(base, {agent, ...folders, kept}, context.optionsForAgent);
    return void sessions.open({options, attached}, how);
  }
  if (isRunning) {
    const cannot = `show "${name}"`;
    return fail({kind: 'not_offered', cannot, why: 'it needs you in another window'});
  }
  const earlier = {sessionId, stored, ...folders};
  const resumed = await resume(earlier, storage.sessions, {fork, instead: base.cwd});
  if (!resumed.ok) return resumed;
  if (!fork && showOpen(found, context)) return undefined;
  const {folders: there, opening, session, isUnreadable, problems} = resumed.value;
  // Whether a session that is not stored was confined is not known.
  const kept = isUnreadable ? 'unreadable' : (session ?? {sandbox: base.sandbox && {}});
  const beginning = {
    options: {...optionsBeside(base, {agent, ...there, kept}, context.optionsForAgent), opening},
    ...(session && {session, before: resumeOrigin(stored?.id, fork)}),
    ...(wasAttached && {wasAttached}),
    problems,
  };
  void sessions.open(beginning, how);
  return undefined;
}

function restoredText(name: string): string {
  return `Restored "${name}"; /resume lists it.`;
}

function doneText(how: 'delete' | 'archive', isForGood: boolean): string {
  if (how === 'archive') return 'Archived; /resume restores it (→).';
  return isForGood ? 'Deleted.' : 'Deleted; /resume restores it (→).';
}

/** Switches to a session that is open in this window; false if it is not. */
function showOpen(found: FoundSession, context: EffectContext): boolean {
  const tab = openHere(found, context);
  if (tab) context.store.dispatch({type: 'session_activated', key: tab.key}, 'urgent');
  return tab !== undefined;
}

/** Shows a session of the background service on the board only; undefined if it does not run there. */
export async function peekAt(id: string, context: WindowContext): Promise<Result<SessionKey | undefined>> {
  const {store, sessions, background, agentsToAsk} = context;
  const found = sessions.finder.found(id);
  if (!found?.stored) return NONE;
  const running = await background?.attach(found.stored);
  if (!running?.ok || !running.value) return running?.ok === false ? running : NONE;
  const base = sessions.optionsOf(store.latest().active);
  const agent = agentOf(found, base, agentsToAsk?.() ?? []);
  const {cwd, additionalDirectories} = found.stored;
  const attached = running.value;
  const beside = {agent, cwd, additionalDirectories, kept: attached.session};
  const options = optionsBeside(base, beside, context.optionsForAgent);
  return {ok: true, value: sessions.peek({options, attached})};
}

const NONE = {ok: true, value: undefined} as const;

function agentOf(
  {stored, lister}: FoundSession,
  base: ConversationOptions,
  known: readonly AgentToAsk[],
): AgentCommand {
  return lister ?? storedAgent(stored, base.agent, known) ?? base.agent;
}

interface Answered {
  readonly agent: AgentCommand;
  readonly answer: FolderAnswer | undefined;
}

/**
 * Returns the complete list of a session's folders: the stored one, which the user chose. What only an agent names is used as far as the user has it open already,
 * or said so; else it is `unasked`, with links resolved: it could be any folder of the user's. A remote agent names folders of its own computer.
 */
function foldersFor(
  {stored, listed}: FoundSession,
  base: ConversationOptions,
  {agent, answer}: Answered,
): Folders | {readonly unasked: readonly string[]} {
  if (stored) return {cwd: stored.cwd, additionalDirectories: stored.additionalDirectories};
  const here = {cwd: base.cwd, additionalDirectories: []};
  if (!listed || agent.remote || answer === 'none') return here;
  const [cwd = base.cwd, ...additionalDirectories] = [listed.cwd, ...listed.additionalDirectories].map(
    realpathOrItself,
  );
  const folders = [cwd, ...additionalDirectories];
  const open = Object.values(realFoldersOf(base));
  const unasked = folders.filter(
    (folder) => !open.some((root) => isWithin(folder, root)) && !answer?.includes(folder),
  );
  if (unasked.length > 0) return {unasked: [...new Set([...unasked, ...(answer ?? [])])]};
  const realFolders = {...Object.fromEntries(folders.map((folder) => [folder, folder])), [listed.cwd]: cwd};
  return {cwd: listed.cwd, additionalDirectories, realFolders};
}

/**
 * Returns the key of the open session: by stored id if there is one, because agents may reuse ids. One without messages does not count, or one that has ended
 * in the background service.
 */
function openHere({stored, listed, lister}: FoundSession, {store, storage}: EffectContext): Tab | undefined {
  const sessionId = stored?.agentSessionId ?? listed?.sessionId;
  return Object.values(store.latest().sessions).find(({key, session, agentLabel}) => {
    if (session.unused || session.connection.kind === 'closed') return false;
    if (lister && lister.label !== agentLabel) return false;
    const recorded = storage.recording.id(key);
    return stored && recorded !== undefined
      ? recorded === stored.id
      : sessionId !== undefined && session.sessionId === sessionId;
  });
}

const ONLY_BY_ITS_AGENT = "Only the session's own agent can do that: resume one of its sessions first.";

/** A change to a session; `sure` if it need not be confirmed. */
interface Change {
  readonly change: 'delete' | 'archive' | 'unarchive';
  readonly sure: boolean;
}

/** Changes the session of a row where it is stored, and at the active session's agent if that lists it and supports the change. */
async function changeRow(
  row: string,
  {change, sure}: Change,
  context: EffectContext,
): Promise<EffectOutcome> {
  const {store, sessions, storage} = context;
  const found = sessions.finder.found(row);
  if (!found) return undefined;
  const tab = openHere(found, context);
  if (tab && change !== 'unarchive') {
    const removed = await removeOpen(tab.key, {change, sure}, context);
    findAgain(context);
    return removed;
  }
  const {stored, listed, lister} = found;
  const {key, session} = activeSession(store.latest());
  const isSupported = !lister && agentCan(session, change === 'delete' ? 'delete' : 'archive');
  const atAgent = isSupported ? listed?.sessionId : undefined;
  if (!stored && lister) return notify(context, ONLY_BY_ITS_AGENT);
  if (!stored && atAgent === undefined) return notify(context, `This agent can't ${change} its sessions.`);
  if (change === 'delete' && atAgent !== undefined && !sure)
    return showPicker(
      context,
      removalPicker({
        title: nameOfSession(found.row),
        how: change,
        note: DELETED_BY_AGENT,
        isForGood: true,
        effect: {kind: 'delete_session', row, sure: true},
      }),
    );
  const inStorage = () => stored && storage.sessions[change](stored.id);
  const byAgent = () =>
    atAgent === undefined ? undefined : sessions.clientOf(key).changeSession(change, atAgent);
  for (const step of change === 'unarchive' ? [byAgent, inStorage] : [inStorage, byAgent]) {
    const done = await step();
    if (done && !done.ok) return done;
  }
  findAgain(context);
  const name = nameOfSession(found.row);
  return notify(
    context,
    change === 'unarchive' ? restoredText(name) : doneText(change, atAgent !== undefined),
  );
}

function findAgain({store, sessions}: EffectContext): void {
  const list = openList(store.latest(), 'sessions');
  if (list) sessions.finder.find(list.purpose.scope);
}
