import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionAnswer} from '../../session/actions.ts';
import {fail, type Result} from '../../shared/failure.ts';
import {asksForOther} from '../../session/requests/changed-request.ts';
import type {OfferedAnswers, OutdatedFile} from '../../session/state.ts';
import type {
  PermissionPrompt,
  CallOfSession,
  DeniedRequest,
  KnownToolCall,
  PermissionListener,
} from '../services.ts';
import {mergeToolCall} from './tool-call-facts.ts';
import type {PermissionDecision} from '../../session/entries.ts';
import {type Interrupts, isInterrupted, whenAborted} from '../interrupts.ts';

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
  /** Set if the agent may change it while it waits. */
  readonly changes?: RequestChanges;
  /** Reads the files that a request changes again before a yes counts; undefined if there are none. */
  readonly recheck?: () => Promise<readonly OutdatedFile[] | 'as shown'> | undefined;
  /** Called with what the user wants to be written or run instead; absent if it cannot be changed. Resolves to the answer, or to what ends this request because the user is asked again. */
  readonly onEdited?: ((content: string) => Promise<Result<EditAnswer>>) | undefined;
  /** Called synchronously when it is answered or cancelled. */
  readonly onSettled?: () => void;
}

/** Changes of a pending request. */
interface RequestChanges {
  /** Calls back after each. */
  readonly follow: (changed: () => void) => void;
  /** Evaluates the request as it is now. */
  readonly evaluate: () => Promise<ChangedRequest>;
}

interface ChangedRequest {
  /** What refuses it now. It stays pending if anything would allow it, since the user is reading it. */
  readonly refusedBy?: string | undefined;
  readonly offered: OfferedAnswers;
  /** The files that no longer match its diffs. */
  readonly outdated: readonly OutdatedFile[];
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
  const waiting = new Map<string, WaitingRequest>();
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
    return open(asked).close(refusal(asked.request, by));
  };

  return {
    async ask(asked, how) {
      if (!hasUser && !isInterrupted(how)) return refuse(asked, how);
      const {id, close} = open({...asked, askedBy: how.by});
      const request = new WaitingRequest(
        id,
        {request: asked.request, how, report: listener, close},
        asked.rule,
      );
      waiting.set(id, request);
      return request.wait();
    },
    refuse,
    choose: (asked, option, by) => open(asked).close(chosen(option, by)),
    answer: async (id, answer) => (await waiting.get(id)?.answer(answer)) ?? notTaken(),
    denied: () => denied,
  };
}

/** What is done about a pending request: nothing yet, or a yes is checked, or what the user made of it is carried out. */
type Phase = 'asked' | 'checking' | 'editing' | 'settled';

/** The answers that count in each phase: a yes can be taken back until it is known that its files are as shown. */
const TAKES: Readonly<Record<Phase, readonly ('yes' | 'no' | 'edit' | 'cancel')[]>> = {
  asked: ['yes', 'no', 'edit', 'cancel'],
  checking: ['no', 'cancel'],
  editing: ['cancel'],
  settled: [],
};

interface Waiting {
  readonly request: acp.RequestPermissionRequest;
  readonly how: AskOptions;
  readonly report: Pick<PermissionListener, 'outdated' | 'offered'>;
  /** Reports that it is settled. */
  readonly close: (settled: PermissionResult) => PermissionResult;
}

/** A request that waits for an answer. */
class WaitingRequest {
  readonly #id: string;
  readonly #waiting: Waiting;
  readonly #settled = Promise.withResolvers<PermissionResult>();
  readonly #over = new AbortController();
  #phase: Phase = 'asked';
  /** Counts changes by the agent. */
  #version = 0;
  #rule: string | undefined;

  constructor(id: string, waiting: Waiting, rule: string | undefined) {
    this.#id = id;
    this.#waiting = waiting;
    this.#rule = rule;
  }

  wait(): Promise<PermissionResult> {
    const {withdrawn, cancelled, changes} = this.#waiting.how;
    // What cannot be evaluated stays as it is, and nothing is offered.
    changes?.follow(() => void this.#changed(changes.evaluate).catch(() => undefined));
    whenAborted(withdrawn, this.#over.signal, () => this.#settle(without('withdrawn', 'agent')));
    whenAborted(cancelled, this.#over.signal, () => this.#settle(without('cancelled', 'user')));
    return this.#settled.promise;
  }

  async answer(answer: PermissionAnswer): Promise<Result<void>> {
    const {options} = this.#waiting.request;
    switch (answer.kind) {
      case 'cancelled':
        return this.#takes('cancel') ? this.#settle(without('cancelled', 'user')) : notTaken();
      case 'edited':
        return this.#takes('edit') ? this.#edit(answer.content, answer.key) : notTaken();
      case 'option':
        return this.#choose(options[answer.index], {key: answer.key, asRule: false});
      case 'rule': {
        const once = this.#rule === undefined ? undefined : allowOnceOption(this.#waiting.request);
        return this.#choose(once, {key: answer.key, asRule: true});
      }
    }
  }

  #takes(answer: (typeof TAKES)[Phase][number]): boolean {
    return TAKES[this.#phase].includes(answer);
  }

  /** Synchronous, so that a second key press finds nothing to answer. */
  #settle(settled: PermissionResult): Result<void> {
    if (this.#phase !== 'settled') {
      this.#phase = 'settled';
      this.#over.abort();
      this.#waiting.how.onSettled?.();
      this.#settled.resolve(this.#waiting.close(settled));
    }
    return {ok: true, value: undefined};
  }

  #choose(
    option: acp.PermissionOption | undefined,
    how: Pick<PermissionResult, 'key' | 'asRule'>,
  ): Result<void> {
    if (!option) return notTaken();
    const settled = {...chosen(option, 'user'), ...how};
    const isYes = settled.decision.outcome === 'allowed';
    if (!this.#takes(isYes ? 'yes' : 'no')) return notTaken();
    const checking = isYes ? this.#waiting.how.recheck?.() : undefined;
    if (!checking) return this.#settle(settled);
    this.#phase = 'checking';
    void this.#check(settled, checking);
    return {ok: true, value: undefined};
  }

  /** Settles a yes if its files are as shown. If they cannot be read, they count as changed: the user has to confirm again. */
  async #check(yes: PermissionResult, checking: NonNullable<ReturnType<NonNullable<AskOptions['recheck']>>>) {
    const found = await checking.catch(() => []);
    if (this.#phase !== 'checking') return;
    this.#phase = 'asked';
    if (found === 'as shown') this.#settle(yes);
    else this.#waiting.report.outdated(this.#id, found);
  }

  async #edit(content: string, key: string | undefined): Promise<Result<void>> {
    const {request, how} = this.#waiting;
    if (!how.onEdited) return notTaken('It cannot be changed here.');
    this.#phase = 'editing';
    const done = await how.onEdited(content).finally(() => {
      if (this.#phase === 'editing') this.#phase = 'asked';
    });
    if (!done.ok) return done;
    if (done.value === 'asked_again') return this.#settle(ASKED_AGAIN);
    const option = request.options.find(({kind}) => kind === done.value);
    return option ? this.#settle({...chosen(option, 'user'), key}) : notTaken();
  }

  async #changed(evaluate: RequestChanges['evaluate']): Promise<void> {
    const {request, report} = this.#waiting;
    const version = ++this.#version;
    this.#rule = undefined;
    const {refusedBy, offered, outdated} = await evaluate();
    if (this.#phase === 'settled' || this.#version !== version) return;
    if (refusedBy !== undefined) return void this.#settle(refusal(request, refusedBy));
    this.#rule = offered.rule;
    if (outdated.length > 0) report.outdated(this.#id, outdated);
    report.offered(this.#id, offered);
  }
}

/** The failure of an answer that would allow something else than the user saw. */
export function notAsSeen() {
  return notTaken('The request has changed meanwhile; read it again.');
}

/** The failure of an answer to a request that waits no more: somebody else was faster. */
export function notTaken(why = 'The request was answered in another window, or withdrawn.') {
  return fail({kind: 'answer_not_taken', why});
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

/** The result of a request that the user has changed so that it is asked about again, as another one. */
const ASKED_AGAIN = without('withdrawn', 'user');

export function isAskedAgain(settled: PermissionResult): boolean {
  return settled === ASKED_AGAIN;
}

function refusal({options}: acp.RequestPermissionRequest, by: string): PermissionResult {
  const reject = options.find(({kind}) => kind === 'reject_once');
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
