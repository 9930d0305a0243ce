import type {AgentCommand} from '../../agents/resolve.ts';
import type {RunningAgent} from '../../agents/running-agent.ts';
import {startAgent} from '../../agents/remote/start-agent.ts';
import type {ClientOffer, Connection} from '../../protocol/connection.ts';
import type {InitializeResponse} from '../../session/events.ts';
import type {Result} from '../../shared/failure.ts';
import type {Log, WireListener} from '../options.ts';
import type {AgentMember} from './agent-member.ts';
import {createUpdateRouter, type UpdateRouter} from './update-router.ts';

/** How an agent is started: the same for all sessions that share it. */
export interface AgentStart {
  /** Including the environment that signs in to it. */
  readonly agent: AgentCommand;
  /** Absolute; the agent's working folder. */
  readonly cwd: string;
  readonly offer: ClientOffer;
  readonly version: string;
}

/** A running agent and the sessions that use it: one process, one connection, one `initialize`. */
export interface SharedAgent {
  readonly start: AgentStart;
  readonly process: RunningAgent;
  readonly connection: Connection;
  /** The response to `initialize`; no time limit. */
  readonly initialized: Promise<Result<InitializeResponse>>;
  readonly router: UpdateRouter<AgentMember>;
  /** Oldest first. */
  readonly members: Set<AgentMember>;
  /** The sign-in methods that it has accepted. */
  readonly signedInWith: Set<string>;
  /** A sign-in in progress. */
  signingIn: Promise<unknown> | undefined;
  /** Functions that restart each session lost with it. */
  readonly lost: Map<object, () => void>;
}

/** Receivers of all agents' messages and log lines. */
export interface AgentListeners {
  readonly wire: WireListener;
  readonly log: Log;
}

/** Launches an agent and sends `initialize`. */
export async function launchSharedAgent(
  start: AgentStart,
  {wire, log}: AgentListeners,
): Promise<Result<SharedAgent>> {
  const {agent, cwd, offer, version} = start;
  const launched = await startAgent(agent, {
    cwd,
    onEvent(event) {
      if (event.kind === 'stderr') log('info', `agent stderr: ${event.text}`);
      wire.onEvent?.(event);
    },
  });
  if (!launched.ok) return launched;
  const process = launched.value;
  const members = new Set<AgentMember>();
  const router = createUpdateRouter<AgentMember>((sessionId, {sessionUpdate}) =>
    log('warn', `${sessionUpdate} for ${sessionId}, which is not open`),
  );
  // Loading the SDK takes as long as starting an agent, so both happen in parallel.
  const {connectProtocol} = await import('./connect-protocol.ts');
  const options = {offer, label: agent.label, version, wire, log};
  const connection = await connectProtocol(process, {members, router}, options);
  const initialized = connection.initialize(offer);
  const shared = {start, process, connection, initialized, router, members};
  return {
    ok: true,
    value: {...shared, signedInWith: new Set(), signingIn: undefined, lost: new Map()},
  };
}
