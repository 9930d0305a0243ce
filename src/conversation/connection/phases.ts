import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RunningAgent} from '../../agents/running-agent.ts';
import type {Connection} from '../../protocol/connection.ts';
import type {Opening} from '../../session/events.ts';
import type {AuthMethod} from '../../shared/authentication.ts';
import type {ConnectionState} from '../../session/state.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import type {Membership, SharedAgent} from './agent-pool.ts';

/** The session's part in a running agent. A restart creates another one. */
export interface AgentRun extends Membership {
  readonly process: RunningAgent;
  readonly connection: Connection;
  /** True while `start` is waiting for it, and will report its end. */
  starting: boolean;
  /** True once a session was open in it. */
  sessionOpen: boolean;
  /** The agent's greeting message, see `OpenedSession`. */
  greeting?: string | undefined;
  /** The agent's last usage report for the open session; null if there was none, undefined if unknown. */
  usageSoFar?: acp.Usage | null | undefined;
  /** Ends the MCP servers that its session offers it over the connection. */
  endOffers?: (() => Promise<void>) | undefined;
  /** The sign-in method whose values its process was started with. */
  readonly valuesMethod: string | undefined;
  /** How many attempts it took to reconnect, and when that succeeded, by the monotonic clock. */
  reconnected?: {readonly attempts: number; readonly at: number};
}

/** What each phase knows. */
interface Fields {
  /** Nothing was started. */
  readonly idle: object;
  /** Waits for the agent's process. */
  readonly launching: {readonly joined: Promise<Result<AgentRun>>; readonly isReconnecting: boolean};
  /** Waits for the response to `initialize`. */
  readonly initializing: {readonly run: AgentRun};
  /** Waits for a sign-in; `back` is where to return to without it. */
  readonly signing_in: {readonly run: AgentRun; readonly back: Settled | undefined};
  /** Waits for a session; `back` and `previous` are where to return to without it. */
  readonly opening: {
    readonly run: AgentRun;
    readonly back: Settled | undefined;
    readonly previous: Opening;
  };
  /** A session is open. */
  readonly ready: {readonly run: AgentRun};
  /** The agent requires a sign-in. */
  readonly sign_in_required: {
    readonly run: AgentRun;
    readonly methods: readonly AuthMethod[];
    readonly problem: string | undefined;
  };
  /** The agent runs without a session: none was selected yet, or it could not be opened. */
  readonly no_session: {readonly run: AgentRun; readonly failure: Failure | undefined};
  /** The session no longer uses its agent, which is being stopped unless others use it. */
  readonly leaving: {readonly left: Promise<Membership | undefined>; readonly restarts: boolean};
  /** Waits before the next attempt to connect to a remote agent. */
  readonly reconnecting: {readonly attempt: number; readonly since: number};
  /** The start failed. `agent` is the one that was lost with other sessions. */
  readonly failed: {readonly failure: Failure; readonly agent: SharedAgent | undefined};
  /** The agent of an open session is gone. */
  readonly lost: {
    readonly failure: Failure;
    readonly agent: SharedAgent | undefined;
    readonly reportedElsewhere: boolean;
  };
  /** For good. */
  readonly closed: {readonly left: Promise<Membership | undefined>};
}

export type PhaseName = keyof Fields;
/** `ended` aborts when the user gives up what the phase waits for, and when the session leaves the phase. */
export type PhaseOf<Name extends PhaseName> = {
  [Each in Name]: {readonly name: Each; readonly ended: AbortController} & Fields[Each];
}[Name];
export type Phase = PhaseOf<PhaseName>;

const SETTLED = ['ready', 'sign_in_required', 'no_session'] as const;
const WITH_AGENT = ['initializing', 'signing_in', 'opening', ...SETTLED] as const;
const WITHOUT_AGENT = ['idle', 'launching', 'leaving', 'reconnecting', 'failed', 'lost'] as const;
const OPEN = [...WITHOUT_AGENT, ...WITH_AGENT] as const;
type Settled = PhaseOf<(typeof SETTLED)[number]>;

/** Which event leads where, and from which phases. It is not possible in any other phase. */
const TRANSITIONS = {
  start: {to: 'launching', from: ['idle', 'leaving', 'reconnecting']},
  launched: {to: 'initializing', from: ['launching']},
  sign_in: {to: 'signing_in', from: WITH_AGENT},
  require_sign_in: {to: 'sign_in_required', from: WITH_AGENT},
  open: {to: 'opening', from: WITH_AGENT},
  opened: {to: 'ready', from: ['opening', 'signing_in', 'sign_in_required']},
  not_opened: {to: 'no_session', from: ['initializing', 'signing_in', 'opening']},
  leave: {to: 'leaving', from: OPEN},
  fail: {to: 'failed', from: ['launching', 'leaving']},
  lose: {to: 'lost', from: ['launching', 'leaving', 'reconnecting', ...WITH_AGENT]},
  reconnect: {to: 'reconnecting', from: ['launching', 'leaving', 'lost']},
  close: {to: 'closed', from: OPEN},
} as const satisfies Record<string, {to: PhaseName; from: readonly PhaseName[]}>;

export type EventName = keyof typeof TRANSITIONS;
export type NextPhaseName<Name extends EventName> = (typeof TRANSITIONS)[Name]['to'];
/** What an event has to bring; `run` and `back` are taken over from the phase before. */
export type EventFields<Name extends EventName> = Omit<
  Fields[NextPhaseName<Name>],
  Name extends 'launched' ? 'back' : 'run' | 'back'
>;

export function canTransition({name}: Phase, event: EventName): boolean {
  return isOneOf(name, TRANSITIONS[event].from);
}

/** Returns the phase that an event leads to; undefined if the event is not possible. */
export function nextPhase<Name extends EventName>(
  phase: Phase,
  event: Name,
  fields: EventFields<Name>,
): PhaseOf<NextPhaseName<Name>> | undefined {
  if (!canTransition(phase, event)) return undefined;
  const {to} = TRANSITIONS[event];
  const kept = {
    ...(isOneOf(to, WITH_AGENT) && {run: runOf(phase)}),
    ...(isOneOf(to, ['signing_in', 'opening']) && {back: settledOf(phase)}),
  };
  const entered: unknown = {...kept, ...fields, name: to, ended: new AbortController()};
  return entered as PhaseOf<NextPhaseName<Name>>;
}

function isOneOf(name: PhaseName, names: readonly PhaseName[]): boolean {
  return names.includes(name);
}

/** Returns the phase to return to if a sign-in or another session was given up or failed; undefined if there is none. */
export function phaseToReturnTo(phase: PhaseOf<'signing_in' | 'opening'>): Settled | undefined {
  return phase.back && {...phase.back, ended: new AbortController()};
}

export function idlePhase(): Phase {
  return {name: 'idle', ended: new AbortController()};
}

/** Returns the agent that the session uses. */
export function runOf(phase: Phase): AgentRun | undefined {
  return 'run' in phase ? phase.run : undefined;
}

function settledOf(phase: Phase): Settled | undefined {
  if ('back' in phase) return phase.back;
  return isSettled(phase) ? phase : undefined;
}

function isSettled(phase: Phase): phase is Settled {
  return isOneOf(phase.name, SETTLED);
}

/** True while the agent has to answer before anything else can happen. */
export function waitsForAgent(phase: Phase): boolean {
  return isOneOf(phase.name, ['initializing', 'signing_in', 'opening']);
}

/** True if the user can give up what the phase waits for. */
export function canBeGivenUp(phase: Phase): boolean {
  return waitsForAgent(phase) || phase.name === 'reconnecting';
}

/** Returns what the user sees of a phase; undefined if it changes nothing. */
export function connectionOf(phase: Phase, at: number): ConnectionState | undefined {
  const starting = (step: Extract<ConnectionState, {kind: 'starting'}>['step']) =>
    ({kind: 'starting', step, since: at}) as const;
  switch (phase.name) {
    case 'launching':
      return phase.isReconnecting ? undefined : starting('launching');
    case 'leaving':
      return phase.restarts ? starting('launching') : undefined;
    case 'initializing':
      return starting('initializing');
    case 'signing_in':
      return starting('authenticating');
    case 'opening':
      return starting('opening_session');
    case 'reconnecting':
      return {kind: 'starting', step: 'reconnecting', since: phase.since, attempt: phase.attempt};
    case 'ready':
      return {kind: 'ready'};
    case 'sign_in_required': {
      const {methods, problem} = phase;
      return {kind: 'authentication_required', methods, ...(problem !== undefined && {problem})};
    }
    case 'no_session':
      return {kind: 'no_session', failure: phase.failure};
    case 'failed':
      return {kind: 'failed', failure: phase.failure};
    case 'lost': {
      const {failure, reportedElsewhere} = phase;
      return {kind: 'lost', failure, ...(reportedElsewhere && {reportedElsewhere})};
    }
    // Shown once everything has ended.
    case 'closed':
    case 'idle':
      return undefined;
  }
}
