import type {EffectOf} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {TOAST_MS, activeSession} from '../../app/sessions.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {SessionState} from '../../session/state.ts';
import {canStart, findEntry} from '../../agents/catalog.ts';
import {testedAgent} from '../../agents/tested-agents.ts';
import type {RegistryEntry} from '../../agents/registry.ts';
import type {Result} from '../../shared/failure.ts';
import type {UserQuestion} from '../../session/actions.ts';
import type {Store} from '../../shared/store.ts';
import {createAgentLister, type AgentLister, type ListedAgents} from './agent-lister.ts';
import type {AgentInFolder, ConversationOptions} from '../../conversation/options.ts';
import type {Folders} from '../../shared/files/session-folders.ts';
import {isConfinedBeside} from '../../session/settings/sandbox.ts';

/** The agents known to a window. */
export interface WindowAgents extends ListedAgents {
  readonly optionsFor: (
    agent: string,
    place: Folders & Pick<AgentInFolder, 'isConfined'>,
  ) => Promise<Result<ConversationOptions>>;
  /** Where agents are installed. */
  readonly folder: string;
  /** Stores it as the one used last. */
  readonly remember: (agent: string) => void;
}

type Done = Result<unknown> | undefined;

/** A session that goes on with the conversation of another, in its folders. */
export interface Handoff {
  /** The state when it was asked for, see `HowToOpen`. */
  readonly began: AppState;
  /** That one, as it was when it was handed over: it may be closed meanwhile. */
  readonly session: Folders & Pick<SessionState, 'sandbox'>;
  /** Gets the session, before it is open. */
  readonly onAdded: (key: SessionKey) => void;
}

/** What an agent is selected for: to go on with the conversation of another session, or nothing in particular. */
type Choice = Pick<Handoff, 'began'> & Partial<Handoff>;

/** Fills the list of agents, and starts the selected one, after installing it if necessary. */
export interface AgentChooser {
  find(ask: EffectOf<'find_agents'>['ask']): Promise<Done>;
  /** Starts an agent of the list, or one that is found by its name. */
  choose(id: string, handoff?: Handoff): Promise<Done>;
  /** Starts an agent that is not listed: looks it up in the registry. */
  install(id: string): Promise<Done>;
  /** True while a selection is being processed: the list may be closed meanwhile. */
  readonly isChoosing: () => boolean;
  /** Stops an installation. */
  stop(): void;
}

interface ChooserOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly agents: WindowAgents;
  readonly open: (options: ConversationOptions, choice: Choice) => Promise<Result<void>>;
  readonly askUser: (question: UserQuestion) => Promise<boolean | undefined>;
}

/** Time limit for loading the registry, in milliseconds. */
const ASKING_MS = 60_000;

export function createAgentChooser({store, agents, open, askUser}: ChooserOptions): AgentChooser {
  const lister = createAgentLister(store, agents);
  let choosing = 0;
  let installing: AbortController | undefined;

  function toast(text: string, milliseconds = TOAST_MS): undefined {
    store.dispatch({type: 'toast_shown', text, until: performance.now() + milliseconds}, 'urgent');
  }

  async function choose(id: string, choice: Choice): Promise<Done> {
    const entry = findEntry(lister.entries(), id);
    if (!entry || canStart(entry)) return start(id, choice);
    return entry.registry ? installAndStart(id, entry.registry, choice) : install(id, choice);
  }

  async function install(id: string, choice: Choice): Promise<Done> {
    const asking = `Looking up ${id} in the registry…`;
    toast(asking, ASKING_MS);
    const {registry, failure} = await agents.registry.fetch();
    toast(asking, 0);
    const entry = registry ? registry.entries.find((each) => each.id === id) : testedAgent(id);
    if (entry) return installAndStart(id, entry, choice);
    lister.showAgain(choice.began);
    return failure ? {ok: false, failure} : toast(`No agent ${id} in the registry.`);
  }

  const start = (id: string, choice: Choice) => startAgent(id, lister, {store, agents, open, choice});

  async function installAndStart(id: string, entry: RegistryEntry, choice: Choice): Promise<Done> {
    if (installing) return toast('Another agent is being installed.');
    installing = new AbortController();
    const {signal} = installing;
    const {installAgent} = await import('./install-agent.ts');
    const done = await installAgent(entry, {store, folder: agents.folder, askUser, signal}).finally(
      () => (installing = undefined),
    );
    if (!done.ok || done.value.kind === 'refused') {
      lister.showAgain(choice.began);
      return done;
    }
    // Does nothing if the user has gone on to something else meanwhile.
    const hasNoAgent = activeSession(store.latest()).session.connection.kind === 'closed';
    return done.value.watched || hasNoAgent || choice.session
      ? start(id, choice)
      : toast(`${entry.name} is installed; /agents starts it.`);
  }

  function followed(choice: Promise<Done>): Promise<Done> {
    choosing++;
    return choice.finally(() => choosing--);
  }

  return {
    find: (ask) => lister.find(ask),
    choose: (id, handoff) => followed(choose(id, handoff ?? {began: store.latest()})),
    install: (id) => followed(install(id, {began: store.latest()})),
    isChoosing: () => choosing > 0,
    stop: () => installing?.abort(),
  };
}

async function startAgent(
  id: string,
  lister: AgentLister,
  {
    store,
    agents,
    open,
    choice,
  }: Pick<ChooserOptions, 'store' | 'agents' | 'open'> & {readonly choice: Choice},
): Promise<Done> {
  const session = choice.session ?? activeSession(store.latest()).session;
  const {cwd, additionalDirectories, realFolders} = session;
  const isConfined = isConfinedBeside(session);
  const options = await agents.optionsFor(id, {cwd, additionalDirectories, realFolders, isConfined});
  if (!options.ok) {
    lister.showAgain(choice.began);
    return options;
  }
  const opened = await open(options.value, choice);
  // Problems of the agent are reported in its session.
  if (opened.ok) agents.remember(id);
  return undefined;
}
