import {escapeHiddenLine} from '../../text/hidden.ts';
import {quoteWords} from '../../text/quote-word.ts';
import {commandText} from '../quoting.ts';
import type {RegistryEntry} from '../registry/schema.ts';
import {canStart, updateOf, type CatalogueEntry, type Origin} from './catalogue.ts';

const ORIGIN_WORDS: Readonly<Record<Origin, string>> = {
  settings: 'settings',
  installed: 'installed',
  path: 'on PATH',
  'built in': 'built in',
  registry: 'registry',
};

export function originWords({origins}: CatalogueEntry): string {
  return origins.map((origin) => ORIGIN_WORDS[origin]).join(', ');
}

/** What its name starts, as a command line; undefined where that is nothing yet, or no matter of the user's. */
export function commandLine({settings, installed, program, origins}: CatalogueEntry): string | undefined {
  if (settings?.command !== undefined) return escapeHiddenLine(commandText(settings.command));
  if (installed) return escapeHiddenLine(quoteWords([installed.start.command, ...installed.start.args]));
  return origins[0] === 'path' && program ? quoteWords([program.program, ...program.args]) : undefined;
}

/** The version that was installed, with what is newer, or that would be; of programs that others installed nothing is known. */
export function versionWords(entry: CatalogueEntry): string {
  const {installed, registry} = entry;
  if (!installed) return canStart(entry) ? '' : (registry?.version ?? '');
  const update = updateOf(entry);
  return installed.version + (update === undefined ? '' : ` (${update} is out)`);
}

/** What it is in one line; where nobody says, what it starts. */
export function aboutAgent(entry: CatalogueEntry): string {
  if (entry.id === 'demo') return 'comes with acp-tui and works offline: /tour shows everything in a minute';
  return entry.registry?.description ?? commandLine(entry) ?? '';
}

/** Who makes it, on what terms, and where more is to be found; as far as the registry says. */
export function factsOf({registry}: CatalogueEntry): readonly (readonly [name: string, value: string])[] {
  if (!registry) return [];
  const {license, authors, repository, website} = registry;
  const facts = [
    ['Licence', license],
    ['Authors', authors.join(', ')],
    ['Repository', repository],
    ['Website', website],
  ] as const;
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** How it can be got, one line for each way. */
export function waysToInstall({distribution: {npx, uvx, binary}}: RegistryEntry): readonly string[] {
  const packaged = (runner: string, way: typeof npx) =>
    way ? [quoteWords([runner, way.package, ...(way.cmd === undefined ? [] : [way.cmd]), ...way.args])] : [];
  const platforms = Object.entries(binary ?? {}).flatMap(([name, archive]) => (archive ? [name] : []));
  return [
    ...packaged('npx', npx),
    ...packaged('uvx', uvx),
    ...(platforms.length > 0 ? [`a program for ${platforms.join(', ')}`] : []),
  ];
}
