import type * as acp from '@agentclientprotocol/sdk/unstable';
import {exitCodeIfUnwritable} from '../../cli/exit-codes.ts';
import type {PrintOptions} from '../../cli/options.ts';
import {
  createPrintConversation,
  createUnstartedClient,
  type PrintConversation,
} from './print-conversation.ts';
import type {ConversationOptions} from '../../conversation/options.ts';
import type {AgentStarts} from '../../agents/launch.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {customCall} from '../../session/content/custom-command.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {processIo} from './io.ts';
import {runPrint} from './print.ts';
import {quietConsole} from '../../protocol/quiet-console.ts';
import {setUpRun, type RunSetup} from '../start/run-setup.ts';
import {escapeHiddenOnce} from '../../text/hidden.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';

/** Runs print mode in this process; resolves to the exit code. Loads neither React nor Ink. */
export async function runPrintMode(
  given: PrintOptions,
  {demoCommand, startAgent}: AgentStarts,
  openIo: typeof processIo = processIo,
): Promise<number> {
  const setup = await setUpRun(given, {hasUser: false, demoCommand});
  const {log, options, problems, recorder, save} = setup;
  let recordingFailure: Failure | undefined;
  const io = openIo(() => (recordingFailure = recorder?.failure()));
  quietConsole(log.write);
  const warn = (text: string) => io.stderr.write(escapeHiddenOnce(`acp-tui: warning: ${text}\n`));
  for (const notice of setup.notices) io.stderr.write(escapeHiddenOnce(`acp-tui: ${notice}\n`));
  for (const problem of problems) warn(problem);
  const conversation = options.ok
    ? createPrintConversation(options.value, {
        log: log.write,
        kept: setup.kept?.session,
        onWireEvent: recorder?.record,
        startAgent,
      })
    : createUnstartedClient(options.failure);
  // After a crash no agent keeps running.
  process.once('exit', () => conversation.killNow());
  const closeRecording =
    options.ok && save ? recordOnceLaunched(conversation, options.value, {...setup, warn}) : undefined;
  const waitForLimits = options.ok && options.value.waitsForLimits;
  const exitCode = await runPrint(conversation, {...given, waitForLimits}, io, (prompt) =>
    expandPrompt(prompt, conversation, setup),
  );
  await closeRecording?.();
  const {turn, lastTurn} = conversation.state();
  if (turn.kind === 'idle' && !lastTurn) await setup.discard();
  setup.close();
  const late = recorder?.failure();
  if (!late || recordingFailure) return exitCode;
  io.stderr.write(`acp-tui: ${failureSentence(late)}\n`);
  await io.stderr.written();
  return exitCodeIfUnwritable(exitCode);
}

/** Returns the prompt of a custom command, with its files; undefined for any other text. */
async function expandPrompt(
  prompt: string,
  conversation: PrintConversation,
  {paths}: RunSetup,
): Promise<Result<readonly acp.ContentBlock[] | undefined>> {
  if (!prompt.startsWith('/')) return {ok: true, value: undefined};
  const [{createCommandLibrary}, {fillBlocks}, {promptContent}, {typedCall}] = await Promise.all([
    import('../../conversation/prompt/command-library.ts'),
    import('../../conversation/prompt/custom-commands.ts'),
    import('../../attachments/prompt-content.ts'),
    import('../start/typed-call.ts'),
  ]);
  const {cwd, additionalDirectories, agent} = conversation.state();
  const library = createCommandLibrary(paths);
  const listed = await library.list(cwd);
  const meant = typedCall(prompt, {...listed, agents: []});
  if (!meant.ok) return meant;
  const {text: typed, isAgents} = meant.value;
  const call = isAgents ? undefined : customCall(typed, listed.commands);
  if (!call) return {ok: true, value: [{type: 'text', text: typed}]};
  const expanded = await conversation.expand(call, library);
  if (!expanded.ok) return expanded;
  const {text, isReadable} = expanded.value;
  const capabilities = agent?.capabilities.promptCapabilities;
  const prepared = await promptContent(
    {content: [{type: 'text', text}], files: []},
    {cwd, additionalDirectories, capabilities, isReadable},
  );
  return prepared.ok ? {ok: true, value: fillBlocks(prepared.value.content, expanded.value)} : prepared;
}

interface RecordedRun extends RunSetup {
  /** Writes a warning to stderr. */
  readonly warn: (text: string) => void;
}

interface Recording {
  readonly follow: (event: SessionEvent, state: SessionState) => void;
  readonly close: () => void;
}

/**
 * Stores the session of a run. The store is opened while the agent starts, which takes longer; earlier events are stored then. Returns a function that writes
 * the rest.
 */
function recordOnceLaunched(
  conversation: PrintConversation,
  options: ConversationOptions,
  setup: RecordedRun,
): () => Promise<void> {
  const before = conversation.state();
  const missed: [SessionEvent, SessionState][] = [];
  let recording: Promise<Recording> | undefined;
  let follow: Recording['follow'] = (event, state) => void missed.push([event, state]);
  const begin = async () => {
    const begun = await record(before, options, setup);
    for (const [event, state] of missed) begun.follow(event, state);
    follow = begun.follow;
    return begun;
  };
  conversation.onEvent((event, state) => {
    follow(event, state);
    const {connection} = state;
    if (connection.kind !== 'starting' || connection.step !== 'launching') recording ??= begin();
  });
  return async () => (await (recording ?? begin())).close();
}

/** Stores a session from this state on; failures are only logged. */
async function record(
  state: SessionState,
  options: ConversationOptions,
  {kept, log, paths, settings, recorder: wire, warn}: RecordedRun,
): Promise<Recording> {
  const [{openStored}, {recordSession, sessionOrigin}, {resumeOrigin: storedBefore}] = await Promise.all([
    import('../../storage/sessions/session-store.ts'),
    import('../../storage/sessions/record-session.ts'),
    import('../../storage/sessions/stored-session.ts'),
  ]);
  const onProblem = (problem: Failure) => log.write('warn', `not stored: ${failureSentence(problem)}`);
  const {database, store} = openStored({
    state: paths.state,
    onDamaged: (sentence) => log.write('warn', sentence),
    onProblem,
    recordedIn: wire?.file,
    hasUser: false,
  });
  const before = storedBefore(kept?.id, options.opening?.kind === 'continue' && options.opening.fork);
  const recorded = recordSession(store, sessionOrigin(options, before, state));
  if (!recorded.ok) {
    onProblem(recorded.failure);
    return {follow() {}, close() {}};
  }
  const {recorder: recording, elsewhere} = recorded.value;
  if (elsewhere) warn(`This run is stored as a copy of the session. ${failureSentence(elsewhere)}`);
  process.once('exit', () => recording.flush(true));
  return {
    follow: (event, at) => recording.follow(event, at),
    close() {
      recording.close();
      const removed = store.prune(settings.sessions ?? {}, Date.now());
      if (removed.ok && removed.value.length > 0)
        log.write('info', `removed ${removed.value.length} sessions`);
      database.close();
    },
  };
}
