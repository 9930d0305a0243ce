import {setImmediate as macrotask} from 'node:timers/promises';
import type {Result} from '../shared/failure.ts';
import type {DeniedRequest, Host, UserQuestion} from '../host/services.ts';
import type {SessionActions} from '../session/actions.ts';
import type {Opening} from '../session/opening-kinds.ts';
import {addDirectory} from './add-directory.ts';
import {readChanges} from './changes.ts';
import {commandActions} from './command-actions.ts';
import {connectionChanged, isCurrent, notRunning, type ClientContext, type Life} from './context.ts';
import {createSessionHost} from './session-host.ts';
import {listServers, toggleServer} from './mcp.ts';
import {openSession} from './open-session.ts';
import type {ClientOptions, SessionLink, WireWatch} from './options.ts';
import {changeAgentSession, closeAgentSession, listSessions, renameSession} from './agent-sessions.ts';
import {setConfigOption, setMode, setModel} from './settings.ts';
import {logOut} from './sign-in/log-out.ts';
import {orSignIn, repeatFailed} from './sign-in/repeat.ts';
import {signIn} from './sign-in/sign-in.ts';
import {start} from './start.ts';
import {cancelTurn, endOpenTurn, runTurn, steerTurn} from './turns.ts';
import {undoTurn} from './undo.ts';

/** One running conversation with one agent. */
export interface Client {
  readonly actions: SessionActions;
  /** Starts the agent and opens a session; resolves when it is ready, or with why it is not. */
  open(): Promise<Result<void>>;
  /** What the agent asked for and did not get because nobody could be asked, oldest first. */
  denied(): readonly DeniedRequest[];
  /** True when a command that we run surely waits for somebody to type. */
  awaitsInput(terminalId: string): boolean;
  /** Asks the user something of our own, see `Host`. */
  askUser(question: UserQuestion): Promise<boolean | undefined>;
  /** For exits that cannot wait: kills everything that was started, synchronously. */
  killNow(): void;
}

/** Makes a client; nothing runs before `open`. */
export function createClient(options: ClientOptions, link: SessionLink, wire: WireWatch = {}): Client {
  const context = createContext(options, link, wire);
  const {host} = context;
  return {
    actions: {
      prompt: (content, how) => void runTurn(context, content, how),
      steer: (content) => steerTurn(context, content),
      cancel: () => (context.giveUp ?? (() => cancelTurn(context)))(),
      answer: (id, answer) => host.answer(id, answer),
      ...commandActions(host, link),
      setMode: (modeId) => orSignIn(context, () => setMode(context, modeId)),
      setModel: (modelId) => orSignIn(context, () => setModel(context, modelId)),
      setConfigOption: (configId, value) =>
        orSignIn(context, () => setConfigOption(context, configId, value)),
      authenticate: (methodId) => signIn(context, methodId),
      logOut: () => logOut(context),
      setApproval: (level) => host.setApproval(level),
      openSession: (opening) => orSignIn(context, () => openAnother(context, opening)),
      restart: () => restart(context),
      listSessions: (cwd, onPage) => listSessions(context, cwd, onPage),
      renameSession: (title) => orSignIn(context, () => renameSession(context, title)),
      changeSession: (change, sessionId) =>
        orSignIn(context, () => changeAgentSession(context, change, sessionId)),
      addDirectory: (path) => addDirectory(context, path, (opening) => openAnother(context, opening)),
      changes: () => readChanges(context),
      planUndo: async () => host.changes?.plan(),
      undo: (turn) => undoTurn(context, turn),
      listMcpServers: () => listServers(context),
      toggleMcpServer: (name) => toggleServer(context, name),
      stderrTail: () => context.lastProcess?.stderrTail() ?? '',
      close: () => (context.closing ??= close(context)),
    },
    open: () => start(context),
    denied: () => host.denied(),
    awaitsInput: (id) => host.terminals.awaitsInput(id) || host.shell.terminals.awaitsInput(id),
    askUser: (question) => host.askUser(question, link.state().sessionId ?? ''),
    killNow() {
      for (const process of context.processes) process.killNow();
      host.terminals.killAllNow();
      host.shell.killNow();
    },
  };
}

function createContext(options: ClientOptions, link: SessionLink, wire: WireWatch): ClientContext {
  const host = createSessionHost(options, link);
  const context: ClientContext = {
    options,
    link,
    host,
    wire,
    opening: options.opening ?? {kind: 'new'},
    wasOpen: false,
    life: undefined,
    launching: undefined,
    lastProcess: undefined,
    processes: [],
    mcpServers: [],
    leftOut: [],
    restart: () => restart(context),
    unfollowRules: followRules(options, host),
    closing: undefined,
    afterSignIn: undefined,
    giveUp: undefined,
    turn: link.state().lastTurn?.turn ?? 0,
  };
  return context;
}

/** Another session with the same agent; when that fails, the old one goes on. */
async function openAnother(
  context: ClientContext,
  opening: Exclude<Opening, {kind: 'later'}>,
): Promise<Result<void>> {
  const {life, link} = context;
  if (!life) return notRunning();
  cancelTurn(context);
  // Also what was asked outside of a turn.
  context.host.cancelPending();
  const {connection, sessionId} = link.state();
  const before = context.opening;
  const wasOpen = life.sessionOpen ? sessionId : undefined;
  context.opening = opening;
  const opened = await openSession(context, life);
  if (opened.ok && wasOpen !== undefined) void closeAgentSession(context, wasOpen);
  if (opened.ok || !isCurrent(context, life)) return opened;
  context.opening = before;
  if (wasOpen !== undefined) life.updates.open(wasOpen);
  connectionChanged(context, connection.kind === 'no_session' ? connection : {kind: 'ready'});
  return opened;
}

/** A session in which nothing was said yet is not worth going on with. */
async function restart(context: ClientContext): Promise<Result<void>> {
  await endLife(context);
  if (context.link.state().unused && context.opening.kind === 'continue' && context.wasOpen)
    context.opening = {kind: 'new'};
  const started = await start(context);
  if (started.ok) await repeatFailed(context);
  return started;
}

function followRules({permissions, cwd}: ClientOptions, host: Host): () => void {
  return permissions?.follow(() => host.setRules(permissions.rules(cwd))) ?? (() => {});
}

async function close(context: ClientContext): Promise<void> {
  context.unfollowRules();
  await Promise.all([endLife(context), context.host.shell.close()]);
  await context.host.changes?.close();
  connectionChanged(context, {kind: 'closed'});
}

/** What waits for the agent that runs is answered and told at once; returns that agent's life. */
function leaveLife(context: ClientContext): Life | undefined {
  const {life} = context;
  context.host.cancelPending();
  context.life = undefined;
  endOpenTurn(context, {
    kind: 'connection_lost',
    exit: undefined,
    stderrTail: '',
    problem: 'it was ended from here',
  });
  return life;
}

/** Ends process, terminals and what waits; events of the ended life no longer reach the state. */
async function endLife(context: ClientContext): Promise<void> {
  const {host} = context;
  let life = leaveLife(context);
  await context.launching;
  life ??= leaveLife(context);
  const commandsEnded = host.terminals.closeAll();
  // The agent gets the answers to what it waits for before its input ends.
  await macrotask();
  life?.connection.close();
  await Promise.all([life?.process.stop(), commandsEnded, host.terminals.closeAll()]);
}
