import {setImmediate} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {callsAnyCommand, customCall, type CustomCall} from '../../session/content/custom-command.ts';
import {attachmentBlocks} from '../../session/queue/attachments.ts';
import type {QueueChange, SendingChange} from '../../session/queue/queue-changes.ts';
import {nextToSend} from '../../session/queue/next-to-send.ts';
import type {QueuedPrompt} from '../../session/queue/queued-prompt.ts';
import type {SessionState} from '../../session/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, errorStack, fail, internalError, type Result} from '../../shared/failure.ts';
import {readableOf} from '../connection/open-sandbox.ts';
import {warn, type ConversationContext} from '../context.ts';
import {unusableCall} from './command-library.ts';
import {expandCall, fillBlocks, type ExpandedPrompt} from './custom-commands.ts';
import {cancelTurn, runTurn, steer} from './turns.ts';

/** Changes the queue; fails if the prompt is not queued any more. */
export function changeQueue({sink}: ConversationContext, change: QueueChange): Result<void> {
  const before = sink.state().queue;
  emitChange(sink, change);
  if (!('id' in change) || sink.state().queue !== before) return DONE;
  const why = 'it is not in the queue any more';
  return fail({kind: 'not_offered', what: 'this prompt', why});
}

/** Puts the prompt that was taken last, and that the agent did not get, back at the front of the queue, which is paused. Returns the function that sends it after all. */
export function returnPrompt({sink}: ConversationContext): () => void {
  emitChange(sink, {kind: 'returned'});
  const id = sink.state().queue.prompts[0]?.id;
  return () => id !== undefined && emitChange(sink, {kind: 'send_returned', id});
}

/** Returns the function that sends what is queued, as soon as possible; call it after every event. */
export function createQueueSender(contextOf: () => ConversationContext): () => void {
  let isScheduled = false;
  function send(): void {
    isScheduled = false;
    sendNext(contextOf());
  }
  return () => {
    if (isScheduled || contextOf().sink.state().queue.prompts.length === 0) return;
    isScheduled = true;
    queueMicrotask(send);
  };
}

function sendNext(context: ConversationContext): void {
  const {sink} = context;
  const next = nextToSend(sink.state());
  if (next?.kind === 'cancel') return cancelTurn(context);
  if (!next) return;
  const {prompt} = next;
  emitChange(sink, {kind: next.kind === 'steer' ? 'steering' : 'taken', id: prompt.id});
  const {id} = prompt;
  if (next.kind === 'steer')
    steerQueued(context, prompt).catch((error: unknown) =>
      failed(context, error, {kind: 'steered', id, outcome: 'refused'}),
    );
  // A session that was closed meanwhile does not change any more.
  else if (sink.state().queue.isSending)
    sendQueued(context, prompt).catch((error: unknown) => failed(context, error, {kind: 'not_sent'}));
}

function failed({sink}: ConversationContext, error: unknown, change: SendingChange): void {
  sink.log('error', `sending a prompt failed: ${errorStack(error)}`);
  sink.emit({type: 'notice', level: 'error', text: internalError(error), at: Date.now()});
  emitChange(sink, change);
}

function emitChange(sink: ConversationContext['sink'], change: QueueChange | SendingChange): void {
  sink.emit({type: 'queue_changed', change, at: Date.now()});
}

/** Sends a prompt with its files, which are read now. If one cannot be read, nothing is sent: it stays at the front of the queue, with a notice. */
async function sendQueued(context: ConversationContext, prompt: QueuedPrompt): Promise<void> {
  const {sink} = context;
  const how = prompt.repeats ? {repeats: true} : {};
  if (!needsWork(prompt, sink.state()))
    return runTurn(context, withOutputs(prompt, prompt.content, sink.state()), how);
  const prepared = await prepare(context, prompt);
  // If the agent has gone meanwhile, the prompt is back in the queue already, or was removed from it, and another one may be sent now.
  const {isSending, lastPrompt} = sink.state().queue;
  if (!isSending || lastPrompt?.id !== prompt.id) return;
  if (!prepared.ok) {
    const reason = failureSentence(prepared.failure);
    warn(context, `The prompt was not sent. ${reason} It is back in the queue.`);
    return emitChange(sink, {kind: 'not_sent'});
  }
  const {content, remarks} = prepared.value;
  const turn = runTurn(context, withOutputs(prompt, content, sink.state()), how);
  for (const remark of remarks) warn(context, remark);
  return turn;
}

/** Adds a prompt to the running turn. If the agent does not accept it, it stays in the queue. */
async function steerQueued(context: ConversationContext, prompt: QueuedPrompt): Promise<void> {
  const {sink} = context;
  // The answer that it explains, if it is the note of a rejection, goes first: it may end the turn.
  await setImmediate();
  const prepared: Result<Prepared> = needsWork(prompt, sink.state())
    ? await prepare(context, prompt)
    : {ok: true, value: {content: prompt.content, remarks: []}};
  const result = prepared.ok
    ? await steer(context, withOutputs(prompt, prepared.value.content, sink.state()))
    : prepared;
  const outcome = result.ok ? result.value : 'refused';
  const why = result.ok ? {} : {why: failureSentence(result.failure)};
  emitChange(sink, {kind: 'steered', id: prompt.id, outcome, ...why});
}

/** Appended last, and not searched for file names. */
function withOutputs(
  {outputs = []}: QueuedPrompt,
  content: readonly acp.ContentBlock[],
  session: SessionState,
): readonly acp.ContentBlock[] {
  return [...content, ...attachmentBlocks(outputs, session)];
}

/** True if files have to be read, or commands run, before it is sent. */
function needsWork(prompt: QueuedPrompt, session: SessionState): boolean {
  const {content, files = []} = prompt;
  return (
    files.length > 0 ||
    callOf(prompt, session) !== undefined ||
    content.some((block) => block.type === 'text' && block.text.includes('@'))
  );
}

/** Returns the call of a custom command, or of something that no one knows. */
function callOf(
  {content: [first], isAgents}: QueuedPrompt,
  {customCommands, commands}: SessionState,
): CustomCall | string | undefined {
  if (first?.type !== 'text' || isAgents || !first.text.startsWith('/')) return undefined;
  const {text} = first;
  return customCall(text, customCommands) ?? (callsAnyCommand(text, commands) ? undefined : text);
}

/** Returns the prompt of a custom command; fails if that of its file cannot be used, since an agent would get the call as text. */
async function expanded(
  context: ConversationContext,
  prompt: QueuedPrompt,
): Promise<Result<ExpandedPrompt | undefined>> {
  const session = context.sink.state();
  const call = callOf(prompt, session);
  if (typeof call === 'object') return expandCall(context, call);
  const listed = call === undefined ? undefined : await context.options.customCommands?.list(session.cwd);
  const failure = call !== undefined && listed && unusableCall(call, listed);
  return failure ? fail(failure) : {ok: true, value: undefined};
}

interface Prepared {
  readonly content: readonly acp.ContentBlock[];
  /** Remarks for the user. */
  readonly remarks: readonly string[];
}

async function prepare(context: ConversationContext, prompt: QueuedPrompt): Promise<Result<Prepared>> {
  const {promptContent} = await import('../../attachments/prompt-content.ts');
  const call = await expanded(context, prompt);
  if (!call.ok) return call;
  const content = call.value
    ? [{type: 'text' as const, text: call.value.text}, ...prompt.content.slice(1)]
    : prompt.content;
  const {cwd, additionalDirectories, agent} = context.sink.state();
  const prepared = await promptContent(
    {content, files: prompt.files ?? []},
    {
      cwd,
      additionalDirectories,
      capabilities: agent?.capabilities.promptCapabilities,
      isReadable: await readableOf(context),
    },
  );
  if (!prepared.ok || !call.value) return prepared;
  const {value} = prepared;
  return {ok: true, value: {...value, content: fillBlocks(value.content, call.value)}};
}
