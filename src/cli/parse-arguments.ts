import type {AgentsCommand} from './agents/agents-arguments.ts';
import type {CompletionCommand} from './completion/completion-arguments.ts';
import type {ConfigCommand} from './config/config-arguments.ts';
import type {DoctorOptions} from './doctor/doctor-arguments.ts';
import type {SessionsCommand} from './sessions/sessions-arguments.ts';
import type {ReadSubcommand} from './subcommand.ts';
import {version} from '../shared/version.ts';
import type {InteractiveOptions, PrintOptions} from './options.ts';
import type {InspectOptions, ReplayOptions, ServeOptions} from './recordings/recording-arguments.ts';

/** The terminal that the program was started in. */
export interface TerminalEnvironment {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  /** Width of the terminal, for `--help`. */
  readonly columns?: number;
}

/** What each subcommand with options of its own is asked for. */
interface Subcommands {
  readonly agents: AgentsCommand;
  readonly completion: CompletionCommand;
  readonly config: ConfigCommand;
  readonly doctor: DoctorOptions;
  readonly sessions: SessionsCommand;
}

export type SubcommandName = keyof Subcommands | 'inspect' | 'replay';

/** What reads the arguments behind the name of a subcommand, loaded when that is called. */
const readers: {
  readonly [Name in keyof Subcommands]: () => Promise<
    (argv: readonly string[], columns: number) => ReadSubcommand<Subcommands[Name]>
  >;
} = {
  agents: async () => (await import('./agents/agents-arguments.ts')).readAgentsCommand,
  completion: async () => (await import('./completion/completion-arguments.ts')).readCompletionCommand,
  config: async () => (await import('./config/config-arguments.ts')).readConfigCommand,
  doctor: async () => (await import('./doctor/doctor-arguments.ts')).readDoctorCommand,
  sessions: async () => (await import('./sessions/sessions-arguments.ts')).readSessionsCommand,
};

/** The parsed command line. A message goes to stdout if its exit code is 0, else to stderr. */
export type Parsed =
  | {readonly kind: 'interactive'; readonly options: InteractiveOptions}
  | {readonly kind: 'print'; readonly options: PrintOptions}
  | {
      [Name in keyof Subcommands]: {readonly kind: Name; readonly command: Subcommands[Name]};
    }[keyof Subcommands]
  | {readonly kind: 'inspect'; readonly options: InspectOptions}
  | {readonly kind: 'replay'; readonly options: ReplayOptions}
  | {readonly kind: 'serve'; readonly options: ServeOptions}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

/**
 * Decides what the arguments ask for. Has no effects: it writes nothing, reads nothing and never leaves the process. Scripts
 * ask for the version to see whether the program is there, so that answer loads neither commander nor zod.
 */
export async function parseArguments(
  argv: readonly string[],
  environment: TerminalEnvironment,
): Promise<Parsed> {
  const [first] = argv;
  if (argv.length === 1 && (first === '--version' || first === '-V')) {
    return {kind: 'message', text: `${version}\n`, exitCode: 0};
  }
  if (first !== undefined && isSubcommand(first)) {
    const read = (await readers[first]())(argv.slice(1), environment.columns ?? 80);
    // The compiler does not see that name and command belong together.
    return read.kind === 'message' ? read : ({kind: first, command: read.command} as Parsed);
  }
  if (first === 'inspect' || first === 'replay') {
    const {readRecordingCommand} = await import('./recordings/recording-arguments.ts');
    return readRecordingCommand(first, argv.slice(1), environment);
  }
  const {interpret} = await import('./interpret.ts');
  return interpret(argv, environment);
}

function isSubcommand(name: string): name is keyof Subcommands {
  return Object.hasOwn(readers, name);
}
