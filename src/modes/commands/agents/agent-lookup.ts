import {
  buildCatalog,
  type CatalogEntry,
  type CatalogParts,
  availableUpdate,
  commandLine,
} from '../../../agents/catalog.ts';
import {missingAgents} from '../../../agents/programs.ts';
import type {FetchedRegistry, KnownRegistry, Registry} from '../../../agents/registry.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import type {Mask} from '../../../export/mask.ts';
import {ago} from '../../../text/format.ts';
import type {SubcommandIo} from '../../../cli/terminal-io.ts';
import type {CatalogOptions} from './agents-arguments.ts';

/** All agents, and the result of loading the registry. */
export interface LoadedCatalog {
  readonly entries: readonly CatalogEntry[];
  readonly registry: KnownRegistry | undefined;
  /** False if the registry could not be fetched and is not cached. */
  readonly isComplete: boolean;
}

/** A cached registry is reused for this long, unless `--refresh` is passed, in milliseconds. */
const FRESH_MS = 3_600_000;

/** Loads all agents. `asks`: fetch the registry if the cached one is old. Prints why fetching failed, and uses the cache then. */
export async function loadCatalog(
  {refresh, offline}: CatalogOptions,
  context: AgentsContext,
  {asks}: {readonly asks: boolean},
): Promise<LoadedCatalog> {
  const {registry, local, now, signal} = context;
  const known = registry.cached();
  const isOld = known === undefined || now() - known.checkedAt > FRESH_MS;
  const isAsked = refresh || (asks && isOld && !offline);
  const fetched: FetchedRegistry = isAsked ? await registry.fetch(signal) : {registry: known};
  if (isAsked) warnAboutRegistry(fetched, context);
  return {
    entries: buildCatalog({...local, registry: fetched.registry?.entries ?? []}),
    registry: fetched.registry,
    isComplete: !isAsked || fetched.registry !== undefined,
  };
}

function warnAboutRegistry({registry, failure}: FetchedRegistry, {warn, now}: AgentsContext): void {
  if (failure) {
    const instead = registry
      ? ` Using the list loaded ${ago(now() - registry.checkedAt)}.`
      : ' Only local agents are known.';
    warn(failureSentence(failure) + (failure.kind === 'download' ? instead : ''));
  }
  if (!registry || registry.left.length === 0) return;
  const {left} = registry;
  const named = left.slice(0, 5).map(({name, problem}) => `${name} (${problem})`);
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : '';
  const what = left.length === 1 ? 'One entry' : `${left.length} entries`;
  warn(`${what} of the registry ignored: ${named.join(', ')}${more}.`);
}

/** Returns a line about the age of the cached registry; without one, also the well-known agents that are not here. */
export function registryLine(
  {registry, isComplete}: LoadedCatalog,
  {registry: {shownUrl}, now, path}: AgentsContext,
): string {
  if (registry) {
    const agents = `${registry.entries.length} agents`;
    return `Registry: ${agents}, loaded ${ago(now() - registry.checkedAt)}. --refresh loads ${shownUrl} again.`;
  }
  if (!isComplete) return '';
  const missing = missingAgents(path).map(({id}) => id);
  const others =
    missing.length === 0
      ? ''
      : `Not installed: ${missing.join(', ')}. acp-tui agents install NAME installs one.\n`;
  return `${others}Registry not loaded. --refresh loads ${shownUrl}.`;
}

/** Dependencies of the `agents` subcommands. */
export interface AgentsContext extends Pick<
  SubcommandIo,
  'stdout' | 'stderr' | 'warn' | 'confirm' | 'status'
> {
  /** The config folder. */
  readonly config: string;
  /** Where agents are installed. */
  readonly agents: string;
  /** The agents on this computer. */
  readonly local: Omit<CatalogParts, 'registry'>;
  readonly registry: Registry;
  /** Cancels long operations. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The current folder. */
  readonly cwd: string;
  /** The `PATH` to search. */
  readonly path: string | undefined;
  readonly mask: Mask;
}

/** Returns an agent as JSON for other programs; without values of settings that may be secret. */
export function agentJson(entry: CatalogEntry, {mask}: Pick<AgentsContext, 'mask'>) {
  const {id, name, origins, installed, registry, settings} = entry;
  const command = commandLine(entry);
  const {env = {}, mode, model, approve} = settings ?? {};
  const update = availableUpdate(entry);
  return {
    id,
    name,
    origins,
    ...(command !== undefined && {command: mask(command)}),
    ...(settings && {settings: {env: Object.keys(env), mode, model, approve}}),
    ...(installed && {installedVersion: installed.version}),
    ...(update !== undefined && {update}),
    ...(registry && {registry}),
  };
}
