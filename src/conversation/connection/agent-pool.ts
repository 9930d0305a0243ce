import {quirksOf} from '../../agents/quirks.ts';
import type {AgentCommand} from '../../agents/resolve.ts';
import type {Result} from '../../shared/failure.ts';
import {agentKey} from '../../storage/credentials/kept-sign-ins.ts';
import type {AgentMember} from './agent-updates.ts';
import {createUpdateRouter, type SessionRoute, type UpdateRouter} from './update-router.ts';
import type {RunningAgent} from '../../agents/running-agent.ts';
import {startAgent} from '../../agents/launch.ts';
import type {Connection} from '../../protocol/connection.ts';
import type {OpenSandbox} from '../../sandbox/session-sandbox.ts';
import type {InitializeResponse} from '../../session/events.ts';
import type {ConversationOptions, Log, WireListener} from '../options.ts';

/**
 * The running agents. A session joins the one with the same command, environment, offer and working folder: agents read settings and `.env` files in their
 * folder, which must not affect sessions elsewhere.
 */
export interface AgentPool {
  /** Returns a shared running agent for a session, or a new one. */
  join(agentStart: AgentStart, how: JoinOptions): Promise<Result<Membership>>;
  /** Returns the sessions of an agent command, including those that do not share its process. */
  sessionsOf(agent: AgentCommand): readonly AgentMember[];
  /** Gives each new session of such an agent its own process. */
  keepApart(start: AgentStart): void;
}

interface JoinOptions {
  readonly member: AgentMember;
  /** True if the agent must not be shared. */
  readonly isApart: boolean;
}

/** A session's membership in an agent. */
export interface Membership {
  readonly agent: SharedAgent;
  readonly updates: SessionRoute;
  /** True if the agent was already running when the session joined. */
  readonly hasJoined: boolean;
  /** The other sessions that use the agent now. */
  readonly others: () => readonly AgentMember[];
  /** Prevents other sessions from joining the agent. */
  readonly retire: () => void;
  /** Leaves the agent; the last member stops it, and the promise resolves when it has ended. */
  readonly leave: () => Promise<void>;
}

interface Slot {
  readonly key: string;
  readonly launched: Promise<Result<SharedAgent>>;
  users: number;
}

export function createAgentPool(listeners: AgentListeners): AgentPool {
  /** Agents that other sessions may join. */
  const open = new Map<string, Slot>();
  const running = new Set<SharedAgent>();
  const apart = new Set<string>();

  function drop(slot: Slot): void {
    if (open.get(slot.key) === slot) open.delete(slot.key);
  }

  function launch(start: AgentStart, key: string): Slot {
    const slot: Slot = {key, launched: launchSharedAgent(start, listeners), users: 0};
    void slot.launched.then(async (launched) => {
      if (!launched.ok) return drop(slot);
      const {connection, initialized} = launched.value;
      running.add(launched.value);
      void connection.closed.then(() => drop(slot)).then(() => running.delete(launched.value));
      const answer = await initialized;
      if (!answer.ok || quirksOf(answer.value.agentInfo?.name).ownProcess) drop(slot);
    });
    return slot;
  }

  async function join(start: AgentStart, {member, isApart}: JoinOptions): Promise<Result<Membership>> {
    const key = keyOf(start);
    const isShareable = !isApart && !start.sandbox && !start.agent.ownProcess && !apart.has(key);
    const found = isShareable ? open.get(key) : undefined;
    const slot = found ?? launch(start, key);
    if (isShareable) open.set(key, slot);
    slot.users++;
    const launched = await slot.launched;
    if (!launched.ok) return launched;
    const agent = launched.value;
    const updates = agent.router.join(member);
    agent.members.add(member);
    const leave = async () => {
      updates.leave();
      agent.members.delete(member);
      if (--slot.users > 0) return;
      drop(slot);
      agent.connection.close();
      await agent.process.stop();
    };
    let left: Promise<void> | undefined;
    return {
      ok: true,
      value: {
        agent,
        updates,
        hasJoined: found !== undefined,
        others: () => [...agent.members].filter((other) => other !== member),
        retire: () => drop(slot),
        leave: () => (left ??= leave()),
      },
    };
  }

  return {
    join,
    sessionsOf: (agent) => membersOf(running, agent),
    keepApart: (start) => void apart.add(keyOf(start)),
  };
}

function membersOf(agents: ReadonlySet<SharedAgent>, program: AgentCommand): readonly AgentMember[] {
  const key = agentKey(program);
  return Array.from(agents)
    .filter(({start}) => agentKey(start.agent) === key)
    .flatMap(({members}) => Array.from(members));
}

function keyOf(start: AgentStart): string {
  const {agent, environment, cwd, offer, provider} = start;
  const {command, args, env, remote, label} = agent;
  const sorted = (fields: object) => Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    command,
    args,
    sorted({...environment, ...env}),
    cwd,
    sorted(offer),
    remote && label,
    provider,
  ]);
}

/** How an agent is started, including the environment that signs in to it: the same for all sessions that share it. */
type AgentStart = Pick<
  ConversationOptions,
  'agent' | 'environment' | 'cwd' | 'offer' | 'version' | 'provider'
> & {
  /** The session's: an agent in one is never shared. */
  readonly sandbox?: OpenSandbox | undefined;
};

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
  /** The LLM providers that it was told, by the settings or the user. */
  readonly providersTold: Set<string>;
  /** Functions that restart each session lost with it. */
  readonly lost: Map<object, () => void>;
}

/** Receivers of all agents' messages and log lines. */
export interface AgentListeners {
  readonly wire: WireListener;
  readonly log: Log;
  /** How agents are started. */
  readonly startAgent?: typeof startAgent | undefined;
}

/** Launches an agent and sends `initialize`. */
async function launchSharedAgent(
  start: AgentStart,
  {wire, log, startAgent: launch = startAgent}: AgentListeners,
): Promise<Result<SharedAgent>> {
  const {agent, environment, cwd, offer, version, sandbox} = start;
  const launched = await launch(agent, {
    cwd,
    environment,
    sandbox,
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
    value: {
      ...shared,
      signedInWith: new Set(),
      signingIn: undefined,
      providersTold: new Set(),
      lost: new Map(),
    },
  };
}
