import {type AgentCommand, isSameAgent} from '../../agents/resolve.ts';
import type {AppEvent} from '../../app/events.ts';
import type {AppState} from '../../app/state.ts';
import type {ListedSession} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {initialSession} from '../../session/initial.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';
import {reduce} from '../../session/reduce.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {settledWithin} from '../../shared/settled-within.ts';
import type {Store} from '../../shared/store.ts';
import type {StoredAgent, StoredSession} from '../../storage/sessions/stored-session.ts';
import {createClient, type Client} from '../client.ts';
import type {ClientOptions, Log} from '../options.ts';

/** The agents that are not on the screen, as far as they were asked for their sessions. */
interface OtherAgents {
  askAll: () => void;
  listings: () => readonly AgentListing[];
  /** Who is asked, and what came of it; undefined before anybody was. */
  note: () => string | undefined;
  /** For exits that cannot wait. */
  killNow: () => void;
  close: () => Promise<void>;
}

interface OthersOptions {
  readonly ask: (onChange: () => void) => AgentQueries;
  readonly show: () => void;
  /** There are more sessions, and nothing else is new. */
  readonly showGrown: () => void;
}

/** Asks the other agents for as long as the list of sessions is open. */
export function followOthers(
  store: Store<AppState, AppEvent>,
  {ask, show, showGrown}: OthersOptions,
): OtherAgents {
  let asking: AgentQueries | undefined;
  let status = '';
  const listings = () => asking?.listings() ?? [];

  function changed(): void {
    const now = JSON.stringify(listings().map(({name, status}) => [name, status.kind]));
    if (now === status) return showGrown();
    status = now;
    show();
  }

  // Who is not looking for a session wants no agents to run for it.
  store.onEvent((_event, {overlay}) => {
    const isList = overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions';
    if (!isList && asking && !asking.isOver()) void asking.stop();
  });
  return {
    askAll() {
      if (asking && !asking.isOver()) return;
      asking = ask(changed);
      show();
    },
    listings,
    note: () => asking && askedNote(asking.listings()),
    killNow: () => asking?.killNow(),
    close: async () => asking?.stop(),
  };
}

/** Who is asked, and what came of it. */
function askedNote(listings: readonly AgentListing[]): string {
  if (listings.length === 0) return 'No other agents found.';
  const going = listings.flatMap(({name, sessions, status}) => {
    if (status.kind === 'waiting') return [`${name}: waiting`];
    if (status.kind === 'loading') return [`${name}: loading…`];
    if (status.kind === 'no_list') return [`${name}: no list`];
    return status.kind === 'listed' ? [`${name}: ${sessions.length}`] : [];
  });
  const failed = listings.flatMap(({name, status}) =>
    status.kind === 'failed' ? [`${name}: ${firstSentence(failureSentence(status.failure))}`] : [],
  );
  return [going.join(' · '), ...failed].filter(Boolean).join('\n');
}

/** Shows only what happened; starting that agent says what to do. */
function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}

/** An agent to ask, or why it cannot be. */
export interface AgentToAsk {
  readonly label: string;
  readonly agent: Result<AgentCommand>;
}

/** The sessions an agent has listed so far. */
interface AgentListing {
  /** What it calls itself; how it is called here until it has said so. */
  readonly name: string;
  /** Undefined where it cannot be started. */
  readonly agent: AgentCommand | undefined;
  readonly sessions: readonly ListedSession[];
  readonly status: ListingStatus;
}

type ListingStatus =
  | {readonly kind: 'waiting' | 'loading' | 'listed' | 'no_list' | 'stopped'}
  | {readonly kind: 'failed'; readonly failure: Failure};

/** Agents that are being asked, each in a process of its own that ends with its answer. */
export interface AgentQueries {
  readonly listings: () => readonly AgentListing[];
  /** When no more comes. */
  readonly isOver: () => boolean;
  /** Stops asking; the results are kept. */
  stop(): Promise<void>;
  killNow(): void;
}

interface AskOptions {
  /** With what the window's own agents are started. */
  readonly base: Pick<ClientOptions, 'cwd' | 'startSeconds' | 'version'>;
  readonly log: Log;
  readonly onChange: () => void;
}

/** Starting agents costs memory and time: never more at once. */
const AT_ONCE = 2;
/** How long an agent may take to list all its sessions, in seconds. */
const LIST_SECONDS = 60;

const NO_ANSWER: ListingStatus = {
  kind: 'failed',
  failure: {kind: 'no_answer', method: 'session/list', seconds: LIST_SECONDS},
};

/** Asks agents for all of their sessions ("Session List"), two at a time. What one does has no effect on the others. */
export function askAgents(agents: readonly AgentToAsk[], options: AskOptions): AgentQueries {
  const listings: AgentListing[] = agents.map(({label, agent}) => ({
    name: label,
    agent: agent.ok ? agent.value : undefined,
    sessions: [],
    status: agent.ok ? {kind: 'waiting'} : {kind: 'failed', failure: agent.failure},
  }));
  const running = new Set<Client>();
  let isStopped = false;

  function change(place: number, update: Partial<AgentListing>): void {
    const before = listings[place];
    if (!before || isStopped) return;
    listings[place] = {...before, ...update};
    options.onChange();
  }

  async function ask(place: number, agent: AgentCommand): Promise<void> {
    change(place, {status: {kind: 'loading'}});
    const {client, state} = quietClient(agent, options);
    running.add(client);
    const listing = listAll(client, state, {
      named: (name) => change(place, {name}),
      onPage: (page) => change(place, {sessions: [...(listings[place]?.sessions ?? []), ...page]}),
    });
    const status = (await settledWithin(listing, LIST_SECONDS * 1000)) ?? NO_ANSWER;
    await client.actions.close();
    running.delete(client);
    change(place, {status});
  }

  async function work(): Promise<void> {
    for (;;) {
      const place = listings.findIndex(({status}) => status.kind === 'waiting');
      const agent = listings[place]?.agent;
      if (!agent || isStopped) return;
      await ask(place, agent);
    }
  }

  for (let count = 0; count < AT_ONCE; count++) void work();

  return {
    listings: () => listings,
    isOver: () => isStopped || listings.every(({status}) => !isOpen(status)),
    async stop() {
      for (const [place, {status}] of listings.entries())
        if (isOpen(status)) change(place, {status: {kind: 'stopped'}});
      isStopped = true;
      await Promise.all([...running].map((client) => client.actions.close()));
    },
    killNow: () => running.forEach((client) => client.killNow()),
  };
}

function isOpen({kind}: ListingStatus): boolean {
  return kind === 'waiting' || kind === 'loading';
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

interface ListSink {
  readonly named: (name: string) => void;
  readonly onPage: (page: readonly ListedSession[]) => void;
}

async function listAll(
  client: Client,
  state: ReturnType<typeof quietClient>['state'],
  {named, onPage}: ListSink,
): Promise<ListingStatus> {
  const opened = await client.open();
  if (!opened.ok) return {kind: 'failed', failure: opened.failure};
  const {agent} = state();
  if (agent) named(agent.title || agent.name);
  if (!agentCan(state(), 'list')) return {kind: 'no_list'};
  const listed = await client.actions.listSessions({}, onPage);
  return listed.ok ? {kind: 'listed'} : {kind: 'failed', failure: listed.failure};
}

/** All agents that may have sessions, but the one on the screen: those that are configured, then those that sessions are stored of. */
export function agentsToAsk(
  configured: readonly AgentToAsk[],
  stored: readonly StoredAgent[],
  own: AgentCommand,
): AgentToAsk[] {
  const found = new Map(configured.map((known) => [known.label, known]));
  for (const {label, command, args} of stored)
    // An imported session has no agent.
    if (command !== '' && !found.has(label))
      found.set(label, {label, agent: {ok: true, value: {label, command, args, env: {}}}});
  const asked = new Set([own.label, lineOf(own)]);
  return [...found.values()].filter(({label, agent}) => {
    const line = agent.ok ? lineOf(agent.value) : label;
    if (asked.has(label) || asked.has(line)) return false;
    asked.add(line);
    return true;
  });
}

/**
 * The agent that a session was stored with, where that is another than `own`: as it is started today where it has a name, since what
 * it was then may be gone. What was imported has none of its own.
 */
export function storedAgent(
  stored: Pick<StoredSession, 'agent'> | undefined,
  own: AgentCommand,
  known: readonly AgentToAsk[],
): AgentCommand | undefined {
  if (!stored || stored.agent.command === '' || isSameAgent(stored.agent, own)) return undefined;
  const {label, command, args} = stored.agent;
  const today = known.find((agent) => agent.label === label)?.agent;
  return today?.ok ? today.value : {label, command, args, env: {}};
}

function lineOf({command, args}: AgentCommand): string {
  return JSON.stringify([command, ...args]);
}
