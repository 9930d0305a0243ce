import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionAnswer} from '../../session/actions.ts';
import type {OutdatedFile} from '../../session/state.ts';
import type {PermissionPrompt, CallOfSession, DeniedRequest, PermissionListener} from '../services.ts';
import {mergeToolCall, type RequestedToolCall} from './tool-call-facts.ts';
import type {PermissionDecision} from '../../session/entries.ts';
import type {Interrupts} from '../interrupts.ts';
import {whenAborted} from '../interrupts.ts';

/** The result of a permission request: the chosen option, if any, and how it was chosen. */
export interface PermissionResult {
  readonly option: acp.PermissionOption | undefined;
  readonly decision: PermissionDecision;
  /** The key that the user pressed. */
  readonly key?: string | undefined;
  /** The user wants the same allowed from now on, by the rule that was offered. */
  readonly asRule?: boolean;
}

interface AskOptions extends Interrupts {
  /** Why the user is asked, e.g. `--approve reads`. */
  readonly by: string;
  /** What is recorded if there is no user. */
  readonly denied: DeniedRequest;
  /** Given what can be done with the request while it waits. */
  readonly onAsked?: (waiting: WaitingRequest) => void;
  /** Looks at the files again that a request changes, before a yes counts; undefined when there are none. */
  readonly recheck?: () => Promise<readonly OutdatedFile[] | 'as shown'> | undefined;
  /** Told at the very moment in which it is answered, or over. */
  readonly onSettled?: () => void;
}

/** A request that waits for its answer. */
export interface WaitingRequest {
  /** The rule that it offers from now on, and the files that its diffs are not about. */
  offer(rule: string | undefined, outdated?: readonly OutdatedFile[]): void;
  /** Refuses it, for a reason that has only come up now. */
  refuse(by: string): void;
}

/** Permission requests that wait for an answer. */
export interface PendingPermissions {
  ask(asked: PermissionPrompt, options: AskOptions): Promise<PermissionResult>;
  /** Answers a request without asking; those who listen hear of both at once. */
  choose(asked: PermissionPrompt, option: acp.PermissionOption, by: string): PermissionResult;
  /** Refuses without asking. Reported like other decisions, and listed in `denied` if there is no user. */
  refuse(asked: PermissionPrompt, how: Pick<AskOptions, 'by' | 'denied'>): PermissionResult;
  /** The option by its place in the request as it came; nothing when the id does not wait or has no such option. */
  answer(id: string, answer: PermissionAnswer): void;
  /** Requests refused because there is no user. */
  denied(): readonly DeniedRequest[];
}

export function createPendingPermissions(options: {
  readonly person: boolean;
  readonly listener: PermissionListener;
}): PendingPermissions {
  const {person, listener} = options;
  const waiting = new Map<string, (answer: PermissionAnswer) => void>();
  const denied: DeniedRequest[] = [];

  function open(asked: PermissionPrompt) {
    const id = randomUUID();
    listener.requested(id, asked);
    const close = (settled: PermissionResult) => {
      waiting.delete(id);
      listener.resolved(id, callOf(asked), settled.decision);
      return settled;
    };
    return {id, close};
  }

  const refuse: PendingPermissions['refuse'] = (asked, {by, denied: request}) => {
    if (!person) denied.push(request);
    return open(asked).close(refusal(asked, by));
  };

  return {
    ask: async (asked, how) =>
      person || how.withdrawn.aborted || how.cancelled.aborted
        ? waitForAnswer({...open(asked), listener, waiting}, asked, how)
        : refuse(asked, how),
    refuse,
    choose: (asked, option, by) => open(asked).close(chosen(option, by)),
    answer: (id, answer) => waiting.get(id)?.(answer),
    denied: () => denied,
  };
}

/** A pending request that was reported to the listener. */
interface Waiting {
  readonly id: string;
  readonly listener: PermissionListener;
  readonly waiting: Map<string, (answer: PermissionAnswer) => void>;
  readonly close: (settled: PermissionResult) => PermissionResult;
}

function waitForAnswer(
  {id, listener, waiting, close}: Waiting,
  asked: PermissionPrompt,
  how: AskOptions,
): Promise<PermissionResult> {
  const {withdrawn, cancelled, onAsked, onSettled} = how;
  let {rule} = asked;
  const {promise, resolve} = Promise.withResolvers<PermissionResult>();
  const over = new AbortController();
  // Closed synchronously, so that a second key finds nothing to answer any more.
  const settle = (settled: PermissionResult) => {
    if (over.signal.aborted) return;
    over.abort();
    onSettled?.();
    resolve(close(settled));
  };
  waiting.set(id, (answer) => {
    if (answer.kind === 'cancelled') return settle(without('cancelled', 'user'));
    const asRule = answer.kind === 'rule';
    if (asRule && rule === undefined) return undefined;
    const option = asRule ? allowOnceOption(asked.request) : asked.request.options[answer.index];
    if (option) settleChecked({...chosen(option, 'user'), key: answer.key, asRule});
  });
  const settleChecked = checkedFirst(how.recheck, {
    settle,
    reportOutdated: (files) => over.signal.aborted || listener.outdated(id, files),
  });
  const offer: WaitingRequest['offer'] = (offered, outdated = []) => {
    rule = offered;
    if (over.signal.aborted) return;
    if (outdated.length > 0) listener.outdated(id, outdated);
    if (offered !== undefined) listener.ruleOffered(id, offered);
  };
  onAsked?.({offer, refuse: (by) => settle(refusal(asked, by))});
  whenAborted(withdrawn, over.signal, () => settle(without('withdrawn', 'agent')));
  whenAborted(cancelled, over.signal, () => settle(without('cancelled', 'user')));
  return promise;
}

/** Settles a yes once the files that it changes were found to be as they were shown; all else at once. */
function checkedFirst(
  recheck: AskOptions['recheck'],
  {
    settle,
    reportOutdated,
  }: {
    readonly settle: (settled: PermissionResult) => void;
    readonly reportOutdated: (files: readonly OutdatedFile[]) => unknown;
  },
): (settled: PermissionResult) => void {
  let isChecking = false;
  return (settled) => {
    const checked = settled.decision.outcome === 'allowed' ? recheck?.() : undefined;
    if (checked === undefined) return settle(settled);
    if (isChecking) return;
    isChecking = true;
    // What could not be looked at counts as changed: the yes is to be given again.
    void checked
      .catch(() => [])
      .then((found) => {
        isChecking = false;
        if (found === 'as shown') settle(settled);
        else reportOutdated(found);
      });
  };
}

function callOf({request: {sessionId, toolCall}}: PermissionPrompt): CallOfSession {
  return {sessionId, toolCallId: toolCall.toolCallId};
}

/** The option that automatic approval takes: never an "always". */
export function allowOnceOption({options}: acp.RequestPermissionRequest): acp.PermissionOption | undefined {
  return options.find(({kind}) => kind === 'allow_once');
}

function refusal({request}: PermissionPrompt, by: string): PermissionResult {
  const reject = request.options.find(({kind}) => kind === 'reject_once');
  return reject ? chosen(reject, by) : without('rejected', by);
}

function chosen(option: acp.PermissionOption, by: string): PermissionResult {
  const outcome = option.kind.startsWith('allow') ? 'allowed' : 'rejected';
  return {option, decision: {outcome, option: option.name, by}};
}

function without(outcome: PermissionDecision['outcome'], by: string): PermissionResult {
  return {option: undefined, decision: {outcome, option: undefined, by}};
}

/** A permission request from when it comes to when it is answered. */
export interface OpenRequest {
  /** What it asks for by now: another value whenever the agent has changed it. */
  readonly call: RequestedToolCall;
  /** Called after each change. */
  onChange: () => void;
}

/** The requests whose tool calls an agent may still change. */
export interface OpenRequests {
  add(of: CallOfSession, call: RequestedToolCall): OpenRequest;
  /** Nothing changes it any more. */
  remove(request: OpenRequest): void;
  /** An update of a tool call changes all its pending requests. */
  toolCallUpdated(sessionId: acp.SessionId, update: acp.ToolCallUpdate): void;
}

export function createOpenRequests(): OpenRequests {
  const openRequests = new Map<OpenRequest, CallOfSession & {call: RequestedToolCall}>();
  return {
    add({sessionId, toolCallId}, call) {
      const state = {sessionId, toolCallId, call};
      const request: OpenRequest = {
        get call() {
          return state.call;
        },
        onChange: () => undefined,
      };
      openRequests.set(request, state);
      return request;
    },
    remove: (request) => void openRequests.delete(request),
    toolCallUpdated(sessionId, update) {
      for (const [request, state] of openRequests) {
        if (state.sessionId !== sessionId || state.toolCallId !== update.toolCallId) continue;
        const call = mergeToolCall(update, state.call);
        if (JSON.stringify(call) === JSON.stringify(state.call)) continue;
        state.call = call;
        request.onChange();
      }
    },
  };
}
