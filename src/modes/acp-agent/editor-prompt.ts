import {isDeepStrictEqual} from 'node:util';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {CommandLibrary} from '../../conversation/prompt/command-library.ts';
import {typedCall} from '../start/typed-call.ts';
import type {SessionActions} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {connectionFailure} from '../../session/lifecycle/connection.ts';
import type {NewPrompt} from '../../session/queue/queued-prompt.ts';
import type {SessionState} from '../../session/state.ts';
import type {TurnOutcome} from '../../session/entries.ts';
import type {Failure} from '../../shared/failure.ts';

export interface PromptedSession {
  readonly state: () => SessionState;
  readonly actions: Pick<SessionActions, 'cancel' | 'changeQueue'>;
  /** Returns the error that reports a failure. */
  readonly errorOf: (failure: Failure) => RequestError;
  /** Returns the custom commands for a folder. */
  readonly commands: CommandLibrary['list'];
}

type Outcome = acp.PromptResponse | RequestError;

/** A prompt of the editor, from the queue to the end of its turn. */
interface EditorPrompt {
  readonly report: (outcome: Outcome) => void;
  /** Undefined until it is submitted. */
  content?: readonly acp.ContentBlock[];
  /** Its id in the queue; undefined until it is there. */
  id?: string;
  /** The turn that it started, or joined. */
  turn?: number;
  isCancelled?: boolean;
}

type Preparation = () => Promise<readonly acp.ContentBlock[]>;

const CANCELLED: acp.PromptResponse = {stopReason: 'cancelled'};

/** Sends the editor's prompts through the session's queue, and reports how their turns end ("Prompt Turn"). */
export function editorPrompts(session: PromptedSession) {
  const {state, actions, errorOf} = session;
  let own: EditorPrompt | undefined;

  function settle({id, report, isCancelled}: EditorPrompt, outcome: Outcome): void {
    own = undefined;
    // Otherwise it would be sent later, when nobody waits for it.
    const isLeft = isCancelled || outcome instanceof Error;
    if (id !== undefined && isLeft) void actions.changeQueue({kind: 'remove', id});
    report(isCancelled ? CANCELLED : outcome);
  }

  function cancel(): void {
    const {id, turn, content} = own ?? {};
    const isQueued = id !== undefined && state().queue.prompts.some((prompt) => prompt.id === id);
    if (own && !content) return settle(own, CANCELLED);
    if (isQueued) return void actions.changeQueue({kind: 'remove', id});
    if (own && turn === undefined) own.isCancelled = true;
    // Before its turn, this stops what the prompt waits for.
    if (!own || id !== undefined) actions.cancel();
  }

  async function submit(prompt: EditorPrompt, prepare: Preparation): Promise<void> {
    const meant = await meantPrompt(await prepare(), session);
    if (own !== prompt) return;
    prompt.content = meant.content;
    const text = meant.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const submitted = {text, ...meant, isSentOnce: true, ...restoredOutputs(state())};
    const queued = await actions.changeQueue({kind: 'submit', prompt: submitted, place: 'last'});
    if (!queued.ok) throw errorOf(queued.failure);
  }

  return {
    /** Resolves to the response when its turn has ended. Rejects with the failure. `prepare` returns the prompt once the session takes it. */
    send(prepare: Preparation): Promise<acp.PromptResponse> {
      const {promise, resolve, reject} = Promise.withResolvers<acp.PromptResponse>();
      const report = (outcome: Outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      const prompt: EditorPrompt = {report};
      own = prompt;
      submit(prompt, prepare).catch((error: unknown) => {
        if (own === prompt) own = undefined;
        reject(error);
      });
      return promise;
    },
    /** Cancels the editor's prompt if it waits for another turn, or else the running turn. */
    cancel,
    /** True for the turn of a prompt of the editor's own, and while one is added to another turn. */
    isOwn: (turn: number) => own?.turn === turn,
    isSteering: () => isSteered(state(), own?.id),
    isRunning: () => own !== undefined,
    /** True while it may still become a turn. */
    isOnItsWay: () => own !== undefined && own.turn === undefined,
    /** Waits no longer for the end of its turn. */
    leave: () => own && settle(own, CANCELLED),
    /** Follows an event that has led from `before` to the present state. */
    follow(event: SessionEvent, before: SessionState): void {
      if (!own) return;
      const wasQueued = own.id !== undefined;
      const ended = followQueue(own, event, {before, now: state()});
      if (ended) settle(own, ended);
      else if (event.type === 'prompt_ended' && event.turn === own.turn)
        settle(own, responseOf(event, errorOf));
      else if (own.content && isUnavailable(state()))
        settle(own, errorOf(connectionFailure(state().connection)!));
      else if (own.isCancelled && (own.turn !== undefined || !wasQueued)) {
        own.isCancelled = false;
        cancel();
      }
    },
  };
}

function isSteered({queue}: SessionState, id: string | undefined): boolean {
  return queue.prompts.some((prompt) => prompt.id === id && prompt.steering === true);
}

/** What the user has restored in a window. */
function restoredOutputs({queue}: SessionState): Pick<NewPrompt, 'outputs'> {
  const outputs = queue.outputs.filter((output) => 'sentences' in output);
  return outputs.length > 0 ? {outputs} : {};
}

/** Returns a prompt as it is sent: what it calls is in its first block. Rejects if that is a command file that cannot be used. */
async function meantPrompt(
  content: readonly acp.ContentBlock[],
  {state, commands, errorOf}: PromptedSession,
): Promise<Pick<NewPrompt, 'content' | 'isAgents'>> {
  const [first, ...more] = content;
  if (first?.type !== 'text' || !first.text.startsWith('/')) return {content};
  const {commands: agents, cwd} = state();
  const meant = typedCall(first.text, {...(await commands(cwd)), agents});
  if (!meant.ok) throw errorOf(meant.failure);
  const {text, isAgents} = meant.value;
  return {content: [{...first, text}, ...more], isAgents};
}

function responseOf(
  {outcome, usage}: {outcome: TurnOutcome; usage?: acp.Usage | null},
  errorOf: PromptedSession['errorOf'],
) {
  if (outcome.kind === 'failed') return errorOf(outcome.failure);
  return {stopReason: outcome.stopReason, ...(usage && {usage})};
}

/** Notes where the editor's prompt is in the queue. Returns how it has ended, if it was not sent. */
function followQueue(
  prompt: EditorPrompt,
  event: SessionEvent,
  {before, now}: {readonly before: SessionState; readonly now: SessionState},
): Outcome | undefined {
  const {queue, turn} = now;
  const change = event.type === 'queue_changed' ? event.change : undefined;
  if (prompt.id === undefined) {
    if (change?.kind !== 'submit' || !isDeepStrictEqual(change.prompt.content, prompt.content))
      return undefined;
    const known = new Set(before.queue.prompts.map(({id}) => id));
    const added = queue.prompts.find(({id}) => !known.has(id));
    if (added) prompt.id = added.id;
    return undefined;
  }
  if (prompt.turn !== undefined) return undefined;
  const isTaken = queue.lastPrompt?.id === prompt.id;
  if (event.type === 'prompt_started' && isTaken) {
    prompt.turn = event.turn;
    return undefined;
  }
  if (change?.kind === 'steered' && change.id === prompt.id && change.outcome !== 'refused') {
    if (turn.kind === 'idle') return {stopReason: 'end_turn'};
    prompt.turn = turn.turn;
    return undefined;
  }
  if (change?.kind === 'not_sent' && isTaken)
    return RequestError.internalError(undefined, lastNotice(now) ?? 'the prompt was not sent');
  const isThere = queue.prompts.some(({id}) => id === prompt.id) || (isTaken && queue.isSending);
  // Somebody has taken it back in a window.
  return isThere ? undefined : CANCELLED;
}

function lastNotice({entries}: SessionState): string | undefined {
  const entry = entries.at(-1);
  return entry?.type === 'notice' ? entry.text : undefined;
}

/** True if the session takes no prompts until its agent runs again. */
export function isUnavailable({connection}: SessionState): boolean {
  return ['lost', 'failed', 'closed', 'no_session'].includes(connection.kind);
}
