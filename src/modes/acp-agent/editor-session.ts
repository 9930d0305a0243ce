import type * as acp from '@agentclientprotocol/sdk/unstable';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {ServiceClient} from '../../service/service-client.ts';
import type {SessionActions} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {createGrowingContent} from '../../session/transcript/growing-content.ts';
import {reduce} from '../../session/reduce.ts';
import {connectionFailure} from '../../session/lifecycle/connection.ts';
import {startWarnings} from '../../session/settings/unattended.ts';
import type {SessionState} from '../../session/state.ts';
import {sessionTitle} from '../../session/titles.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {settledWithin} from '../../shared/timers/settled-within.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import {editorPrompts, isUnavailable, type PromptedSession} from './editor-prompt.ts';
import {activityUpdate, lateUpdates, stateUpdates, commandUpdate, updatesOf} from './event-updates.ts';
import {forwardRequests} from './forwarded-requests.ts';
import {supportedContent} from './prompt-blocks.ts';
import {settingsOf, type AgentChoice, type EditorSettings} from './session-settings.ts';
import {
  noticeUpdate,
  remarkUpdates,
  supportedUpdates,
  transcriptUpdates,
  type EditorUpdate,
} from './transcript-updates.ts';
import {addAll} from '../../text/lists.ts';

/** The editor at the other end of the connection. */
export interface Editor {
  readonly client: acp.AgentContext;
  readonly capabilities: acp.ClientCapabilities;
}

interface SessionSource {
  readonly id: string;
  /** The connection to the service that only this session uses. */
  readonly service: Pick<ServiceClient, 'list'>;
  readonly attached: AttachedSession;
  /** The name of its agent, and all there are. */
  readonly agent: string;
  readonly agents: readonly AgentChoice[];
  /** How long its agent may take to open it: an editor shows neither what is waited for nor how to give up. */
  readonly startSeconds: number;
  readonly commands: PromptedSession['commands'];
  /** Stores that a session has just been seen. */
  readonly markRead: (this: void, id: string) => void;
}

/** A session that an editor has open. */
export interface EditorSession {
  readonly id: string;
  /** The id under which it is stored: another one once a window has opened another session in it. */
  readonly storedId: () => string;
  readonly state: () => SessionState;
  readonly agent: string;
  /** Resolves when it takes prompts; rejects with why it does not. */
  ready(): Promise<void>;
  /** Sends what happens from now on, after the transcript from an entry on. It is held until the returned function is called. Returns how much there is of the transcript, too. */
  show(from: number): {readonly release: () => void; readonly replayed: number};
  /** Tells the editor whether the session is idle, before the response with which it is opened: also while other updates are held. */
  reportActivity(): Promise<void>;
  /** From now on, the editor is told of requests that others have answered. */
  reportAnswers(): void;
  settings(): EditorSettings;
  prompt(content: readonly acp.ContentBlock[]): Promise<acp.PromptResponse>;
  /** Resolves once no prompt of the editor's is on its way to the agent. */
  cancel(): Promise<void>;
  /** Runs an action, and waits for its events; rejects with its failure. */
  act(run: (actions: SessionActions, state: SessionState) => Promise<Result<void>>): Promise<void>;
  /** Answers what the editor waits for; the session goes on. */
  letGo(): void;
  /** Leaves it running. */
  leave(): void;
}

/** How long a prompt may take to be stopped before its turn, in milliseconds. */
const CANCEL_MS = 5000;

/** Translates what happens in a session for an editor, and what the editor does to actions. */
export function editorSession(editor: Editor, source: SessionSource): EditorSession {
  const {id, service, attached, agent, startSeconds, commands, markRead} = source;
  const updates = heldUpdates(editor, id);
  const {actions, state, until, onEvent} = followed(attached, () => markRead(attached.id() ?? id));
  const growth = growingCalls(() => updates.send(lateUpdates(growth, state())));
  const errorOf = (failure: Failure) => errorFor(failure, agent);
  const prompts = editorPrompts({state, actions, errorOf, commands});
  const requests = forwardRequests({
    ...editor,
    sessionId: id,
    answer: (request, answer) => actions.answer(request, answer),
    onUnanswerable: (why) => updates.send(remark(why, id)),
  });
  const act = acting({actions, state, service, errorOf});
  const settings = () => settingsOf(state(), {...source, takesBooleans: takesBooleans(editor)});
  onEvent((event, before) => {
    prompts.follow(event, before);
    const followed = {...prompts, before, now: state(), contents: growth.contents, held: growth.held};
    updates.send([...updatesOf(event, followed), ...stateUpdates(before, state(), settings)]);
    growth.follow();
    if (updates.areLive()) requests.follow(state(), event);
  });

  return {
    id,
    storedId: () => attached.id() ?? id,
    state,
    agent,
    ready: async () => throwIfFailed(await failureToOpen({state, until}, startSeconds), errorOf),
    show(from) {
      const replay = replayUpdates(state(), editor, from);
      updates.hold();
      updates.send([...replay, ...openingUpdates(state())]);
      const release = () => {
        updates.release();
        requests.follow(state());
      };
      return {release, replayed: replay.length};
    },
    reportActivity: async () =>
      editor.client.notify('session/update', {sessionId: id, update: activityUpdate(state())}),
    reportAnswers: () => requests.reportAnswers(updates.send),
    settings,
    async prompt(content) {
      if (prompts.isRunning()) throw STILL_RUNNING;
      return prompts.send(async () => {
        if (isUnavailable(state())) await act((session) => session.restart());
        throwIfFailed(connectionFailure(state().connection), errorOf);
        return supportedContent(content, state().agent);
      });
    },
    cancel: () => stopPrompt(prompts, until),
    act,
    letGo() {
      growth.end();
      prompts.leave();
      requests.end();
    },
    leave: () => void attached.leave(),
  };
}

interface Acting extends Pick<SessionSource, 'service'>, Pick<PromptedSession, 'state' | 'errorOf'> {
  readonly actions: SessionActions;
}

function acting({actions, state, service, errorOf}: Acting): EditorSession['act'] {
  return async (run) => {
    const done = await run(actions, state());
    if (!done.ok) throw errorOf(done.failure);
    // The events of the action come before this answer.
    await service.list();
  };
}

/** Cancels, and waits until the prompt has a turn or is not sent any more. */
async function stopPrompt(
  {cancel, isOnItsWay}: ReturnType<typeof editorPrompts>,
  until: ReturnType<typeof followed>['until'],
): Promise<void> {
  cancel();
  const stopped = until(() => !isOnItsWay());
  await settledWithin(stopped, CANCEL_MS);
}

function throwIfFailed(failure: Failure | undefined, errorOf: (failure: Failure) => RequestError): void {
  if (failure) throw errorOf(failure);
}

const STILL_RUNNING = RequestError.invalidRequest(undefined, 'a prompt of this session is still running');

/** How long what was added to a call may be held back, in milliseconds. */
const LATE_MS = 1000;

/** The content of calls, of which what is held back is reported each second as long as there are events. */
function growingCalls(report: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    contents: createGrowingContent(),
    held: new Set<acp.ToolCallId>(),
    follow() {
      if (isOver || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        report();
      }, LATE_MS).unref();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Keeps the state of an attached session, and calls back after each event, and when a turn has ended. */
function followed(attached: AttachedSession, onTurnEnded: () => void) {
  let state = attached.session;
  // What happened while it was attached to is in the state that is shown first.
  let callback: (event: SessionEvent, before: SessionState) => void = () => undefined;
  const changed = new Set<() => void>();
  const actions = attached.follow((event) => {
    const before = state;
    state = reduce(before, event);
    callback(event, before);
    if (event.type === 'prompt_ended') onTurnEnded();
    for (const check of changed) check();
  });
  return {
    actions,
    state: () => state,
    onEvent: (listener: typeof callback) => (callback = listener),
    until: async (holds: (state: SessionState) => boolean): Promise<void> => {
      if (holds(state)) return;
      const {promise, resolve} = Promise.withResolvers<void>();
      const check = () => holds(state) && resolve();
      changed.add(check);
      await promise;
      changed.delete(check);
    },
  };
}

/** Waits until a session is open, and returns why it is not: `no_answer` if its agent, once it runs, takes longer. */
async function failureToOpen(
  {state, until}: Pick<ReturnType<typeof followed>, 'state' | 'until'>,
  seconds: number,
): Promise<Failure | undefined> {
  await until(({connection}) => connection.kind !== 'starting' || connection.step === 'opening_session');
  const opened = until(({connection}) => connection.kind !== 'starting').then(() => true);
  const isOpen = await settledWithin(opened, seconds * 1000);
  return isOpen ? connectionFailure(state().connection) : {kind: 'no_answer', method: 'session/new', seconds};
}

/** What an editor takes of the transcript, from an entry on. */
function replayUpdates(state: SessionState, {capabilities}: Editor, from: number): readonly EditorUpdate[] {
  return transcriptUpdates(state, from).flatMap((each) => supportedUpdates(each, capabilities));
}

/** What an editor needs to show a session besides its transcript: its title and its commands; and that the agent starts in a mode in which it asks less. */
function openingUpdates(state: SessionState): readonly EditorUpdate[] {
  const title = sessionTitle(state);
  return [
    ...startWarnings(state).map((text) => noticeUpdate({level: 'warning', text})),
    ...(title === undefined ? [] : [{sessionUpdate: 'session_info_update', title} as const]),
    commandUpdate(state),
  ];
}

/** Sends the updates of a session: none until it is shown, and while they are held, later. */
function heldUpdates({client, capabilities}: Editor, sessionId: string) {
  let held: EditorUpdate[] | undefined;
  let isLive = false;
  const isNews = newsOnly();
  function send(updates: readonly EditorUpdate[]): void {
    if (!isLive) addAll(held ?? [], updates);
    // The connection reports by itself that it has ended.
    else
      for (const update of updates.flatMap((each) => supportedUpdates(each, capabilities)).filter(isNews))
        client.notify('session/update', {sessionId, update}).catch(() => undefined);
  }
  return {
    send,
    hold: () => (held = []),
    areLive: () => isLive,
    release() {
      isLive = true;
      send(held ?? []);
      held = undefined;
    },
  };
}

/** Several events may change a setting to the same value: the user's choice, the agent's answer, and its own update. */
function newsOnly(): (update: EditorUpdate) => boolean {
  const last = new Map<string, string>();
  return (update) => {
    const {sessionUpdate: kind} = update;
    if (kind !== 'current_mode_update' && kind !== 'config_option_update') return true;
    const text = JSON.stringify(update);
    if (last.get(kind) === text) return false;
    last.set(kind, text);
    return true;
  };
}

/** A sentence of acp-tui in the editor's transcript. */
function remark(why: string, id: string): readonly acp.SessionUpdate[] {
  return remarkUpdates([why, `acp-tui attach ${id} shows it in a terminal.`]);
}

function takesBooleans({capabilities}: Editor): boolean {
  const boolean = capabilities.session?.configOptions?.boolean;
  return boolean !== undefined && boolean !== null;
}

/** Returns the error that reports a failure, of an agent if it is named. A sign-in needs a terminal. */
export function errorFor(failure: Failure, agent = 'NAME'): RequestError {
  const sentence = failureSentence(failure);
  if (failure.kind === 'unknown_value') return new RequestError(-32602, sentence);
  if (failure.kind !== 'authentication_required') return new RequestError(-32603, sentence);
  const todo = `Sign in with acp-tui --agent ${quoteWord(agent)} in a terminal, then try again.`;
  return new RequestError(-32000, `${sentence} ${todo}`);
}
