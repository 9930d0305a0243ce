import {setImmediate as macrotask} from 'node:timers/promises';
import type {DeniedRequest, Host, UserQuestion} from '../host/services.ts';
import type {SessionActions} from '../session/actions.ts';
import type {Result} from '../shared/failure.ts';
import type {TurnSnapshots} from '../snapshots/turn-snapshots.ts';
import {readChanges} from './changes.ts';
import {createAgentPool, type AgentPool} from './connection/agent-pool.ts';
import {changeAgentSession, leaveAgent, listSessions, renameSession} from './connection/agent-sessions.ts';
import {createSessionHost} from './connection/session-host.ts';
import {start} from './connection/start.ts';
import {addDirectory, openAnother} from './connection/switch-session.ts';
import {connectionChanged, openNewIfUnused, type ClientContext, type AgentRun} from './context.ts';
import type {ClientOptions, SessionSink} from './options.ts';
import {cancelSubagent, cancelTurn, endOpenTurn, runTurn, steerTurn} from './prompt/turns.ts';
import {setConfigOption, setMode, setModel} from './settings/apply-settings.ts';
import {planRewind, rewind, rewindPoints} from './rewind.ts';
import {withSignIn, retryFailed} from './sign-in/agent-sign-in.ts';
import {logOut} from './sign-in/log-out.ts';
import {reviewActions} from './review/review-actions.ts';
import {signIn} from './sign-in/sign-in.ts';
import {configureProvider, listProviders} from './settings/providers.ts';
import {listServers, toggleServer} from './trust/mcp-servers.ts';
import {planUndo, undoTurn} from './undo.ts';

/** One running conversation with one agent. */
export interface Client {
  readonly actions: SessionActions;
  /** Starts the agent and opens a session; resolves when it is ready, or to the failure. */
  open(): Promise<Result<void>>;
  /** Requests that were refused because there is no user, oldest first. */
  denied(): readonly DeniedRequest[];
  /** True if a command run by acp-tui is certainly waiting for input. */
  awaitsInput(terminalId: string): boolean;
  /** Asks the user a question of acp-tui's own, see `Host`. */
  askUser(question: UserQuestion): Promise<boolean | undefined>;
  /** For exits that cannot wait: kills all started processes synchronously. */
  killNow(): void;
}

/** Creates a client; nothing runs before `open`. `agents` are those that it may share with other sessions. */
export function createClient(
  options: ClientOptions,
  sink: SessionSink,
  agents: AgentPool = createAgentPool({wire: {}, log: sink.log}),
): Client {
  const context = createContext(options, sink, agents);
  const {host} = context;
  return {
    actions: {
      prompt: (content, how) => void runTurn(context, content, how),
      steer: (content) => steerTurn(context, content),
      cancel: () => (context.giveUp ?? (() => cancelTurn(context)))(),
      cancelSubagent: (sessionId) => cancelSubagent(context, sessionId),
      answer: (id, answer) => host.answer(id, answer),
      ...commandActions(host, sink),
      setMode: (modeId) => withSignIn(context, () => setMode(context, modeId)),
      setModel: (modelId) => withSignIn(context, () => setModel(context, modelId)),
      setConfigOption: (configId, value) =>
        withSignIn(context, () => setConfigOption(context, configId, value)),
      authenticate: (methodId) => signIn(context, methodId),
      logOut: () => logOut(context),
      setApproval: (level) => host.setApproval(level),
      sessionGrants: () => host.sessionGrants.list(),
      takeBack: (id) => host.sessionGrants.takeBack(id),
      openSession: (opening) => withSignIn(context, () => openAnother(context, opening)),
      restart: () => restart(context),
      listSessions: (filter, onPage) => listSessions(context, filter, onPage),
      renameSession: (title) => withSignIn(context, () => renameSession(context, title)),
      changeSession: (change, sessionId) =>
        withSignIn(context, () => changeAgentSession(context, change, sessionId)),
      addDirectory: (path) => addDirectory(context, path),
      changes: () => readChanges(context),
      sendWithoutSnapshot: () => context.sendWithoutSnapshot?.(),
      planUndo: () => planUndo(context),
      undo: (turn, only) => undoTurn(context, turn, only),
      rewindPoints: () => rewindPoints(context),
      planRewind: (point) => planRewind(context, point),
      rewind: (plan, only) => rewind(context, plan, only),
      ...reviewActions(context),
      listProviders: () => listProviders(context),
      configureProvider: (id) => configureProvider(context, id),
      listMcpServers: () => listServers(context),
      toggleMcpServer: (name) => toggleServer(context, name),
      stderrTail: () => context.lastProcess?.stderrTail() ?? '',
      close: () => (context.closing ??= close(context)),
    },
    async open() {
      const opened = await start(context);
      if (opened.ok) context.snapshots?.prepare();
      return opened;
    },
    denied: () => host.denied(),
    awaitsInput: (id) => host.terminals.awaitsInput(id) || host.shell.terminals.awaitsInput(id),
    askUser: (question) => host.askUser(question, sink.state().sessionId ?? ''),
    killNow() {
      for (const process of context.processes) process.killNow();
      host.terminals.killAllNow();
      host.shell.killNow();
    },
  };
}

function createContext(options: ClientOptions, sink: SessionSink, agents: AgentPool): ClientContext {
  const host = createSessionHost(options, sink);
  const context: ClientContext = {
    options,
    sink,
    host,
    agents,
    opening: options.opening ?? {kind: 'new'},
    wasOpen: false,
    run: undefined,
    launching: undefined,
    lostAgent: undefined,
    reconnection: undefined,
    lastProcess: undefined,
    processes: [],
    mcpServers: [],
    leftOut: [],
    restart: () => restart(context),
    unfollowRules: followRules(options, host),
    closing: undefined,
    afterSignIn: undefined,
    signedInWith: undefined,
    giveUp: undefined,
    snapshots: snapshotsOf(options, sink),
    turn: sink.state().lastTurn?.turn ?? 0,
  };
  return context;
}

function snapshotsOf({openSnapshots, cwd}: ClientOptions, sink: SessionSink): TurnSnapshots | undefined {
  const onOff = (text: string) => sink.emit({type: 'notice', level: 'info', text, at: Date.now()});
  return openSnapshots?.({folder: cwd, onOff, log: sink.log});
}

/** Restarts the agent, and opens the session again. */
async function restart(context: ClientContext): Promise<Result<void>> {
  context.reconnection?.stop();
  restartLost(context);
  const ended = await endRun(context);
  // The sessions that keep using it may be why it hangs.
  ended?.retire();
  openNewIfUnused(context);
  const started = await start(context);
  if (started.ok) await retryFailed(context);
  return started;
}

/** Restarts the sessions that were lost together with this one and are still waiting. */
function restartLost(context: ClientContext): void {
  const lost = forgetLoss(context);
  const restarts = Array.from(lost?.values() ?? []);
  // Otherwise each of them would restart the others again.
  lost?.clear();
  for (const restartOther of restarts) restartOther();
}

/** Returns how to restart the sessions that were lost with this one. */
function forgetLoss(context: ClientContext): Map<object, () => void> | undefined {
  const lost = context.lostAgent?.lost;
  context.lostAgent = undefined;
  lost?.delete(context);
  return lost;
}

function followRules({permissions, cwd}: ClientOptions, host: Host): () => void {
  return permissions?.follow(() => host.setRules(permissions.rules(cwd))) ?? (() => {});
}

async function close(context: ClientContext): Promise<void> {
  context.unfollowRules();
  context.reconnection?.stop();
  forgetLoss(context);
  await Promise.all([endRun(context), context.host.shell.close()]);
  await Promise.all([context.host.changes?.close(), context.snapshots?.close()]);
  connectionChanged(context, {kind: 'closed'});
}

/** Detaches the session from its agent, after answering its pending requests and ending its turn; returns its run. */
function detachRun(context: ClientContext): AgentRun | undefined {
  const {run, sink} = context;
  const {sessionId, turn} = sink.state();
  context.host.cancelPending();
  context.run = undefined;
  // A pending wait would block others that share the agent.
  context.giveUp?.();
  if (turn.kind === 'running' && run && run.others().length > 0 && sessionId !== undefined)
    run.connection.cancel(sessionId);
  endOpenTurn(context, {kind: 'interrupted'});
  return run;
}

/** Leaves the agent and stops the session's commands and pending requests; later events of that run no longer reach the state. Returns the run. */
async function endRun(context: ClientContext): Promise<AgentRun | undefined> {
  const {host} = context;
  let run = detachRun(context);
  await context.launching;
  run ??= detachRun(context);
  const commandsEnded = host.terminals.closeAll();
  // The agent gets the responses it waits for before its input is closed.
  await macrotask();
  await Promise.all([run && leaveAgent(context, run), commandsEnded, host.terminals.closeAll()]);
  return run;
}

type CommandActions = Pick<SessionActions, 'runShell' | 'interruptCommand' | 'typeInto' | 'stopCommand'>;

/** Actions on commands, the agent's and the user's; a terminal id belongs to one of them. */
function commandActions({terminals, shell}: Host, sink: SessionSink): CommandActions {
  return {
    async runShell(command) {
      const started = await shell.run(command);
      if (started.ok) return;
      const text = `! ${command}: ${started.message}`;
      sink.emit({type: 'notice', level: 'error', text, at: Date.now()});
    },
    interruptCommand: (terminalId) => shell.interrupt(terminalId),
    typeInto(terminalId, text) {
      terminals.type(terminalId, text);
      shell.terminals.type(terminalId, text);
    },
    async stopCommand(terminalId) {
      await Promise.all([terminals.kill(terminalId), shell.terminals.kill(terminalId)]);
    },
  };
}
