import {Command} from 'commander';
import * as z from 'zod/mini';
import type {AgentSettings} from '../../storage/settings/agent-settings.ts';
import {APPROVAL_LEVELS} from '../../session/actions.ts';
import {notEmpty, oneOf, pair} from '../option-schemas.ts';
import {
  type SubcommandReader,
  choice,
  repeatable,
  readSubcommand,
  type ReadSubcommand,
  subcommandsOf,
} from '../subcommand.ts';

/** Whether to fetch the registry, and the output format. */
export interface CatalogOptions {
  /** Fetches it now, whatever is cached. */
  readonly refresh: boolean;
  /** Never fetches it. */
  readonly offline: boolean;
  readonly json: boolean;
}

/** The parsed `acp-tui agents …`. A `name` is a value of `--agent`. */
export type AgentsCommand =
  | ({readonly kind: 'list'} & CatalogOptions)
  | ({readonly kind: 'search'; readonly query: string} & CatalogOptions)
  | ({readonly kind: 'info'; readonly name: string} & CatalogOptions)
  | {
      readonly kind: 'add';
      readonly name: string;
      /** Program and arguments. */
      readonly command: readonly string[];
      readonly settings: Pick<AgentSettings, 'env' | 'mode' | 'model' | 'approve'>;
      /** True to replace an agent of that name. */
      readonly replace: boolean;
    }
  | {readonly kind: 'remove'; readonly name: string}
  | {
      readonly kind: 'install';
      readonly name: string;
      /** Undefined for the registry's version. */
      readonly version: string | undefined;
      /** Consents beforehand. */
      readonly yes: boolean;
    }
  /** Undefined for all. */
  | {readonly kind: 'update'; readonly name: string | undefined; readonly yes: boolean}
  | {readonly kind: 'uninstall'; readonly names: readonly string[]};

const flag = z.prefault(z.boolean(), false);

const catalogOptions = z.object({refresh: flag, offline: flag, json: flag}).check(
  z.refine(({refresh, offline}) => !(refresh && offline), {
    error: '--refresh and --offline cannot be combined.',
  }),
);
const addOptions = z.object({
  env: z.prefault(z.array(pair('--env', 'NAME=value')), []),
  mode: z.optional(notEmpty('--mode')),
  model: z.optional(notEmpty('--model')),
  approve: z.optional(oneOf('--approve', APPROVAL_LEVELS)),
  replace: flag,
});
const updateOptions = z.object({yes: flag});
const installOptions = z.object({version: z.optional(notEmpty('--version')), yes: flag});
const command = z
  .array(z.string())
  .check(z.minLength(1, {error: 'Missing command: acp-tui agents add <name> -- <command…>.'}));

/** Parsers of each subcommand's arguments and options; they throw a ZodError with the reason. */
export const readers = {
  list: (_, options) => ({kind: 'list', ...catalogOptions.parse(options)}),
  search: (words, options) => ({
    kind: 'search',
    query: words.join(' '),
    ...catalogOptions.parse(options),
  }),
  info: ([name = ''], options) => ({kind: 'info', name, ...catalogOptions.parse(options)}),
  add([name = '', ...words], options) {
    const {env, mode, model, approve, replace} = addOptions.parse(options);
    const settings = {
      ...(env.length > 0 && {env: Object.fromEntries(env)}),
      ...(mode !== undefined && {mode}),
      ...(model !== undefined && {model}),
      ...(approve !== undefined && {approve}),
    };
    return {kind: 'add', name, command: command.parse(words), settings, replace};
  },
  remove: ([name = '']) => ({kind: 'remove', name}),
  install([name = ''], options) {
    const {version, yes} = installOptions.parse(options);
    return {kind: 'install', name, version, yes};
  },
  update: ([name], options) => ({kind: 'update', name, ...updateOptions.parse(options)}),
  uninstall: (names) => ({kind: 'uninstall', names}),
} satisfies Readonly<Record<AgentsCommand['kind'], SubcommandReader<AgentsCommand>>>;

/** Parses the arguments after `acp-tui agents`; writes nothing and never exits. */
export function readAgentsCommand(argv: readonly string[], columns: number): ReadSubcommand<AgentsCommand> {
  return readSubcommand(argv, {columns, help: 'acp-tui agents --help', program: agentsProgram});
}

export function agentsProgram(take: (command: AgentsCommand) => void): Command {
  const program = new Command('acp-tui agents').description(
    'List, search, show, install and add agents. Without a subcommand: list.',
  );
  const add = subcommandsOf<AgentsCommand>(program, readers, take);

  looking(add('list', '', 'list agents: installed, configured, and those of the loaded registry'));
  looking(add('search', ' <words...>', 'search agents, also in the registry'));
  looking(add('info', ' <name>', 'show an agent and what it would run'));
  add('add', ' <name> [command...]', 'add your own agent: acp-tui agents add mine -- my-agent --acp')
    .addOption(repeatable('--env <NAME=value>', 'environment variable for it'))
    .option('--mode <id>', 'its mode in new sessions')
    .option('--model <id>', 'its model in new sessions')
    .addOption(choice('--approve <level>', 'what is auto-approved', APPROVAL_LEVELS))
    .option('--replace', 'replace the agent of that name');
  add('remove', ' <name>', 'remove an agent from your settings');
  add('install', ' <name>', 'install an agent from the registry (shows what it runs first)')
    .option('--version <version>', "version to install (default: the registry's)")
    .option('-y, --yes', 'do not ask for confirmation');
  add('update', ' [name]', 'update one installed agent, or all, to the version in the registry').option(
    '-y, --yes',
    'do not ask for confirmation',
  );
  add('uninstall', ' <name...>', 'uninstall agents');
  return program;
}

function looking(command: Command): Command {
  return command
    .option('--refresh', 'load the registry again')
    .option('--offline', 'do not use the network')
    .option('--json', 'print JSON');
}
