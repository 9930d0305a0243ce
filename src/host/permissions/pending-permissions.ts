import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionAnswer} from '../../session/actions.ts';
import {fail, type Result} from '../../shared/failure.ts';
import {asksForOther} from '../../session/requests/changed-request.ts';
import type {OutdatedFile} from '../../session/state.ts';
import type {
  PermissionPrompt,
  CallOfSession,
  DeniedRequest,
  KnownToolCall,
  PermissionListener,
} from '../services.ts';
import {mergeToolCall} from './tool-call-facts.ts';
import type {PermissionDecision} from '../../session/entries.ts';
import {type Interrupts, whenAborted} from '../interrupts.ts';

/** The result of a permission request: the chosen option, if any, and how it was chosen. */
export interface PermissionResult {
  readonly option: acp.PermissionOption | undefined;
  readonly decision: PermissionDecision;
  /** The key that the user pressed. */
  readonly key?: string | undefined;
  /** True if the user accepted the suggested rule. */
  readonly asRule?: boolean;
}

type EditAnswer = 'allow_once' | 'reject_once' | 'asked_again';

interface AskOptions extends Interrupts {
  /** Why the user is asked, e.g. `--approve reads`. */
  readonly by: string;
  /** What is recorded if there is no user. */
  readonly denied: DeniedRequest;
  /** Called with the handle of the pending request. */
  readonly onAsked?: (waiting: WaitingRequest) => void;
  /** Reads the files that a request changes again before a yes counts; undefined if there are none. */
  readonly recheck?: () => Promise<readonly OutdatedFile[] | 'as shown'> | undefined;
  /** Called with what the user wants to be written or run instead; absent if it cannot be changed. Resolves to the answer, or to what ends this request because the user is asked again. */
  readonly onEdited?: ((content: string) => Promise<Result<EditAnswer>>) | undefined;
  /** Called synchronously when it is answered or cancelled. */
  readonly onSettled?: () => void;
}

/** A pending request. */
export interface WaitingRequest {
  /** Updates its suggested rule, and the files that no longer match its diffs. */
  offer(rule: string | undefined, outdated?: readonly OutdatedFile[]): void;
  /** Refuses it for a reason found while it was pending. */
  refuse(by: string): void;
}

/** Permission requests that wait for an answer. */
export interface PendingPermissions {
  ask(asked: PermissionPrompt, options: AskOptions): Promise<PermissionResult>;
  /** Answers a request without asking; listeners get both events at once. */
  choose(asked: PermissionPrompt, option: acp.PermissionOption, by: string): PermissionResult;
  /** Refuses without asking. Reported like other decisions, and listed in `denied` if there is no user. */
  refuse(asked: PermissionPrompt, how: Pick<AskOptions, 'by' | 'denied'>): PermissionResult;
  /** Selects an option by its index in the original request; fails if the id is not pending or has no such option. */
  answer(id: string, answer: PermissionAnswer): Promise<Result<void>>;
  /** Requests refused because there is no user. */
  denied(): readonly DeniedRequest[];
}

export function createPendingPermissions(options: {
  readonly hasUser: boolean;
  readonly listener: PermissionListener;
}): PendingPermissions {
  const {hasUser, listener} = options;
  const waiting: Waiting['waiting'] = new Map();
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
    if (!hasUser) denied.push(request);
    return open(asked).close(refusal(asked, by));
  };

  return {
    ask: async (asked, how) =>
      hasUser || how.withdrawn.aborted || how.cancelled.aborted
        ? waitForAnswer({...open(asked), listener, waiting}, asked, how)
        : refuse(asked, how),
    refuse,
    choose: (asked, option, by) => open(asked).close(chosen(option, by)),
    answer: async (id, answer) => (await waiting.get(id)?.(answer)) ?? notTaken(),
    denied: () => denied,
  };
}

/** A pending request that was reported to the listener. */
interface Waiting {
  readonly id: string;
  readonly listener: PermissionListener;
  readonly waiting: Map<string, (answer: PermissionAnswer) => Promise<Result<void>>>;
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
  // Settled synchronously, so that a second key press finds nothing to answer.
  const settle = (settled: PermissionResult) => {
    if (over.signal.aborted) return;
    over.abort();
    onSettled?.();
    resolve(close(settled));
  };
  const edited = onlyOnce(how.onEdited);
  waiting.set(id, async (answer) => {
    if (answer.kind === 'cancelled') return taken(settle(without('cancelled', 'user')));
    const asRule = answer.kind === 'rule';
    if (edited.isRunning() || (asRule && rule === undefined)) return notTaken();
    const {key} = answer;
    if (answer.kind === 'option') {
      const option = asked.request.options[answer.index];
      return option ? settleChecked({...chosen(option, 'user'), key, asRule}) : notTaken();
    }
    if (answer.kind === 'edited') {
      const done = await edited.run(answer.content);
      if (done.ok && done.value === 'asked_again') return taken(settle(without('withdrawn', 'user')));
      const option = done.ok && asked.request.options.find(({kind}) => kind === done.value);
      return done.ok && option ? taken(settle({...chosen(option, 'user'), key})) : (done as Result<never>);
    }
    const once = allowOnceOption(asked.request);
    return once ? settleChecked({...chosen(once, 'user'), key, asRule}) : notTaken();
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

/** Settles a yes after the files it changes were found unchanged; everything else at once. */
function checkedFirst(
  recheck: AskOptions['recheck'],
  {
    settle,
    reportOutdated,
  }: {
    readonly settle: (settled: PermissionResult) => void;
    readonly reportOutdated: (files: readonly OutdatedFile[]) => unknown;
  },
): (settled: PermissionResult) => Result<void> {
  let isChecking = false;
  return (settled) => {
    const checked = settled.decision.outcome === 'allowed' ? recheck?.() : undefined;
    if (checked === undefined) return taken(settle(settled));
    if (isChecking) return notTaken();
    isChecking = true;
    // If the check fails, the files count as changed: the user has to confirm again.
    void checked
      .catch(() => [])
      .then((found) => {
        isChecking = false;
        if (found === 'as shown') settle(settled);
        else reportOutdated(found);
      });
    return taken();
  };
}

function taken(_done?: void): Result<void> {
  return {ok: true, value: undefined};
}

/** The failure of an answer to a request that waits no more: somebody else was faster. */
export function notTaken(why = 'The request was answered in another window, or withdrawn.') {
  return fail({kind: 'answer_not_taken', why});
}

/** Nothing else is answered while what the user saved is written. */
function onlyOnce(onEdited: AskOptions['onEdited']) {
  let running = false;
  return {
    isRunning: () => running,
    async run(content: string): Promise<Result<EditAnswer>> {
      if (!onEdited) return notTaken('It cannot be changed here.');
      running = true;
      return onEdited(content).finally(() => (running = false));
    },
  };
}

function callOf({request: {sessionId, toolCall}}: PermissionPrompt): CallOfSession {
  return {sessionId, toolCallId: toolCall.toolCallId};
}

/** The option for auto-approval: never an "always", and none of several, between which only the user can choose. */
export function allowOnceOption(request: acp.RequestPermissionRequest): acp.PermissionOption | undefined {
  const [only, ...others] = request.options.filter(({kind}) => kind === 'allow_once');
  return only && others.length === 0 && hasOwnId(only, request) ? only : undefined;
}

/** True if no option of another kind has the same ID, with which the agent may take it for that one. */
export function hasOwnId(
  {optionId, kind}: acp.PermissionOption,
  {options}: acp.RequestPermissionRequest,
): boolean {
  return options.every((other) => other.optionId !== optionId || other.kind === kind);
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

/** A permission request from its arrival to its answer. */
export interface OpenRequest extends CallOfSession {
  /** The tool call as it is now; replaced whenever the agent changes it. */
  call: KnownToolCall;
  /** Called after each change. */
  onChange: () => void;
}

/** The requests whose tool calls an agent may still change. */
export interface OpenRequests {
  add(of: CallOfSession, call: KnownToolCall): OpenRequest;
  /** It no longer changes. */
  remove(request: OpenRequest): void;
  /** An update of a tool call changes all its pending requests. */
  toolCallUpdated(sessionId: acp.SessionId, update: acp.ToolCallUpdate): void;
}

export function createOpenRequests(): OpenRequests {
  const openRequests = new Set<OpenRequest>();
  return {
    add(of, call) {
      const request = {...of, call, onChange: () => undefined};
      openRequests.add(request);
      return request;
    },
    remove: (request) => void openRequests.delete(request),
    toolCallUpdated(sessionId, update) {
      for (const request of openRequests) {
        if (request.sessionId !== sessionId || request.toolCallId !== update.toolCallId) continue;
        const call = mergeToolCall(update, request.call);
        if (!asksForOther(request.call, call)) continue;
        request.call = call;
        request.onChange();
      }
    },
  };
}
