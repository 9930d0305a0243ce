import {updateOf, type CatalogueEntry, type Origin} from '../../agents/catalogue/catalogue.ts';
import {commandLineOf} from '../../agents/quoting.ts';
import type {RegistryEntry} from '../../agents/registry/schema.ts';
import type {AgentSettings} from '../../persistence/agent-settings.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {AgentsContext} from './context.ts';

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
  if (settings?.command !== undefined) return sanitizeLine(commandText(settings.command));
  if (installed) return sanitizeLine(commandLineOf([installed.start.command, ...installed.start.args]));
  return origins[0] === 'path' && program ? commandLineOf([program.program, ...program.args]) : undefined;
}

function commandText(command: NonNullable<AgentSettings['command']>): string {
  return typeof command === 'string' ? command : commandLineOf([command.command, ...(command.args ?? [])]);
}

/** The version that is there, else the one that could be; with what is newer. */
export function versionWords(entry: CatalogueEntry): string {
  const {installed, registry} = entry;
  const update = updateOf(entry);
  return (
    (installed?.version ?? registry?.version ?? '') + (update === undefined ? '' : ` (${update} is out)`)
  );
}

/** How it can be got, one line for each way. */
export function waysToInstall({distribution: {npx, uvx, binary}}: RegistryEntry): readonly string[] {
  const packaged = (runner: string, way: typeof npx) =>
    way
      ? [commandLineOf([runner, way.package, ...(way.cmd === undefined ? [] : [way.cmd]), ...way.args])]
      : [];
  const platforms = Object.entries(binary ?? {}).flatMap(([name, archive]) => (archive ? [name] : []));
  return [
    ...packaged('npx', npx),
    ...packaged('uvx', uvx),
    ...(platforms.length > 0 ? [`a program for ${platforms.join(', ')}`] : []),
  ];
}

/** As JSON for other programs. */
export function agentJson(entry: CatalogueEntry, {mask}: Pick<AgentsContext, 'mask'>) {
  const {id, name, origins, installed, registry, settings} = entry;
  const command = commandLine(entry);
  const {env = {}, mode, model, approve} = settings ?? {};
  const update = updateOf(entry);
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
