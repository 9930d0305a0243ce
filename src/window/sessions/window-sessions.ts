import type {Effect} from '../../app/effects.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import {createTab} from '../../app/initial.ts';
import {activeSession, hasGoneOn, restoreQueueChange} from '../../app/sessions.ts';
import {sessionKeys} from '../../app/open-sessions.ts';
import type {QueueChange} from '../../session/queue/queue-changes.ts';
import {hasNoPrompts, isUnused} from '../../session/selectors.ts';
import type {AppState, Tab, SessionKey} from '../../app/state.ts';
import type {Result} from '../../shared/failure.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {createAgentChooser} from '../agents/agent-chooser.ts';
import {agentsToAsk, askAgents, type AgentToAsk} from './other-agents.ts';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {SessionActions} from '../../session/actions.ts';
import {createAgentPool} from '../../conversation/connection/agent-pool.ts';
import {syncFileIndex} from '../file-index-sync.ts';
import {storedElsewhereNotice} from './storage-notices.ts';
import {withoutMethod, type ConversationOptions} from '../../conversation/options.ts';
import {createSessionFinder} from './session-finder.ts';
import {peekAt} from '../effects/session-effects.ts';
import {followBoardSessions} from './board-sessions.ts';
import {followBackground} from './follow-background.ts';
import {openRows} from './open-rows.ts';
import {optionsOfNew} from './options-beside.ts';
import {foldedViewer} from '../../app/pages/viewer.ts';
import {runEffect} from '../effects/effects.ts';
import {addNotice} from '../notices.ts';
import {createWireViewer} from '../wire-inspector.ts';
import {
  newTab,
  type HowToOpen,
  type NewSessionOptions,
  type WindowOptions,
  type WindowSessions,
} from '../effects/effect-context.ts';
import {
  createWindowConversation,
  debounceEvents,
  type WindowConversation,
  type WindowSession,
} from './window-conversation.ts';

interface Running extends WindowConversation, Pick<NewSessionOptions, 'options' | 'worktree'> {
  readonly key: SessionKey;
  readonly attached: AttachedSession | undefined;
}

export function createWindowSessions(window: WindowOptions): WindowSessions {
  const {store, storage, log} = window;
  const clients = createClients(window, doEffect);
  const {start, open, peek, close, leave} = opening(window, clients, doEffect);

  const clientOf = (key: SessionKey) => clients.get(key).session.actions;

  const inspector = createWireViewer({store, lines: window.wireLines});

  function doEffect(effect: Effect): void {
    runEffect(effect, {...window, sessions, inspector});
  }

  debounceEvents(store, syncFileIndex(store));
  const current = () => clientOf(store.latest().active);
  const askOthers = (onChange: () => void) => {
    const base = optionsOf(store.latest().active);
    const {optionsForAgent, startAgent} = window;
    return askAgents(otherAgents(window, base.agent), {base, log, startAgent, onChange, optionsForAgent});
  };
  const finder = createSessionFinder({
    store,
    sessions: storage.sessions,
    current,
    askOthers,
    worktrees: () => worktreeSources(window.settings.state),
  });
  async function closeAll(): Promise<void> {
    stopBoard();
    stopBackground();
    chooser.stop();
    await Promise.all([finder.close(), clients.endAll()]);
  }
  const stopBoard = followBoardSessions({
    store,
    rows: () => openRows(window),
    peek: (id) => peekAt(id, {...window, sessions, inspector}),
    leave: (key) => void leave(key),
  });
  const stopBackground = followBackground(window);
  const killNow = () => [clients, finder].forEach((started) => started.killNow());
  const {optionsOf} = clients;
  const askUser: SessionActions['askUser'] = (question) => current().askUser(question);
  const chooser = createAgentChooser({
    ...window,
    askUser,
    open: (options, how) => open({options, takesQueue: true}, how),
  });
  const sessions: WindowSessions = {
    start,
    open,
    peek,
    close,
    leave,
    optionsOf,
    clientOf,
    closeAll,
    killNow,
    finder,
    chooser,
    perform: doEffect,
  };
  return sessions;
}

async function worktreeSources(state: string): Promise<(cwd: string) => string | undefined> {
  const [{readRecords}, {worktreeOf}] = await Promise.all([
    import('../../worktrees/worktree-record.ts'),
    import('../../worktrees/worktree-sessions.ts'),
  ]);
  const records = readRecords(state);
  return (cwd) => worktreeOf(cwd, records)?.source;
}

/** What was on the screen of a session that has not been shown. */
const UNREAD = {entries: 0, viewer: foldedViewer};

/** Starts, opens, leaves and closes the sessions of a window. */
function opening(
  window: WindowOptions,
  clients: ReturnType<typeof createClients>,
  perform: (effect: Effect) => void,
): Pick<WindowSessions, 'start' | 'open' | 'peek' | 'close' | 'leave'> {
  const {store, optionsForAgent} = window;
  let count = 1;

  function start(key: SessionKey, beginning: NewSessionOptions): WindowSession {
    record(window, key, beginning);
    return clients.start(key, beginning);
  }

  function peek(beginning: NewSessionOptions): SessionKey {
    const key = `session-${++count}`;
    const added = createTab({...newTab(key, beginning), at: performance.now()});
    store.dispatch({type: 'session_added', key, tab: {...added, isPeeked: true, left: UNREAD}});
    start(key, beginning);
    return key;
  }

  function open(beginning: NewSessionOptions, how: HowToOpen = {}): Promise<Result<void>> {
    const before = activeSession(store.latest());
    const key = `session-${++count}`;
    const {takesQueue, attached = window.background?.start(beginning)} = beginning;
    const begun = {...inFolder(window, beginning), ...(attached && {attached})};
    const ended = endedBefore(window, attached?.id() ?? beginning.before?.continues);
    const {isShown, isReplacing} = placeOf(store.latest(), {...how, ended, takesQueue});
    const added = createTab({...newTab(key, begun), at: performance.now()});
    store.dispatch({type: 'session_added', key, tab: isShown ? added : {...added, left: UNREAD}});
    const session = start(key, begun);
    if (isShown) store.dispatch({type: 'session_activated', key}, 'urgent');
    how.onAdded?.(key);
    const opening = session.open();
    const left = attached ? undefined : window.storage.unsentOf(beginning.before?.continues);
    const restore = (change: QueueChange) =>
      perform({kind: 'call', key, action: 'changeQueue', args: [change]});
    if (left) restore(restoreQueueChange(left));
    if (ended) {
      store.dispatch({type: 'session_handed_over', from: ended.key, key}, 'urgent');
      close(ended.key);
    } else if (isReplacing) {
      store.dispatch({type: 'session_handed_over', from: before.key, key}, 'urgent');
      const {prompts, outputs, isPaused} = before.session.queue;
      if (prompts.length > 0 || outputs.length > 0) {
        void clients.get(before.key).session.actions.changeQueue({kind: 'clear'});
        restore({kind: 'restore', prompts, outputs, isPaused});
      }
      // Both may share an agent, which must not end before the new session has joined it. Another window may show it.
      void clients.remove(before.key, 'leave', opening);
    }
    return opening;
  }

  function close(key: SessionKey): void {
    if (!clients.find(key)) return;
    const options = optionsOfNew(clients.optionsOf(key), optionsForAgent);
    if (sessionKeys(store.latest()).length === 1) void open({options});
    void clients.remove(key, 'end');
  }

  async function leave(key: SessionKey): Promise<void> {
    await clients.remove(key, 'leave');
  }

  return {start, open, peek, close, leave};
}

interface Wanted extends HowToOpen {
  readonly ended: Tab | undefined;
  readonly takesQueue: boolean | undefined;
}

/** Returns whether a session takes the screen, and the place of the one that is there: what is typed in that goes on in it. */
function placeOf(now: AppState, {began = now, isBehind = false, ended, takesQueue}: Wanted) {
  const {key, session} = activeSession(now);
  const mayReplace = ended?.key === key || (takesQueue ? hasNoPrompts : isUnused)(session);
  const isAtPrompt = now.board === undefined && now.overlay.kind === 'none';
  const goesOn = mayReplace && isAtPrompt;
  const isShown = !isBehind && (goesOn ? began.active === key : !hasGoneOn(began, now));
  return {isShown, isReplacing: isShown && mayReplace};
}

/** Applies the settings of its folder; what they say of it is said where it begins. */
function inFolder({useFolder}: WindowOptions, beginning: NewSessionOptions): NewSessionOptions {
  const {options, attached, problems = []} = beginning;
  const found = useFolder(options.cwd);
  return attached ? beginning : {...beginning, problems: [...problems, ...found]};
}

/** The clients of a window's sessions. */
function createClients(window: WindowOptions, perform: (effect: Effect) => void) {
  const {store, log, report, settings} = window;
  const agents = createAgentPool(window);
  const running = new Map<SessionKey, Running>();
  const ending = new Map<SessionKey, Promise<void>>();
  /** Including those being closed: they may still have to be killed. */
  const living = new Set<Running>();

  /** A session that fails to end is kept for `killNow`. */
  async function ended(found: Running, how: 'end' | 'leave', isBegun: boolean): Promise<void> {
    try {
      await found.session[how]();
      living.delete(found);
      const others = [...running.values()].filter((other) => other !== found);
      await freeWorktree(found, {state: settings.state, isBegun, others});
    } catch (error) {
      report(error, {doing: 'stopping an agent'});
    }
  }

  /** False if nothing of it goes on or is stored once it has ended. */
  function isBegun({key, attached}: Running, how: 'end' | 'leave'): boolean {
    const {session} = store.latest().sessions[key] ?? {};
    return (attached !== undefined && how === 'leave') || !session || !hasNoPrompts(session);
  }

  function get(key: SessionKey): Running {
    const found = running.get(key);
    if (!found) throw new Error(`no session ${key} runs`);
    return found;
  }

  return {
    start: (key: SessionKey, {options, attached, worktree}: NewSessionOptions): WindowSession => {
      const of = {key, options, attached};
      const found = {
        ...createWindowConversation({...of, store, log, agents, perform, report}),
        ...of,
        worktree,
      };
      running.set(key, found);
      living.add(found);
      return found.session;
    },
    find: (key: SessionKey) => running.get(key),
    get,
    /** With what is allowed in it now, where its folders are, and without a sign-in method that the user has given up. */
    optionsOf: (key: SessionKey): ConversationOptions => {
      const {options: first, session} = get(key);
      const {approval, realFolders} = {...first, ...store.latest().sessions[key]?.session};
      return {...(session.keepsAuthMethod() ? first : withoutMethod(first)), approval, realFolders};
    },
    /** Resolves when it has ended, which it does after `endsAfter`, also if it was removed before; undefined if it is gone already. */
    remove(key: SessionKey, how: 'end' | 'leave', endsAfter?: Promise<unknown>): Promise<void> | undefined {
      const found = running.get(key);
      if (!found) return ending.get(key);
      running.delete(key);
      const hasBegun = isBegun(found, how);
      const end = () => ended(found, how, hasBegun);
      const left = (endsAfter ? endsAfter.then(end) : end()).finally(() => ending.delete(key));
      ending.set(key, left);
      found.detach();
      store.dispatch({type: 'session_removed', key}, 'urgent');
      return left;
    },
    endAll: () => Promise.all(Array.from(living, (found) => ended(found, 'leave', isBegun(found, 'leave')))),
    killNow: () => living.forEach(({session}) => session.killNow()),
  };
}

interface Freed {
  readonly state: string;
  readonly isBegun: boolean;
  readonly others: readonly Running[];
}

/** Others may merge and remove the worktree of a session that has ended; one that was made for a session that has not begun is removed. */
async function freeWorktree(
  {options: {cwd}, worktree}: Running,
  {state, isBegun, others}: Freed,
): Promise<void> {
  const folders = others.map(({options}) => options.cwd);
  if (worktree && !isBegun && !folders.some((folder) => isWithin(folder, worktree.record.folder)))
    return worktree.discard();
  const {unlockWorktreeOf} = await import('../../worktrees/worktree-sessions.ts');
  unlockWorktreeOf(state, cwd, folders);
}

function otherAgents({agentsToAsk: known, storage}: WindowOptions, own: AgentCommand): AgentToAsk[] {
  const stored = storage.sessions.list({include: 'archived'});
  return agentsToAsk(known?.() ?? [], stored.ok ? stored.value.map(({agent}) => agent) : [], own);
}

/** Returns the session that has ended in the background service and is opened again. */
function endedBefore({store, storage}: WindowOptions, id: string | undefined): Tab | undefined {
  const open = Object.values(store.latest().sessions);
  return open.find(
    ({key, session}) =>
      session.connection.kind === 'closed' && id !== undefined && storage.recording.id(key) === id,
  );
}

/** Starts recording a session, unless it is the background service's. */
function record(
  {store, storage}: WindowOptions,
  key: SessionKey,
  {options, attached, before, problems = []}: NewSessionOptions,
): void {
  const recorded = attached ? undefined : storage.recording.begin(key, options, before);
  if (attached) storage.recording.follow(key, attached.id);
  const elsewhere = recorded && storedElsewhereNotice(recorded);
  for (const text of [elsewhere ?? [], problems].flat()) addNotice(store, text, {key});
}
