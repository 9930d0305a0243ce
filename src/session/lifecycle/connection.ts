import type {Failure} from '../../shared/failure.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {SessionEventOf} from '../events.ts';
import type {ConnectionState, SessionState} from '../state.ts';
import {endAgentWork} from '../subagents/fold.ts';
import {appendEntry} from '../transcript/transcript.ts';
import {endTurn} from '../transcript/turns.ts';

/** Updates the connection; when it breaks, ends everything open and records the cause in the transcript. */
export function connectionChanged(
  state: SessionState,
  {connection, at}: SessionEventOf<'connection_changed'>,
): SessionState {
  switch (connection.kind) {
    case 'failed':
    case 'lost':
      return broken(state, connection, at);
    case 'closed':
      return {...endAgentWork(state, at), connection, pending: []};
    case 'starting':
    case 'authentication_required':
    case 'ready':
    case 'no_session':
      return {...state, connection};
  }
}

/** Returns why a session takes no prompts; undefined while its agent runs or starts. */
export function connectionFailure(connection: ConnectionState): Failure | undefined {
  if (connection.kind === 'ready' || connection.kind === 'starting') return undefined;
  if (connection.kind === 'authentication_required') return connection;
  const failure = 'failure' in connection ? connection.failure : undefined;
  return failure ?? {kind: 'not_offered', what: 'this session', why: 'it has ended'};
}

/** Records the agent's response to `initialize` ("Initialization"). */
export function agentInitialized(
  state: SessionState,
  {response, fallbackName, at}: SessionEventOf<'agent_initialized'>,
): SessionState {
  const {protocolVersion, agentInfo, agentCapabilities, authMethods} = response;
  const agent = {
    protocolVersion,
    name: line(agentInfo?.name) ?? fallbackName,
    title: line(agentInfo?.title),
    version: line(agentInfo?.version),
    capabilities: agentCapabilities ?? {},
    authMethods: authMethods ?? [],
    authStatus: undefined,
    steers: steers(response._meta),
  };
  // Of the agent before a restart.
  return {...endAgentWork(state, at), agent, ownServers: undefined};
}

/** `_meta.steering.supported`, as advertised by the Claude and Codex adapters. */
function steers(meta: Readonly<Record<string, unknown>> | null | undefined): boolean {
  const steering = meta?.['steering'];
  return (
    typeof steering === 'object' &&
    steering !== null &&
    'supported' in steering &&
    steering.supported === true
  );
}

function line(text: string | null | undefined): string | undefined {
  return sanitizeLine(text ?? '') || undefined;
}

type Broken = Extract<ConnectionState, {failure: Failure}>;

function broken(state: SessionState, connection: Broken, at: number): SessionState {
  const known = wasReported(state, connection);
  const ended = endTurn(state, {at, outcome: {kind: 'failed', failure: connection.failure}});
  const rested = endAgentWork(ended, at);
  const noted =
    known || ended !== state
      ? rested
      : appendEntry(rested, {type: 'failure', failure: connection.failure}, at);
  const losses =
    connection.kind === 'lost' && state.connection.kind !== 'lost' ? state.losses + 1 : state.losses;
  return {...noted, connection, losses, replay: undefined, pending: []};
}

/** The turn may already have ended with the same failure, and some agents report their end twice. */
function wasReported(state: SessionState, connection: Broken): boolean {
  if (state.connection.kind === connection.kind) return true;
  const last = state.entries.at(-1);
  return (
    last?.type === 'turn_end' &&
    last.summary.outcome.kind === 'failed' &&
    last.summary.outcome.failure.kind === connection.failure.kind
  );
}
