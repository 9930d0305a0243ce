import type {Argument, Command, Option} from 'commander';
import {agentsProgram} from '../agents/agents-arguments.ts';
import {choicesOf, isInternal} from '../../../cli/option-table.ts';
import {acpProgram} from '../acp/acp-arguments.ts';
import {compareProgram} from '../compare/compare-arguments.ts';
import {configProgram} from '../config/config-arguments.ts';
import {doctorProgram} from '../doctor/doctor-arguments.ts';
import type {SubcommandName} from '../../../cli/parsed-arguments.ts';
import {mainProgram} from '../../../cli/program.ts';
import {recordingPrograms} from '../recordings/recording-arguments.ts';
import {HELP_PAGES, helpProgram} from '../help/help-arguments.ts';
import {reviewProgram} from '../review/review-arguments.ts';
import {attachProgram} from '../service/attach-arguments.ts';
import {serviceProgram} from '../service/service-arguments.ts';
import {serveProgram} from '../serve/serve-arguments.ts';
import {sessionsProgram} from '../sessions/sessions-arguments.ts';
import {worktreesProgram} from '../worktrees/worktrees-arguments.ts';
import {usageProgram} from '../usage/usage-arguments.ts';
import {SHELLS, completionProgram} from './completion-arguments.ts';

/** Possible values of an argument: words, a list of what is on this computer, or one that only the user knows. */
export type Values =
  | readonly string[]
  | 'agents'
  | 'own-agents'
  | 'installed-agents'
  | 'sessions'
  | 'settings'
  | 'files'
  | 'folders'
  | 'any';

interface OptionSpec {
  /** As in the help, with the name of its value. */
  readonly usage: string;
  /** With their dashes, the long one last. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value: Values | undefined;
}

export interface CommandSpec {
  /** The path of subcommands, separated by blanks; empty for the program itself. */
  readonly path: string;
  readonly options: readonly OptionSpec[];
  readonly subcommands: readonly {readonly name: string; readonly description: string}[];
  /** Its arguments; undefined if it has none. */
  readonly argument: Values | undefined;
}

/** All subcommands, in the order of the help; a missing one fails the type check. */
const PROGRAMS: Readonly<Record<SubcommandName, (take: () => void) => Command>> = {
  agents: agentsProgram,
  sessions: sessionsProgram,
  review: reviewProgram,
  worktrees: worktreesProgram,
  usage: usageProgram,
  compare: compareProgram,
  config: configProgram,
  doctor: doctorProgram,
  attach: attachProgram,
  service: serviceProgram,
  acp: acpProgram,
  serve: serveProgram,
  ...recordingPrograms,
  completion: completionProgram,
  help: helpProgram,
};

/** Returns all commands and options, as in the help. */
export function completionSpec(): readonly CommandSpec[] {
  const programs = Object.values(PROGRAMS).map((make) => make(() => {}));
  const main = specOf(mainProgram(), '');
  const subcommands = programs.map((program) => ({
    name: pathOf(program),
    description: firstSentence(program.description()),
  }));
  return [
    {...main, subcommands},
    ...programs.flatMap((program) => {
      const path = pathOf(program);
      const inner = program.commands.flatMap((command) =>
        namesOf(command).map((name) => specOf(command, `${path} ${name}`)),
      );
      return [specOf(program, path)].concat(inner);
    }),
  ];
}

/** Prefixes a subcommand's name with acp-tui. */
function pathOf(program: Command): string {
  return program.name().replace(/^acp-tui /, '');
}

function specOf(command: Command, path: string): CommandSpec {
  const options = command.options.filter((option) => !isInternal(option));
  const [argument] = command.registeredArguments;
  return {
    path,
    options: [
      ...options.map((option) => ({
        usage: option.flags,
        flags: [option.short, option.long].filter((flag) => flag !== undefined),
        description: option.description,
        value: option.required || option.optional ? valuesOf(option) : undefined,
      })),
      {usage: '-h, --help', flags: ['--help'], description: 'show help', value: undefined},
    ].filter(
      ({flags}, index, all) => all.findIndex((other) => other.flags.at(-1) === flags.at(-1)) === index,
    ),
    subcommands: command.commands.flatMap((inner) =>
      namesOf(inner).map((name) => ({name, description: firstSentence(inner.description())})),
    ),
    argument: argument && argumentValues(argument, path),
  };
}

function namesOf(command: Command): readonly string[] {
  return [command.name(), ...command.aliases()];
}

/** By the placeholder in the angle brackets of the help. */
const BY_NAME: Readonly<Record<string, Values>> = {
  file: 'files',
  path: 'files',
  recording: 'files',
  dir: 'folders',
  agent: 'agents',
  shell: SHELLS,
  page: Object.keys(HELP_PAGES),
};

const BY_OPTION: Readonly<Record<string, Values>> = {
  '--resume': 'sessions',
  '--session': 'sessions',
  '--agent': 'agents',
};

/** By command, where the placeholder is ambiguous. */
const BY_COMMAND: readonly (readonly [path: RegExp, values: Values])[] = [
  [/^(?:sessions (?:show|logs|export|delete|stop|restore)|service stop|attach)$/, 'sessions'],
  [/^agents info$/, 'agents'],
  [/^agents remove$/, 'own-agents'],
  [/^agents (?:update|uninstall)$/, 'installed-agents'],
  [/^config (?:get|set|unset)$/, 'settings'],
];

function valuesOf(option: Option): Values {
  const [, name = ''] = /[<[]([^\]>]+)[\]>]/.exec(option.flags) ?? [];
  return choicesOf(option) ?? BY_OPTION[option.long ?? ''] ?? BY_NAME[name] ?? 'any';
}

function argumentValues(argument: Argument, path: string): Values {
  return BY_COMMAND.find(([command]) => command.test(path))?.[1] ?? BY_NAME[argument.name()] ?? 'any';
}

function firstSentence(description: string): string {
  return description.split(/(?<=\.) |[:;] /, 1)[0]?.replace(/\.$/, '') ?? '';
}
