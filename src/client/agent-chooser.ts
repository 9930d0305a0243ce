import {showAgents, type AgentRow, type RegistryView} from '../app/agent-picker.ts';
import type {Effect} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import {activeSession} from '../app/sessions.ts';
import type {AppState} from '../app/state.ts';
import {
  canStart,
  catalogueOf,
  entryNamed,
  type CatalogueEntry,
  type CatalogueParts,
} from '../agents/catalogue/catalogue.ts';
import {aboutAgent, originWords, versionWords} from '../agents/catalogue/words.ts';
import type {Asked, Registry} from '../agents/registry/registry.ts';
import {failureSentence} from '../errors.ts';
import type {Result} from '../failure.ts';
import type {Store} from '../store.ts';
import type {ClientOptions} from './options.ts';

/** What a window knows of agents. */
export interface KnownToWindow {
  /** Those of this computer, as it is now. */
  readonly local: () => Omit<CatalogueParts, 'registry'>;
  readonly registry: Registry;
  /** Whether the registry may be asked when nobody just asked for it. */
  readonly mayContact: () => boolean;
  /** The user wants it to be asked: from now on that goes without saying. */
  readonly allowContact: () => Promise<Result<void>>;
  readonly optionsFor: (agent: string, folders: Folders) => Promise<Result<ClientOptions>>;
  /** It is the one that was used last. */
  readonly remember: (agent: string) => Promise<void>;
}

export interface Folders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

export type AgentsEffect = Extract<Effect, {kind: 'find_agents' | 'choose_agent'}>;

export function concernsAgents(effect: Effect): effect is AgentsEffect {
  return effect.kind === 'find_agents' || effect.kind === 'choose_agent';
}

/** Fills the list of agents, and starts the one that is chosen. */
export interface AgentChooser {
  perform(effect: AgentsEffect): Promise<Result<unknown> | undefined>;
  /** True while a choice is being followed: the list may be closed meanwhile. */
  readonly isChoosing: () => boolean;
}

export interface ChooserOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly agents: KnownToWindow;
  readonly open: (options: ClientOptions) => Promise<Result<void>>;
}

/** What the registry said within this time is not asked for again by itself. */
const FRESH_MS = 3_600_000;

export function createAgentChooser({store, agents, open}: ChooserOptions): AgentChooser {
  const {registry} = agents;
  let choosing = 0;

  function entriesNow(): readonly CatalogueEntry[] {
    return catalogueOf({...agents.local(), registry: registry.known()?.entries ?? []});
  }

  function show(view: RegistryView): void {
    const list = {rows: entriesNow().map(rowOf), registry: view, address: registry.shownUrl, at: Date.now()};
    store.dispatch({type: 'agents_found', list}, 'urgent');
  }

  /** What is here is shown at once, what the registry says when it comes. */
  async function find(ask: 'if_allowed' | 'now'): Promise<Result<void> | undefined> {
    // Never in the middle of the event that opens the list.
    await Promise.resolve();
    const known = registry.known();
    const isFresh = known !== undefined && Date.now() - known.checkedAt < FRESH_MS;
    if (ask === 'if_allowed' && (isFresh || !agents.mayContact())) {
      show(known ? {kind: 'known', checkedAt: known.checkedAt} : {kind: 'not_asked'});
      return undefined;
    }
    show({kind: 'asking'});
    const asked = await registry.ask();
    show(viewOf(asked));
    return ask === 'now' ? agents.allowContact() : undefined;
  }

  async function choose(id: string): Promise<Result<unknown> | undefined> {
    const entry = entryNamed(entriesNow(), id);
    if (entry && !canStart(entry)) return undefined;
    const {cwd, additionalDirectories} = activeSession(store.current()).session;
    const options = await agents.optionsFor(id, {cwd, additionalDirectories});
    if (!options.ok) {
      showList();
      return options;
    }
    const opened = await open(options.value);
    // What is wrong with the agent is told in its session.
    if (opened.ok) await agents.remember(id);
    return undefined;
  }

  function showList(): void {
    const {events} = showAgents();
    for (const event of events) store.dispatch(event, 'urgent');
    void find('if_allowed');
  }

  async function perform(effect: AgentsEffect): Promise<Result<unknown> | undefined> {
    if (effect.kind === 'find_agents') return find(effect.ask);
    choosing++;
    try {
      return await choose(effect.id);
    } finally {
      choosing--;
    }
  }

  return {perform, isChoosing: () => choosing > 0};
}

function viewOf({registry, failure}: Asked): RegistryView {
  if (failure) return {kind: 'failed', why: failureSentence(failure), checkedAt: registry?.checkedAt};
  return registry ? {kind: 'known', checkedAt: registry.checkedAt} : {kind: 'not_asked'};
}

function rowOf(entry: CatalogueEntry): AgentRow {
  return {
    id: entry.id,
    name: entry.name,
    origins: originWords(entry),
    about: aboutAgent(entry),
    version: versionWords(entry) || undefined,
    canStart: canStart(entry),
  };
}
