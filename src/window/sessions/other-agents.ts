import {type AgentCommand, commandKey, isSameAgent} from '../../agents/resolve.ts';
import type {AppEvent} from '../../app/events.ts';
import {openSessionList} from '../../app/pickers/picker.ts';
import type {AppState} from '../../app/state.ts';
import {allSessions} from '../../session/lifecycle/all-sessions.ts';
import type {ListedSession} from '../../session/actions.ts';
import type {SessionEvent} from '../../session/events.ts';
import {initialSession} from '../../session/initial.ts';
import {agentCan} from '../../session/lifecycle/agent-capabilities.ts';
import {reduce} from '../../session/reduce.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Failure, Result} from '../../shared/failure.ts';
import {settledWithin} from '../../shared/timers/settled-within.ts';
import type {Store} from '../../shared/store.ts';
import type {StoredAgent, StoredSession} from '../../storage/sessions/stored-session.ts';
import {createAgentPool, type AgentListeners} from '../../conversation/connection/agent-pool.ts';
import {createConversation, type Conversation} from '../../conversation/conversation.ts';
import type {ConversationOptions, OptionsForAgent} from '../../conversation/options.ts';

/** The sessions of agents other than the current one. */
interface OtherAgents {
  askAll: () => void;
  listings: () => readonly AgentListing[];
  /** Returns a note on the progress and results; undefined before the first query. */
  note: () => string | undefined;
  /** For exits that cannot wait. */
  killNow: () => void;
  close: () => Promise<void>;
}

interface OthersOptions {
  readonly ask: (onChange: () => void) => AgentQueries;
  readonly show: () => void;
  /** Called when there are only more sessions. */
  readonly showGrown: () => void;
}

/** Queries the other agents while the list of sessions is open. */
export function queryOtherAgents(
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

  // When the list is closed, the agents are stopped.
  store.onEvent((_event, state) => {
    if (!openSessionList(state) && asking && !asking.isOver()) void asking.stop();
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

/** Returns a note on the progress and results. */
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

/** Only what happened; what to do is shown when that agent is started. */
function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}

/** An agent to query, or why it cannot be started. */
export interface AgentToAsk {
  readonly label: string;
  readonly agent: Result<AgentCommand>;
}

/** The sessions that an agent has listed so far. */
interface AgentListing {
  /** The name it reports; until then the name it is configured under. */
  readonly name: string;
  /** Undefined if it cannot be started. */
  readonly agent: AgentCommand | undefined;
  readonly sessions: readonly ListedSession[];
  readonly status: ListingStatus;
}

type ListingStatus =
  | {readonly kind: 'waiting' | 'loading' | 'listed' | 'no_list' | 'stopped'}
  | {readonly kind: 'failed'; readonly failure: Failure};

/** Running queries, each in an agent process of its own that ends with its response. */
export interface AgentQueries {
  readonly listings: () => readonly AgentListing[];
  /** True if no more results will come. */
  readonly isOver: () => boolean;
  /** Stops the queries; results are kept. */
  stop(): Promise<void>;
  killNow(): void;
}

interface AskOptions extends Pick<AgentListeners, 'log' | 'startAgent'> {
  /** The options of the window's own agents. */
  readonly base: Pick<ConversationOptions, 'environment' | 'cwd' | 'startSeconds' | 'version'>;
  readonly onChange: () => void;
  readonly optionsForAgent: OptionsForAgent;
}

/** Maximum number of agents running at once, since starting them costs memory and time. */
const AT_ONCE = 2;
/** How long an agent may take to list all its sessions, in seconds. */
const LIST_SECONDS = 60;

const NO_ANSWER: ListingStatus = {
  kind: 'failed',
  failure: {kind: 'no_answer', method: 'session/list', seconds: LIST_SECONDS},
};

/** Queries agents for all their sessions ("Session List"), two at a time and independently of each other. */
export function askAgents(agents: readonly AgentToAsk[], options: AskOptions): AgentQueries {
  const listings: AgentListing[] = agents.map(({label, agent}) => ({
    name: label,
    agent: agent.ok ? agent.value : undefined,
    sessions: [],
    status: agent.ok ? {kind: 'waiting'} : {kind: 'failed', failure: agent.failure},
  }));
  const running = new Set<Conversation>();
  let isStopped = false;

  function change(place: number, update: Partial<AgentListing>): void {
    const before = listings[place];
    if (!before || isStopped) return;
    listings[place] = {...before, ...update};
    options.onChange();
  }

  async function ask(place: number, agent: AgentCommand): Promise<void> {
    change(place, {status: {kind: 'loading'}});
    const {conversation, state} = quietConversation(agent, options);
    running.add(conversation);
    const listing = listAll(conversation, state, {
      named: (name) => change(place, {name}),
      onPage: (page) => change(place, {sessions: [...(listings[place]?.sessions ?? []), ...page]}),
    });
    const status = (await settledWithin(listing, LIST_SECONDS * 1000)) ?? NO_ANSWER;
    await conversation.close();
    running.delete(conversation);
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
      await Promise.all([...running].map((conversation) => conversation.close()));
    },
    killNow: () => running.forEach((conversation) => conversation.killNow()),
  };
}

function isOpen({kind}: ListingStatus): boolean {
  return kind === 'waiting' || kind === 'loading';
}

/** A conversation that opens no session and allows nothing. */
function quietConversation(agent: AgentCommand, {base, log, startAgent, optionsForAgent}: AskOptions) {
  const {environment, cwd, startSeconds, version} = base;
  const {sandbox, provider, refusal} = optionsForAgent({agent, cwd});
  let state = initialSession({cwd, additionalDirectories: [], at: Date.now()});
  const conversation = createConversation(
    {
      agent,
      environment,
      cwd,
      additionalDirectories: [],
      offer: {fs: false, terminal: false},
      approval: 'none',
      ...(sandbox && {sandbox}),
      provider,
      refusal,
      hasUser: false,
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
    createAgentPool({wire: {}, log, startAgent}),
  );
  return {conversation, state: () => state};
}

interface ListSink {
  readonly named: (name: string) => void;
  readonly onPage: (page: readonly ListedSession[]) => void;
}

async function listAll(
  conversation: Conversation,
  state: ReturnType<typeof quietConversation>['state'],
  {named, onPage}: ListSink,
): Promise<ListingStatus> {
  const opened = await conversation.open();
  if (!opened.ok) return {kind: 'failed', failure: opened.failure};
  const {agent} = state();
  if (agent) named(agent.title || agent.name);
  if (!agentCan(state(), 'list')) return {kind: 'no_list'};
  const listed = await allSessions(conversation, {}, onPage);
  return listed.ok ? {kind: 'listed'} : {kind: 'failed', failure: listed.failure};
}

/** Returns all agents that may have sessions, except the current one: configured ones, then those of stored sessions. */
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
  const asked = new Set([own.label, commandKey(own)]);
  return [...found.values()].filter(({label, agent}) => {
    const line = agent.ok ? commandKey(agent.value) : label;
    if (asked.has(label) || asked.has(line)) return false;
    asked.add(line);
    return true;
  });
}

/**
 * Returns the agent of a stored session if it is not `own`: with its current start command if it has a name, since the stored one may be outdated. Undefined
 * for imported sessions.
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
