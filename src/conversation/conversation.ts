import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DeniedRequest} from '../host/services.ts';
import {promptBlock} from '../session/content/pasted-text.ts';
import {notAsSeen} from '../host/permissions/pending-permissions.ts';
import type {CompletedEdit} from '../host/services.ts';
import type {PermissionAnswer, RequestAnswer, SessionActions} from '../session/actions.ts';
import type {NextOpening, SessionEvent} from '../session/events.ts';
import type {ApprovalLevel} from '../session/settings/approval.ts';
import {isRefusing, pendingRequest} from '../session/selectors.ts';
import type {PendingPermission} from '../session/state.ts';
import type {SteerOutcome} from '../session/queue/queued-prompt.ts';
import type {CustomCall} from '../session/content/custom-command.ts';
import {sentence} from '../shared/failure-messages.ts';
import {DONE, fail, type Result} from '../shared/failure.ts';
import type {AgentPool} from './connection/agent-pool.ts';
import {changeAgentSession, listSessions, renameSession} from './connection/agent-sessions.ts';
import {close, restart} from './connection/leave.ts';
import {idlePhase, runOf, waitsForAgent} from './connection/phases.ts';
import {addSandboxFolder, openSandbox, readableOf} from './connection/open-sandbox.ts';
import {createSessionHost} from './connection/session-host.ts';
import {start} from './connection/start.ts';
import {addDirectory, giveUp, openAnother} from './connection/switch-session.ts';
import {inform, type ConversationContext} from './context.ts';
import type {ConversationOptions, SessionSink} from './options.ts';
import {notificationInput} from './hooks/hook-inputs.ts';
import {runStatusCommand} from './hooks/run-status-command.ts';
import {createSessionHooks, withHooks} from './hooks/session-hooks.ts';
import type {CommandLibrary} from './prompt/command-library.ts';
import {expandCall, followCommands, type ExpandedPrompt} from './prompt/custom-commands.ts';
import {createLimitWait} from './prompt/limit-wait.ts';
import {createLimitWatch} from './prompt/limit-watch.ts';
import {changeQueue, createQueueSender} from './prompt/send-queued.ts';
import {
  cancelSubagent,
  cancelTask,
  runTurn,
  sendWithoutSnapshot,
  steer,
  type PromptOptions,
} from './prompt/turns.ts';
import {setConfigOption, setMode, setModel} from './settings/apply-settings.ts';
import {planRewind, rewind, rewindPoints} from './rewind.ts';
import {withSignIn} from './sign-in/agent-sign-in.ts';
import {logOut} from './sign-in/log-out.ts';
import {changeReview, withReviewer, saveReviewComments} from './review/review-actions.ts';
import {signIn} from './sign-in/sign-in.ts';
import {configureProvider, listProviders} from './settings/providers.ts';
import {listServers, toggleServer} from './trust/mcp-servers.ts';
import {createTerminalScreens} from './terminal-screens/terminal-screens.ts';
import {confirmFolders, movedFolders, withRealFolders} from './trust/real-folders.ts';
import {planUndo, undoTurn} from './undo.ts';

/** One running conversation with one agent. */
export interface Conversation extends SessionActions {
  /** Starts the agent and opens a session; resolves when it is ready, or to the failure. */
  open(): Promise<Result<void>>;
  /** Sends one prompt ("Prompt Turn"), not from the queue. Call only while the session is ready and idle. */
  prompt(content: readonly acp.ContentBlock[], how?: PromptOptions): void;
  /** Adds a prompt to the running turn (`_session/steering`, an extension). Call only if `steers` of `AgentInfo` is true. */
  steer(content: readonly acp.ContentBlock[]): Promise<Result<SteerOutcome>>;
  /** Returns the prompt of a custom command of a library. */
  expand(call: CustomCall, library: Pick<CommandLibrary, 'trust'>): Promise<Result<ExpandedPrompt>>;
  /** Returns what tells whether the agent can read what is at a real path: its sandbox may hide it. */
  readable(): Promise<(real: string) => boolean>;
  /** False once the user has signed out, or in with another method than that of the options. */
  keepsAuthMethod(): boolean;
  /** Requests that were refused because there is no user, oldest first. */
  denied(): readonly DeniedRequest[];
  /** For exits that cannot wait: kills all started processes synchronously. */
  killNow(): void;
}

/** Creates a conversation; nothing runs before `open`. `agents` are those that it may share with other sessions. */
export function createConversation(
  options: ConversationOptions,
  sink: SessionSink,
  agents: AgentPool,
): Conversation {
  const sendQueued = createQueueSender(() => context);
  const limits = createLimitWatch(() => context);
  const waitForLimit = createLimitWait(() => context);
  const drawTerminals = options.hasUser && createTerminalScreens({...sink, awaitsInput});
  const followed = followedBy(sink, (event) => {
    if (drawTerminals) drawTerminals(event);
    limits.follow(event);
    waitForLimit(event);
    sendQueued();
  });
  const context = createContext(options, followed, agents);
  const {host} = context;
  function awaitsInput(id: string): boolean {
    return host.terminals.awaitsInput(id) || host.shell.terminals.awaitsInput(id);
  }
  const actions = createActions(context);
  let unfollowCommands: (() => void) | undefined;
  return {
    ...actions,
    limitUses: async () => limits.uses(),
    prompt: (content, how) => void runTurn(context, content, how),
    steer: (content) => steer(context, content),
    expand: (call, library) => expandCall(context, call, library),
    readable: () => readableOf(context),
    async open() {
      unfollowCommands ??= followCommands(context);
      const opened = await start(context);
      if (opened.ok) context.snapshots?.prepare();
      return opened;
    },
    close() {
      unfollowCommands?.();
      return actions.close();
    },
    keepsAuthMethod: () => context.options.authMethod === options.authMethod,
    denied: () => host.denied(),
    killNow() {
      for (const process of context.processes) process.killNow();
      host.terminals.killAllNow();
      host.shell.killNow();
      context.hooks.stop('the session ended');
      context.phase.ended.abort();
    },
  };
}

/** Restores files, and then opens the session in which the conversation goes on; prompts that are submitted meanwhile are for that one. */
async function rewindAll(
  context: ConversationContext,
  {next, ...plan}: Parameters<SessionActions['rewind']>[0],
  only: readonly string[] | undefined,
): Promise<Result<void> | undefined> {
  // By a question about the folder, which also releases it.
  const wasHeld = context.sink.state().queue.isHeld;
  if (!wasHeld) changeQueue(context, {kind: 'hold', isHeld: true});
  const isRestored = await rewind(context, plan, only);
  const opened = isRestored && next ? openSession(context, next) : undefined;
  if (!wasHeld) changeQueue(context, {kind: 'hold', isHeld: false});
  if (next && !isRestored) inform(context, 'The conversation was not rewound.');
  return opened;
}

async function openSession(context: ConversationContext, opening: NextOpening): Promise<Result<void>> {
  // At once if there is nothing to ask: no prompt may go to the session that is being left.
  const hasMoved = movedFolders(context.options).length > 0;
  const confirmed = hasMoved ? await confirmFolders(context) : DONE;
  return confirmed.ok ? withSignIn(context, () => openAnother(context, opening)) : confirmed;
}

/** What a window or a run can do with the session. */
function createActions(context: ConversationContext): Omit<SessionActions, 'limitUses'> {
  const {host, sink} = context;
  const {shell} = host;
  // A terminal is the agent's or the user's.
  const both = [host.terminals, shell.terminals];
  let closing: Promise<void> | undefined;
  return {
    changeQueue: async (change) => changeQueue(context, change),
    cancel: () => giveUp(context),
    cancelSubagent: (sessionId) => cancelSubagent(context, sessionId),
    cancelTask: (task) => cancelTask(context, task),
    answer: (id, answer) => answerRequest(context, id, answer),
    askUser: (question) => host.askUser(question, sink.state().sessionId ?? ''),
    runShell: (command) => runShell(context, command),
    runStatusCommand: (command, input) => runStatusCommand(context, command, input),
    expandCommand: (call) => expandCommand(context, call),
    saveCommand: (name, prompt) => saveCommand(context, name, prompt),
    interruptCommand: (terminalId) => shell.interrupt(terminalId),
    typeInto: (terminalId, text) => both.forEach((terminals) => terminals.type(terminalId, text)),
    stopCommand: async (terminalId) =>
      void (await Promise.all(both.map((terminals) => terminals.kill(terminalId)))),
    setMode: (modeId) => withSignIn(context, () => setMode(context, modeId)),
    setModel: (modelId) => withSignIn(context, () => setModel(context, modelId)),
    setConfigOption: (configId, value) =>
      withSignIn(context, () => setConfigOption(context, configId, value)),
    authenticate: (methodId) => signIn(context, methodId),
    logOut: () => logOut(context),
    setApproval: (level) => setApproval(context, level),
    sessionGrants: async () => host.sessionGrants.list(),
    takeBack: (id) => host.sessionGrants.takeBack(id),
    openSession: (opening) => openSession(context, opening),
    restart: () => restart(context),
    listSessions: (filter, cursor) => listSessions(context, filter, cursor),
    renameSession: (title) => withSignIn(context, () => renameSession(context, title)),
    changeSession: (change, sessionId) =>
      withSignIn(context, () => changeAgentSession(context, change, sessionId)),
    addDirectory: (path) => addDirectory(context, path),
    addSandboxFolder: (path) => addSandboxFolder(context, path),
    sendWithoutSnapshot: () => sendWithoutSnapshot(context),
    planUndo: () => planUndo(context),
    undo: (turn, only) => undoTurn(context, turn, only),
    rewindPoints: () => rewindPoints(context),
    planRewind: (point) => planRewind(context, point),
    rewind: (plan, only) => rewindAll(context, plan, only),
    review: (range) => withReviewer(context, (reviewer, session) => reviewer.read(session, range)),
    changeReview: (change, of) => changeReview(context, change, of),
    saveReviewComments: (change) => saveReviewComments(context, change),
    listProviders: () => listProviders(context),
    configureProvider: (id) => configureProvider(context, id),
    listMcpServers: async () => listServers(context),
    toggleMcpServer: async (name) => toggleServer(context, name),
    notified: (reason) => void context.hooks.run(notificationInput(reason)),
    stderrTail: async () => context.lastProcess?.stderrTail() ?? '',
    close() {
      return (closing ??= close(context));
    },
  };
}

/** Answers a request, unless that would allow it as the user has not seen it: the answer may come from another process, or from an editor that was open for long. */
async function answerRequest(
  {host, sink}: ConversationContext,
  id: string,
  answer: RequestAnswer,
): Promise<Result<void>> {
  const request = pendingRequest(sink.state(), id);
  const isOther =
    request?.kind === 'permission' && isYes(answer, request) && request.changes !== (answer.changes ?? 0);
  return isOther ? notAsSeen() : host.answer(id, answer);
}

type Yes = Exclude<PermissionAnswer, {kind: 'cancelled'}>;

function isYes(answer: RequestAnswer, {options}: PendingPermission): answer is Yes {
  if (answer.kind !== 'option') return answer.kind === 'rule' || answer.kind === 'edited';
  const option = options[answer.index];
  return option !== undefined && !isRefusing(option);
}

function setApproval({host, sink}: ConversationContext, approval: ApprovalLevel): void {
  host.setApproval(approval);
  sink.emit({type: 'approval_changed', approval, at: Date.now()});
}

/** Queued before the agent gets its answer: some agents end the turn after a rejection. */
async function tellOfEdit(context: ConversationContext, edit: CompletedEdit): Promise<void> {
  const {editNote} = await import('../text/diff/edit-note.ts');
  const text = editNote(edit);
  const prompt = {text, content: [promptBlock(text, [])]};
  if (edit.state === 'gone') {
    inform(context, `${sentence(edit.why ?? '')} What you saved is in the queue, which is paused.`);
    changeQueue(context, {kind: 'submit', prompt, place: 'first'});
    changeQueue(context, {kind: 'pause'});
    return;
  }
  const place = context.sink.state().agent?.steers ? 'now' : 'first';
  const how = place === 'now' ? 'in this turn' : 'by the next prompt, which starts another turn';
  inform(context, `The agent will be told ${how} what you have changed.`);
  changeQueue(context, {kind: 'submit', prompt, place});
}

async function saveCommand(
  {options}: ConversationContext,
  name: string,
  prompt: string,
): Promise<Result<string>> {
  const why = 'nothing is kept between runs';
  return (
    options.customCommands?.save(name, prompt) ?? fail({kind: 'not_offered', cannot: 'save a command', why})
  );
}

async function expandCommand(context: ConversationContext, call: CustomCall): Promise<Result<string>> {
  const expanded = await expandCall(context, call);
  if (!expanded.ok) return expanded;
  const {text, fill} = expanded.value;
  return {ok: true, value: fill(text)};
}

/** Calls back after each event. */
function followedBy(sink: SessionSink, callback: (event: SessionEvent) => void): SessionSink {
  return {
    ...sink,
    emit(event) {
      sink.emit(event);
      callback(event);
    },
  };
}

async function runShell({host, sink}: ConversationContext, command: string): Promise<void> {
  const started = await host.shell.run(command);
  if (started.ok) return;
  const text = `! ${command}: ${started.message}`;
  sink.emit({type: 'notice', level: 'error', text, at: Date.now()});
}

function createContext(
  given: ConversationOptions,
  outer: SessionSink,
  agents: AgentPool,
): ConversationContext {
  const options = withRealFolders(given, outer.state());
  const sandbox = options.sandbox && openSandbox(() => context);
  const hooks = createSessionHooks(() => context);
  const sink = withHooks(outer, hooks);
  const host = createSessionHost(options, sink, {
    sandbox,
    decideByHook: (operation, signal) => hooks.decide(operation, signal),
    onEdited: (edit) => tellOfEdit(context, edit),
  });
  const context: ConversationContext = {
    sandbox,
    hooks,
    options,
    sink,
    host,
    agents,
    opening: options.opening ?? {kind: 'new'},
    wasOpen: false,
    phase: idlePhase(),
    get run() {
      return runOf(context.phase);
    },
    get isWaiting() {
      return waitsForAgent(context.phase);
    },
    lastProcess: undefined,
    processes: [],
    commandRuns: new Set(),
    leftOut: [],
    restart: () => restart(context),
    afterSignIn: undefined,
    providers: new Map(),
    signedInWith: undefined,
    unanswered: undefined,
    snapshots: options.openSnapshots?.({
      folder: options.cwd,
      onOff: (text) => inform({sink}, text),
      log: sink.log,
    }),
    turn: {name: 'idle', number: sink.state().lastTurn?.turn ?? 0},
  };
  return context;
}
