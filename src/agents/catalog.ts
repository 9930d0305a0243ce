import type {AgentSettings, AgentsSettings} from '../settings/schema/agent-settings.ts';
import {escapeHiddenLine} from '../text/hidden.ts';
import {quoteWords} from '../text/shell-quote.ts';
import {type InstalledAgent, installedAgents} from './install/installed.ts';
import {findAgentId, type KnownProgram, type MissingAgent, KNOWN_PROGRAMS} from './programs.ts';
import {programOnPath} from '../shared/processes/executable.ts';
import {isNewer} from '../shared/version.ts';
import {formatCommandLine} from './command-line.ts';
import type {RegistryEntry} from './registry.ts';
import {withoutSecrets} from '../download/url.ts';

/** Sources of known agents, by precedence: the first one that knows an agent provides its start command. */
const ORIGINS = ['settings', 'installed', 'path', 'built in', 'missing', 'registry'] as const;
type Origin = (typeof ORIGINS)[number];

/** A known agent, merged from all its sources. */
export interface CatalogEntry {
  /** The name that `--agent` accepts. */
  readonly id: string;
  readonly name: string;
  /** In the order of `ORIGINS`, never empty. */
  readonly origins: readonly Origin[];
  /** Its entry in the settings. */
  readonly settings?: AgentSettings;
  /** The program on PATH. */
  readonly program?: KnownProgram;
  readonly installed?: InstalledVersion;
  /** Set for a well-known agent that is not on this computer. */
  readonly missing?: MissingAgent;
  readonly registry?: RegistryEntry;
}

/** An agent installed by acp-tui. */
export type InstalledVersion = Pick<InstalledAgent, 'id' | 'name' | 'version' | 'start' | 'from' | 'sha256'>;

export interface CatalogParts {
  readonly configured: AgentsSettings;
  /** Programs found on PATH. */
  readonly programs: readonly KnownProgram[];
  readonly installed: readonly InstalledVersion[];
  readonly registry: readonly RegistryEntry[];
  /** Well-known agents that are not on PATH; left out where they are not listed. */
  readonly missing?: readonly MissingAgent[];
}

/** Reserved for the built-in demo agent: no registry entry may use it. */
const DEMO = 'demo';

/**
 * Returns all known agents, each once: those that can be started first, in the order of their origins, then by name. An entry of the settings without a
 * command adds no agent.
 */
export function buildCatalog(parts: CatalogParts): readonly CatalogEntry[] {
  const entries = new Map<string, CatalogEntry>();
  function add(id: string, name: string, what: Omit<CatalogEntry, 'id' | 'name'>): void {
    const before = entries.get(id);
    const origins = ORIGINS.filter((origin) =>
      [...(before?.origins ?? []), ...what.origins].includes(origin),
    );
    entries.set(id, {...before, ...what, id, name: nameFor(before?.name, name, id), origins});
  }
  add(DEMO, 'Demo', {origins: ['built in']});
  for (const entry of parts.registry)
    if (entry.id !== DEMO) add(entry.id, entry.name, {origins: ['registry'], registry: entry});
  for (const missing of parts.missing ?? []) add(missing.id, missing.name, {origins: ['missing'], missing});
  for (const program of parts.programs) add(program.id, program.name, {origins: ['path'], program});
  for (const installed of parts.installed)
    add(installed.id, installed.name, {origins: ['installed'], installed});
  for (const [name, settings] of Object.entries(parts.configured)) {
    // An agent known by another id is found by its program's name.
    const id = entries.has(name) ? name : (parts.programs.find(({program}) => program === name)?.id ?? name);
    if (settings.command !== undefined || settings.url !== undefined)
      add(name, name, {origins: ['settings'], settings});
    else if (entries.has(id)) entries.set(id, {...entries.get(id), settings} as CatalogEntry);
  }
  return [...entries.values()].sort(byUse);
}

/** True if the agent can be started as it is. */
export function canStart({origins}: CatalogEntry): boolean {
  return origins[0] !== 'registry' && origins[0] !== 'missing';
}

/** Returns the agent with this id or program name, or the one that is meant by it. */
export function findEntry(entries: readonly CatalogEntry[], name: string): CatalogEntry | undefined {
  const byId = (wanted: string | undefined) => entries.find(({id}) => id === wanted);
  return byId(name) ?? entries.find(({program}) => program?.program === name) ?? byId(findAgentId(name));
}

/** Returns the registry's version if it is newer than the installed one; undefined if there is no update. */
export function availableUpdate({installed, registry}: CatalogEntry): string | undefined {
  return installed && registry && isNewer(registry.version, installed.version) ? registry.version : undefined;
}

/** A name that only repeats the id is less useful than another one. */
function nameFor(before: string | undefined, name: string, id: string): string {
  return name === id && before !== undefined ? before : name;
}

function byUse(one: CatalogEntry, other: CatalogEntry): number {
  const place = ({origins}: CatalogEntry) => ORIGINS.indexOf(origins[0] ?? 'registry');
  return (
    place(one) - place(other) || one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1)
  );
}

const ORIGIN_WORDS: Readonly<Record<Origin, string>> = {
  settings: 'settings',
  installed: 'installed',
  path: 'on PATH',
  'built in': 'built in',
  missing: '',
  registry: 'registry',
};

export function originLabel({origins}: CatalogEntry): string {
  return origins
    .map((origin) => ORIGIN_WORDS[origin])
    .filter(Boolean)
    .join(', ');
}

/** Returns what else a well-known agent needs, or ''; undefined for any other agent. */
export function missingLabel(entry: CatalogEntry): string | undefined {
  if (!entry.missing || canStart(entry)) return undefined;
  const {needsAdapter} = entry.missing;
  return needsAdapter === undefined ? '' : `${needsAdapter} is here; adds its adapter`;
}

/** Returns the command line of an agent, or its URL without secrets; undefined if it is not installed, or is built in. */
export function commandLine({settings, installed, program, origins}: CatalogEntry): string | undefined {
  if (settings?.command !== undefined) return escapeHiddenLine(formatCommandLine(settings.command));
  if (settings?.url !== undefined) return escapeHiddenLine(withoutSecrets(settings.url));
  if (installed) return escapeHiddenLine(quoteWords([installed.start.command, ...installed.start.args]));
  return origins[0] === 'path' && program ? quoteWords([program.program, ...program.args]) : undefined;
}

/** Returns the installed version with its update, or the version that would be installed; '' for programs that acp-tui did not install. */
export function versionLabel(entry: CatalogEntry): string {
  const {installed, registry} = entry;
  if (!installed) return canStart(entry) ? '' : (registry?.version ?? '');
  const update = availableUpdate(entry);
  return installed.version + (update === undefined ? '' : ` (${update} available)`);
}

/** Returns a one-line description, or the command line if there is none. */
export function describeAgent(entry: CatalogEntry): string {
  if (entry.id === 'demo') return 'built in, offline; /tour shows around';
  return entry.registry?.description ?? commandLine(entry) ?? '';
}

/** Returns author, license and links of an agent, as far as the registry has them. */
export function registryFacts({registry}: CatalogEntry): readonly (readonly [name: string, value: string])[] {
  if (!registry) return [];
  const {license, license_url: licenseUrl, authors, repository, website, preview} = registry;
  const facts = [
    ['License', [license, licenseUrl].filter(Boolean).join(', ')],
    ['Preview', preview?.version],
    ['Authors', authors.join(', ')],
    ['Repository', repository],
    ['Website', website],
  ] as const;
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** Returns the ways to install an agent, one line each. */
export function waysToInstall({distribution: {npx, uvx, binary}}: RegistryEntry): readonly string[] {
  const packaged = (runner: string, way: typeof npx) =>
    way ? [quoteWords([runner, way.package, ...(way.cmd === undefined ? [] : [way.cmd]), ...way.args])] : [];
  const platforms = Object.entries(binary ?? {}).flatMap(([name, archive]) => (archive ? [name] : []));
  return [
    ...packaged('npx', npx),
    ...packaged('uvx', uvx),
    ...(platforms.length > 0 ? [`program for ${platforms.join(', ')}`] : []),
  ];
}

interface LocalAgentSources {
  readonly configured: AgentsSettings;
  /** Where agents are installed. */
  readonly agents: string;
  /** The `PATH` to search. */
  readonly path: string | undefined;
}

/** Returns the agents on this computer; does not use the network. */
export function localAgents({configured, agents, path}: LocalAgentSources): Omit<CatalogParts, 'registry'> {
  return {
    configured,
    programs: KNOWN_PROGRAMS.filter(({program}) => programOnPath(program, path) !== undefined),
    installed: installedAgents(agents),
  };
}
