import {isDeepStrictEqual} from 'node:util';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {SessionActions} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {connectionFailure} from '../../session/lifecycle/connection.ts';
import type {SessionState} from '../../session/state.ts';
import type {TurnOutcome} from '../../session/entries.ts';
import type {Failure} from '../../shared/failure.ts';

export interface PromptedSession {
  readonly state: () => SessionState;
  readonly actions: SessionActions;
  /** Returns the error that reports a failure. */
  readonly errorOf: (failure: Failure) => RequestError;
  /** Returns why a text must not be sent that calls a command file, if it must not. */
  readonly unusableCall: (text: string, cwd: string) => Promise<Failure | undefined>;
}

/** A prompt of the editor, from the queue to the end of its turn. */
interface EditorPrompt {
  readonly content: readonly acp.ContentBlock[];
  readonly settle: (outcome: acp.PromptResponse | RequestError) => void;
  /** Its id in the queue; undefined until it is there. */
  id?: string;
  /** The turn that it started, or joined. */
  turn?: number;
  isCancelled?: boolean;
}

/** Sends the editor's prompts through the session's queue, and reports how their turns end ("Prompt Turn"). */
export function editorPrompts({state, actions, errorOf, unusableCall}: PromptedSession) {
  let own: EditorPrompt | undefined;

  function settle({id, settle: report}: EditorPrompt, outcome: acp.PromptResponse | RequestError): void {
    own = undefined;
    // A prompt that failed must not be sent later, when nobody waits for it.
    if (id !== undefined && outcome instanceof Error) void actions.changeQueue({kind: 'remove', id});
    report(outcome);
  }

  function cancel(): void {
    const {id, turn} = own ?? {};
    const isQueued = id !== undefined && state().queue.prompts.some((prompt) => prompt.id === id);
    if (isQueued) void actions.changeQueue({kind: 'remove', id});
    else if (own && turn === undefined) own.isCancelled = true;
    else actions.cancel();
  }

  /** The agent's own commands may have the name of such a file. */
  async function refusalOf(text: string): Promise<Failure | undefined> {
    const {commands, cwd} = state();
    const isAgents = commands.some(({name}) => `/${name}` === text.split(/\s/, 1)[0]);
    return text.startsWith('/') && !isAgents ? unusableCall(text, cwd) : undefined;
  }

  function responseOf({outcome, usage}: {outcome: TurnOutcome; usage?: acp.Usage | null}) {
    if (outcome.kind === 'failed') return errorOf(outcome.failure);
    return {stopReason: outcome.stopReason, ...(usage && {usage})};
  }

  return {
    /** Resolves to the response when its turn has ended. Rejects with the failure. */
    async send(content: readonly acp.ContentBlock[]): Promise<acp.PromptResponse> {
      const {promise, resolve, reject} = Promise.withResolvers<acp.PromptResponse>();
      const prompt: EditorPrompt = {
        content,
        settle: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
      };
      own = prompt;
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      const refused = await refusalOf(text);
      if (refused) settle(prompt, errorOf(refused));
      if (own !== prompt) return promise;
      // What the user has restored in a window.
      const outputs = state().queue.outputs.filter((output) => 'sentences' in output);
      const submitted = {text, content, isSentOnce: true, ...(outputs.length > 0 && {outputs})};
      const queued = await actions.changeQueue({kind: 'submit', prompt: submitted, place: 'last'});
      if (!queued.ok && own === prompt) settle(prompt, errorOf(queued.failure));
      return promise;
    },
    /** Cancels the editor's prompt if it waits for another turn, or else the running turn. */
    cancel,
    /** True for the turn of a prompt of the editor's own. */
    isOwn: (turn: number) => own?.turn === turn,
    isRunning: () => own !== undefined,
    /** Waits no longer for the end of its turn. */
    leave: () => own && settle(own, {stopReason: 'cancelled'}),
    /** Follows an event that has led from `before` to the present state. */
    follow(event: SessionEvent, before: SessionState): void {
      if (!own) return;
      const wasQueued = own.id !== undefined;
      const ended = followQueue(own, event, {before, now: state()});
      if (ended) settle(own, ended);
      else if (event.type === 'prompt_ended' && event.turn === own.turn) settle(own, responseOf(event));
      else if (isUnavailable(state())) settle(own, errorOf(connectionFailure(state().connection)!));
      else if (own.isCancelled && (own.turn !== undefined || !wasQueued)) {
        own.isCancelled = false;
        cancel();
      }
    },
  };
}

/** Notes where the editor's prompt is in the queue. Returns how it has ended, if it was not sent. */
function followQueue(
  prompt: EditorPrompt,
  event: SessionEvent,
  {before, now}: {readonly before: SessionState; readonly now: SessionState},
): acp.PromptResponse | RequestError | undefined {
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
  return isThere ? undefined : {stopReason: 'cancelled'};
}

function lastNotice({entries}: SessionState): string | undefined {
  const entry = entries.at(-1);
  return entry?.type === 'notice' ? entry.text : undefined;
}

/** True if the session takes no prompts until its agent runs again. */
export function isUnavailable({connection}: SessionState): boolean {
  return ['lost', 'failed', 'closed', 'no_session'].includes(connection.kind);
}
