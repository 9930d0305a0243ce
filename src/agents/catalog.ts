import type {AgentSettings, AgentsSettings} from '../storage/settings/agent-settings.ts';
import {escapeHiddenLine} from '../text/hidden.ts';
import {quoteWords} from '../text/shell-quote.ts';
import type {InstalledAgent} from './install/installed.ts';
import type {KnownProgram, MissingAgent} from './programs.ts';
import {commandText} from './quoting.ts';
import type {RegistryEntry} from './registry-schema.ts';
import {withoutSecrets} from './remote/address.ts';

/** Where an agent is known from; the first of an agent's says what its name starts. */
const ORIGINS = ['settings', 'installed', 'path', 'built in', 'missing', 'registry'] as const;
type Origin = (typeof ORIGINS)[number];

/** One agent, however many places know it. */
export interface CatalogEntry {
  /** What `--agent` takes. */
  readonly id: string;
  readonly name: string;
  /** In the order of `ORIGINS`, never empty. */
  readonly origins: readonly Origin[];
  /** What the settings say of it. */
  readonly settings?: AgentSettings;
  /** The program on PATH. */
  readonly program?: KnownProgram;
  readonly installed?: InstalledVersion;
  /** Well known, but not on this computer. */
  readonly missing?: MissingAgent;
  readonly registry?: RegistryEntry;
}

/** An agent that was installed by us. */
export type InstalledVersion = Pick<InstalledAgent, 'id' | 'name' | 'version' | 'start' | 'from' | 'sha256'>;

export interface CatalogParts {
  readonly configured: AgentsSettings;
  /** Those that were found. */
  readonly programs: readonly KnownProgram[];
  readonly installed: readonly InstalledVersion[];
  readonly registry: readonly RegistryEntry[];
  /** Well-known agents that are not on PATH, if they are to be listed, too. */
  readonly missing?: readonly MissingAgent[];
}

/** Always means our own, which no registry may pass off as another. */
const DEMO = 'demo';

/**
 * All agents that are known, each once: those that can be started first, in the order of their origins, then by name. What only
 * the settings of an agent name without a command is no agent by itself.
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
    // By the program's name, what is known by another id is meant as well.
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

/** The agent of that name, by its id or the name of its program. */
export function findEntry(entries: readonly CatalogEntry[], name: string): CatalogEntry | undefined {
  return entries.find(({id}) => id === name) ?? entries.find(({program}) => program?.program === name);
}

/** The version that could be installed in the place of the one that is; undefined when that is the newest known one. */
export function updateOf({installed, registry}: CatalogEntry): string | undefined {
  return installed && registry && isNewer(registry.version, installed.version) ? registry.version : undefined;
}

/** True if a version has precedence over another ("Semantic Versioning"). */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [partsOf(version), partsOf(than)];
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (one.before === other.before) return false;
  // What comes before a release is older than the release.
  if (one.before === '' || other.before === '') return one.before === '';
  return one.before.localeCompare(other.before, 'en', {numeric: true}) > 0;
}

function partsOf(version: string): {readonly numbers: readonly number[]; readonly before: string} {
  const [, numbers = '', before = ''] = /^v?(\d+(?:\.\d+)*)(?:-([^+]*))?/.exec(version) ?? [];
  return {numbers: numbers.split('.').map(Number), before};
}

/** A name that only repeats the id says less than another. */
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

/** Returns what a well-known agent lacks besides itself, or ''; undefined for any other. */
export function missingLabel(entry: CatalogEntry): string | undefined {
  if (!entry.missing || canStart(entry)) return undefined;
  const {needsAdapter} = entry.missing;
  return needsAdapter === undefined ? '' : `${needsAdapter} is on PATH, needs an adapter`;
}

/** Returns the command line that the agent's name starts, or its URL without what is secret; undefined if it is not installed, or is built in. */
export function commandLine({settings, installed, program, origins}: CatalogEntry): string | undefined {
  if (settings?.command !== undefined) return escapeHiddenLine(commandText(settings.command));
  if (settings?.url !== undefined) return escapeHiddenLine(withoutSecrets(settings.url));
  if (installed) return escapeHiddenLine(quoteWords([installed.start.command, ...installed.start.args]));
  return origins[0] === 'path' && program ? quoteWords([program.program, ...program.args]) : undefined;
}

/** The version that was installed, with what is newer, or that would be; of programs that others installed nothing is known. */
export function versionLabel(entry: CatalogEntry): string {
  const {installed, registry} = entry;
  if (!installed) return canStart(entry) ? '' : (registry?.version ?? '');
  const update = updateOf(entry);
  return installed.version + (update === undefined ? '' : ` (${update} available)`);
}

/** Returns a one-line description, or the command line if there is none. */
export function describeAgent(entry: CatalogEntry): string {
  if (entry.id === 'demo') return 'works offline; /tour shows everything in a minute';
  return entry.registry?.description ?? commandLine(entry) ?? '';
}

/** Returns author, license and links of an agent, as far as the registry has them. */
export function factsOf({registry}: CatalogEntry): readonly (readonly [name: string, value: string])[] {
  if (!registry) return [];
  const {license, authors, repository, website} = registry;
  const facts = [
    ['License', license],
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
