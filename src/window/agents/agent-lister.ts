import {showAgents} from '../../app/pickers/agent-picker.ts';
import type {AppEvent} from '../../app/events.ts';
import {activeSession, hasGoneOn} from '../../app/sessions.ts';
import type {AppState} from '../../app/state.ts';
import {
  canStart,
  buildCatalog,
  type CatalogEntry,
  type CatalogParts,
  describeAgent,
  registryFacts,
  missingLabel,
  originLabel,
  versionLabel,
} from '../../agents/catalog.ts';
import type {FetchedRegistry, Registry} from '../../agents/registry.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import type {Store} from '../../shared/store.ts';
import type {RegistryView, AgentRow} from '../../app/pickers/listings.ts';

export interface ListedAgents {
  /** Returns the agents on this computer. */
  readonly local: () => Omit<CatalogParts, 'registry'>;
  readonly registry: Registry;
  /** True if the registry may be loaded without asking the user. */
  readonly mayContact: () => boolean;
  /** Stores the user's consent to load the registry, also in the future. */
  readonly allowContact: () => Promise<Result<void>>;
}

/** Fills the list of agents. */
export interface AgentLister {
  /** Shows local agents at once, and those of the registry when it is loaded. */
  find(ask: 'if_allowed' | 'now'): Promise<Result<void> | undefined>;
  /** Opens the list again, unless the user has gone on since: it would take what is being typed. */
  showAgain(began: AppState): void;
  /** All known agents. */
  entries(): readonly CatalogEntry[];
}

/** A registry loaded within this time is not loaded again automatically. */
const FRESH_MS = 3_600_000;

export function createAgentLister(
  store: Store<AppState, AppEvent>,
  {local, registry, mayContact, allowContact}: ListedAgents,
): AgentLister {
  function entries(): readonly CatalogEntry[] {
    return buildCatalog({...local(), registry: registry.cached()?.entries ?? []});
  }

  function show(view: RegistryView): void {
    const list = {rows: entries().map(rowOf), registry: view, address: registry.shownUrl, at: Date.now()};
    store.dispatch({type: 'agents_found', list}, 'urgent');
  }

  async function find(ask: 'if_allowed' | 'now'): Promise<Result<void> | undefined> {
    // Not during the event that opens the list.
    await Promise.resolve();
    const known = registry.cached();
    const isFresh = known !== undefined && Date.now() - known.checkedAt < FRESH_MS;
    if (ask === 'if_allowed' && (isFresh || !mayContact())) {
      show(known ? {kind: 'known', checkedAt: known.checkedAt} : {kind: 'not_asked'});
      return undefined;
    }
    show({kind: 'asking'});
    show(viewOf(await registry.fetch()));
    return ask === 'now' ? allowContact() : undefined;
  }

  return {
    find,
    entries,
    showAgain(began) {
      const now = store.latest();
      if (now.overlay.kind !== 'none' || hasGoneOn(began, now)) return;
      const {connection, unused} = activeSession(now).session;
      // No agent has been selected yet.
      const isFirst = connection.kind === 'closed' && unused;
      for (const event of showAgents({isFirst}).events) store.dispatch(event, 'urgent');
      void find('if_allowed');
    },
  };
}

function viewOf({registry, failure}: FetchedRegistry): RegistryView {
  if (failure) return {kind: 'failed', why: failureSentence(failure), checkedAt: registry?.checkedAt};
  return registry ? {kind: 'known', checkedAt: registry.checkedAt} : {kind: 'not_asked'};
}

function rowOf(entry: CatalogEntry): AgentRow {
  return {
    id: entry.id,
    name: entry.name,
    origins: originLabel(entry),
    about: describeAgent(entry),
    version: versionLabel(entry) || undefined,
    details: registryFacts(entry).map(([name, value]) => `${name}: ${value}`),
    canStart: canStart(entry),
    missing: missingLabel(entry),
  };
}
