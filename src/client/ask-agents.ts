import type {AgentCommand} from '../agents/resolve.ts';
import type {Failure, Result} from '../shared/failure.ts';
import {agentCan} from '../session/abilities.ts';
import type {ListedSession} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import {initialSession} from '../session/initial.ts';
import {reduce} from '../session/reduce.ts';
import {createClient, type Client} from './create-client.ts';
import type {ClientOptions, Log} from './options.ts';

/** An agent to ask, or why it cannot be. */
export interface AgentToAsk {
  readonly label: string;
  readonly agent: Result<AgentCommand>;
}

/** What an agent has told of its sessions so far. */
export interface AgentListing {
  /** What it calls itself; how it is called here until it has said so. */
  readonly name: string;
  /** Undefined where it cannot be started. */
  readonly agent: AgentCommand | undefined;
  readonly sessions: readonly ListedSession[];
  readonly stands: Standing;
}

export type Standing =
  | {readonly kind: 'waiting' | 'asked' | 'told' | 'no_list' | 'left'}
  | {readonly kind: 'failed'; readonly failure: Failure};

/** Agents that are being asked, each in a process of its own that ends with its answer. */
export interface Asking {
  readonly listings: () => readonly AgentListing[];
  /** When no more comes. */
  readonly isOver: () => boolean;
  /** Asks nobody any more; what was told stays. */
  stop(): Promise<void>;
  killNow(): void;
}

export interface AskOptions {
  /** With what the window's own agents are started. */
  readonly base: Pick<ClientOptions, 'cwd' | 'startSeconds' | 'version'>;
  readonly log: Log;
  readonly onChange: () => void;
}

/** Starting agents costs memory and time: never more at once. */
const AT_ONCE = 2;
/** How long an agent may take to tell all of its sessions, in seconds. */
const LIST_SECONDS = 60;

/** Asks agents for all of their sessions ("Session List"), two at a time. What one does has no effect on the others. */
export function askAgents(agents: readonly AgentToAsk[], options: AskOptions): Asking {
  const listings: AgentListing[] = agents.map(({label, agent}) => ({
    name: label,
    agent: agent.ok ? agent.value : undefined,
    sessions: [],
    stands: agent.ok ? {kind: 'waiting'} : {kind: 'failed', failure: agent.failure},
  }));
  const running = new Set<Client>();
  let isStopped = false;

  function change(place: number, told: Partial<AgentListing>): void {
    const before = listings[place];
    if (!before || isStopped) return;
    listings[place] = {...before, ...told};
    options.onChange();
  }

  async function ask(place: number, agent: AgentCommand): Promise<void> {
    change(place, {stands: {kind: 'asked'}});
    const {client, state} = quietClient(agent, options);
    running.add(client);
    const told = await withinTime(
      listAll(client, state, {
        named: (name) => change(place, {name}),
        onPage: (page) => change(place, {sessions: [...(listings[place]?.sessions ?? []), ...page]}),
      }),
    );
    await client.actions.close();
    running.delete(client);
    change(place, {stands: told});
  }

  async function work(): Promise<void> {
    for (;;) {
      const place = listings.findIndex(({stands}) => stands.kind === 'waiting');
      const agent = listings[place]?.agent;
      if (!agent || isStopped) return;
      await ask(place, agent);
    }
  }

  for (let count = 0; count < AT_ONCE; count++) void work();

  return {
    listings: () => listings,
    isOver: () => isStopped || listings.every(({stands}) => !isOpen(stands)),
    async stop() {
      for (const [place, {stands}] of listings.entries())
        if (isOpen(stands)) change(place, {stands: {kind: 'left'}});
      isStopped = true;
      await Promise.all([...running].map((client) => client.actions.close()));
    },
    killNow: () => running.forEach((client) => client.killNow()),
  };
}

function isOpen({kind}: Standing): boolean {
  return kind === 'waiting' || kind === 'asked';
}

/** A client that opens no session and allows nothing. */
function quietClient(agent: AgentCommand, {base, log}: AskOptions) {
  const {cwd, startSeconds, version} = base;
  let state = initialSession({cwd, additionalDirectories: [], at: Date.now()});
  const client = createClient(
    {
      agent,
      cwd,
      additionalDirectories: [],
      offer: {fs: false, terminal: false},
      approval: 'none',
      person: false,
      settings: {options: []},
      opening: {kind: 'later'},
      startSeconds,
      version,
    },
    {
      log,
      state: () => state,
      emit(event: SessionEvent) {
        state = reduce(state, event);
      },
    },
  );
  return {client, state: () => state};
}

interface Told {
  readonly named: (name: string) => void;
  readonly onPage: (page: readonly ListedSession[]) => void;
}

async function listAll(
  client: Client,
  state: ReturnType<typeof quietClient>['state'],
  {named, onPage}: Told,
): Promise<Standing> {
  const opened = await client.open();
  if (!opened.ok) return {kind: 'failed', failure: opened.failure};
  const {agent} = state();
  if (agent) named(agent.title || agent.name);
  if (!agentCan(state(), 'list')) return {kind: 'no_list'};
  const listed = await client.actions.listSessions(undefined, onPage);
  return listed.ok ? {kind: 'told'} : {kind: 'failed', failure: listed.failure};
}

async function withinTime(told: Promise<Standing>): Promise<Standing> {
  const {promise: late, resolve} = Promise.withResolvers<Standing>();
  const failure = {kind: 'no_answer', method: 'session/list', seconds: LIST_SECONDS} as const;
  const timer = setTimeout(resolve, LIST_SECONDS * 1000, {kind: 'failed', failure});
  try {
    return await Promise.race([told, late]);
  } finally {
    clearTimeout(timer);
  }
}
