import type * as acp from '@agentclientprotocol/sdk/unstable';
import {contentBlockOf} from '../../attachments/content-block.ts';
import {readAttachments, type ReadAttachment} from '../../attachments/read.ts';
import type {PrintOptions} from '../../cli/options.ts';
import type {ConnectionState} from '../../session/state.ts';
import {limitWait, waitsUnasked, type ProviderLimit} from '../../session/queue/provider-limit.ts';
import {workingSubagents} from '../../session/subagents/tree.ts';
import {callAt} from '../../shared/timers/call-at.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {createAnswer} from './answer.ts';
import type {PrintConversation} from './print-conversation.ts';
import type {ConversationEnding, RunContext} from './context.ts';
import {formats} from './formats/index.ts';
import {watchInterruptions} from './interruptions.ts';
import type {PrintIo} from './io.ts';
import {report, checkOutputFile} from './result.ts';
import {prepareContentFolder} from './save-content.ts';
import {withInput} from './standard-input.ts';
import type {TurnOutcome} from '../../session/entries.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

/** Grace period of a cancelled turn in print mode, in milliseconds. */
const GRACE_MS = 5000;

/** Returns the prompt of a custom command, its text first and then its files; undefined for any other text. Called once the session is open. */
type ExpandPrompt = (prompt: string) => Promise<Result<readonly acp.ContentBlock[] | undefined>>;

/**
 * Runs one prompt in print mode; resolves to the exit code when everything is written and all started processes have ended. Standard input may still be open
 * then, so the caller exits explicitly.
 */
export async function runPrint(
  conversation: PrintConversation,
  options: PrintOptions,
  io: PrintIo,
  expand: ExpandPrompt = async () => ({ok: true, value: undefined}),
): Promise<number> {
  const interruptions = watchInterruptions({
    io,
    timeoutSeconds: options.timeoutSeconds,
    graceMs: GRACE_MS,
    cancel() {
      if (conversation.state().turn.kind === 'idle') return false;
      conversation.cancel();
      return true;
    },
  });
  const answer = createAnswer();
  const format = formats[options.format]({stdout: io.stdout, stderr: io.stderr, include: options.include});
  const run: RunContext = {
    startedAt: performance.now(),
    conversation,
    options,
    io,
    answer,
    format,
    interruptions,
  };
  const stopFollowing = follow(run);
  const left = interruptions.leave.then((): ConversationEnding => ({kind: 'left'}));
  const ended = await Promise.race([converse(run, expand), left]);
  const ending = await Promise.race([subagentsEnded(run, ended), interruptions.leave.then(() => ended)]);
  stopFollowing();
  const exitCode = await report(run, ending);
  interruptions.leaving();
  await Promise.race([conversation.close(), interruptions.hurry.then(() => conversation.killNow())]);
  interruptions.stop();
  return exitCode;
}

/** Passes events and protocol messages to the format, and slows down the agent for a slow reader. */
function follow({conversation, answer, format, io}: RunContext): () => void {
  conversation.paceReading(() => io.stdout.pace());
  const reportOutput = outputReporter(conversation.agent?.label ?? 'The agent', io);
  const stopEvents = conversation.onEvent((event, state) => {
    // Messages of earlier runs are not part of this one.
    if ((event.type === 'session_update' || event.type === 'subagent_updated') && state.replay) return;
    const part = answer.onEvent(event, state);
    format.onEvent?.({event, state, part});
    if (event.type === 'connection_changed') reportOutput(event.connection);
    if (event.type === 'elicitation_refused' && !format.narrates)
      io.stderr.write(`acp-tui: warning: ${event.text}\n`);
  });
  const stopWire = conversation.onWire((message) => format.onWire?.(message));
  return () => {
    stopEvents();
    stopWire();
  };
}

/** Prints each line of what an agent says on stderr while it does not answer. */
function outputReporter(agent: string, io: PrintIo): (connection: ConnectionState) => void {
  const printed = new Set<string>();
  return (connection) => {
    const output = connection.kind === 'starting' ? connection.output : undefined;
    const lines = output?.split('\n').filter((line) => !printed.has(line)) ?? [];
    for (const line of lines) {
      printed.add(line);
      io.stderr.write(`acp-tui: warning: ${sanitizeLine(agent)} has not answered yet. It printed: ${line}\n`);
    }
  };
}

/** Everything is checked before the agent is started, and all settings are applied before the prompt. */
async function converse(run: RunContext, expand: ExpandPrompt): Promise<ConversationEnding> {
  const {conversation, options, io, interruptions} = run;
  if (options.output !== undefined) {
    const writable = await checkOutputFile(options.output);
    if (!writable.ok) return {kind: 'wrong_usage', problem: writable.failure};
  }
  if (options.saveContent !== undefined) {
    const folder = await prepareContentFolder(options.saveContent);
    if (!folder.ok) return {kind: 'wrong_usage', problem: folder.failure};
  }
  const prepared = await preparePrompt(options, io);
  if (prepared.kind === 'wrong') return {kind: 'wrong_usage', problem: prepared.problem};
  if (interruptions.isLeaving) return {kind: 'left'};
  const opened = await conversation.open();
  // The session is already being closed.
  if (interruptions.isLeaving) return {kind: 'left'};
  if (!opened.ok) return {kind: 'turn', outcome: {kind: 'failed', failure: opened.failure}};
  const input = await prepared.input;
  if (interruptions.isLeaving) return {kind: 'left'};
  if (!input.ok) return {kind: 'wrong_usage', problem: input.failure};
  // Without another prompt it is what is meant.
  const isTyped = options.prompt.trim() !== '';
  const [text, rest] = isTyped ? [options.prompt, input.value] : [input.value.trimEnd(), ''];
  const expanded = await expand(text);
  if (interruptions.isLeaving) return {kind: 'left'};
  if (!expanded.ok) return {kind: 'turn', outcome: {kind: 'failed', failure: expanded.failure}};
  const attachments = await attachmentsFor(conversation, options);
  if (interruptions.isLeaving) return {kind: 'left'};
  if (!attachments.ok) return {kind: 'wrong_usage', problem: attachments.failure};
  // The agent may have exited meanwhile.
  const {connection} = conversation.state();
  if (connection.kind === 'lost')
    return {kind: 'turn', outcome: {kind: 'failed', failure: connection.failure}};
  const typed = expanded.value ?? [{type: 'text' as const, text}];
  const capabilities = conversation.state().agent?.capabilities.promptCapabilities;
  const content = contentOf(typed, {input: rest, attachments: attachments.value}, capabilities);
  return runThroughLimits(run, content);
}

/** Sends the prompt, and again after each limit that it fails at, if these are waited for. */
async function runThroughLimits(
  {conversation, options, io, interruptions}: RunContext,
  content: readonly acp.ContentBlock[],
): Promise<ConversationEnding> {
  for (let isSentAgain = false, deniedBefore = 0; ; isSentAgain = true) {
    const outcome = await runTurn(conversation, content);
    const ended = {kind: 'turn' as const, outcome, deniedBefore};
    const {queue, lastTurn} = conversation.state();
    const {limit} = queue;
    const isAwaited = options.waitForLimits && waitsUnasked(lastTurn, isSentAgain);
    if (!isAwaited || !limit || outcome.kind !== 'failed') return ended;
    io.stderr.write(`acp-tui: ${failureSentence(outcome.failure)} ${limitWait(limit)}.\n`);
    const lost = await limitOver({conversation, interruptions}, limit);
    if (interruptions.isLeaving) return {kind: 'left'};
    deniedBefore = conversation.denied().length;
    if (lost) return {...ended, outcome: lost, deniedBefore};
  }
}

function runTurn(
  conversation: PrintConversation,
  content: readonly acp.ContentBlock[],
): Promise<TurnOutcome> {
  const ended = turnEnd(conversation);
  conversation.prompt(content);
  return ended;
}

/** Waits for the end of a limit, or until the run is to end; resolves to the failure if the agent is lost before. */
function limitOver(
  {conversation, interruptions}: Pick<RunContext, 'conversation' | 'interruptions'>,
  {until}: ProviderLimit,
): Promise<TurnOutcome | undefined> {
  const {promise, resolve} = Promise.withResolvers<TurnOutcome | undefined>();
  const stopTimer = callAt(until, () => resolve(undefined));
  const stopEvents = conversation.onEvent((_event, {connection}) => {
    if (connection.kind === 'lost') resolve({kind: 'failed', failure: connection.failure});
  });
  void interruptions.leave.then(() => resolve(undefined));
  return promise.finally(() => {
    stopTimer();
    stopEvents();
  });
}

/** Waits for subagents that continue after the turn, and adds why their agent ended, if it did. */
async function subagentsEnded(
  {conversation, io}: RunContext,
  ended: ConversationEnding,
): Promise<ConversationEnding> {
  if (ended.kind !== 'turn' || ended.outcome.kind !== 'stopped' || ended.outcome.stopReason !== 'end_turn')
    return ended;
  await subagentsRest(conversation, io);
  const {connection} = conversation.state();
  return connection.kind === 'lost' ? {...ended, lost: connection.failure} : ended;
}

/** Maximum silence of subagents after the turn, in milliseconds. */
const SILENCE_MS = 30_000;

/** Waits for subagents after the turn, as long as they are active. */
function subagentsRest(conversation: PrintConversation, io: PrintIo): Promise<void> {
  const {promise, resolve} = Promise.withResolvers<void>();
  const working = () => workingSubagents(conversation.state()).length;
  if (working() === 0) return Promise.resolve();
  const giveUp = () => {
    const those = working() === 1 ? 'A subagent' : `${working()} subagents`;
    io.stderr.write(`acp-tui: warning: ${those} had not finished when the turn was over.\n`);
    resolve();
  };
  let silence = setTimeout(giveUp, SILENCE_MS);
  const stop = conversation.onEvent(() => {
    clearTimeout(silence);
    if (working() === 0) resolve();
    else silence = setTimeout(giveUp, SILENCE_MS);
  });
  return promise.finally(() => {
    clearTimeout(silence);
    stop();
  });
}

/** Resolves when the turn has ended in the state: by the agent's response, or because the agent exited. */
function turnEnd(conversation: PrintConversation): Promise<TurnOutcome> {
  const {promise, resolve} = Promise.withResolvers<TurnOutcome>();
  const stop = conversation.onEvent((_event, {turn, lastTurn}) => {
    if (turn.kind !== 'idle' || !lastTurn) return;
    stop();
    resolve(lastTurn.outcome);
  });
  return promise;
}

type Prepared =
  | {readonly kind: 'prompt'; readonly input: Promise<Result<string>>}
  | {readonly kind: 'wrong'; readonly problem: Failure | string};

/** Reads standard input, and tries to read the files, before anything is started; an input that may stay empty is awaited when the agent has started. */
async function preparePrompt(options: PrintOptions, io: PrintIo): Promise<Prepared> {
  const attachments = await readAttachments(options.files, process.cwd());
  if (!attachments.ok) return {kind: 'wrong', problem: attachments.failure};
  const prepared = (input: Promise<Result<string>>): Prepared => ({kind: 'prompt', input});
  if (!options.readStdin) {
    const offered = io.offeredStdin((text) => io.stderr.write(`acp-tui: warning: ${text}\n`));
    if (!offered.isMeant) return prepared(offered.text);
    const input = await offered.text;
    return input.ok ? prepared(offered.text) : {kind: 'wrong', problem: input.failure};
  }
  const input = await io.readStdin();
  if (!input.ok) return {kind: 'wrong', problem: input.failure};
  if (withInput(options.prompt, input.value) === undefined && attachments.value.length === 0) {
    return {
      kind: 'wrong',
      problem: 'Missing prompt: standard input is empty. Pipe text into it, or pass a prompt as an argument.',
    };
  }
  return prepared(Promise.resolve(input));
}

/** Reads the files of the prompt, once it is known what the sandbox of the agent hides. */
async function attachmentsFor(
  conversation: PrintConversation,
  {files}: PrintOptions,
): Promise<Result<readonly ReadAttachment[]>> {
  if (files.length === 0) return {ok: true, value: []};
  const {cwd, additionalDirectories} = conversation.state();
  const bases = [cwd, ...additionalDirectories];
  return readAttachments(files, process.cwd(), {bases, isReadable: await conversation.readable()});
}

interface SentWith {
  /** Standard input. */
  readonly input: string;
  readonly attachments: readonly ReadAttachment[];
}

/** Returns the prompt as content blocks that the agent supports: the text, standard input after a blank line, then the files. */
function contentOf(
  [first, ...more]: readonly acp.ContentBlock[],
  {input, attachments}: SentWith,
  capabilities: acp.PromptCapabilities | undefined,
): acp.ContentBlock[] {
  const typed = first?.type === 'text' ? first.text : '';
  const text = withInput(typed, input);
  const files = attachments.map((attachment) => contentBlockOf(attachment, capabilities));
  return [...(text === undefined ? [] : [{type: 'text' as const, text}]), ...more, ...files];
}
