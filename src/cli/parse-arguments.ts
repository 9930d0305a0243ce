import type {ReadSubcommand} from './subcommand.ts';
import {version} from '../shared/version.ts';
import type {TerminalEnvironment, Subcommands, Parsed} from './parsed-arguments.ts';

/** Parsers of each subcommand's arguments, loaded on demand. */
const readers: {
  readonly [Name in keyof Subcommands]: () => Promise<
    (argv: readonly string[], columns: number) => ReadSubcommand<Subcommands[Name]>
  >;
} = {
  agents: async () => (await import('./agents/agents-arguments.ts')).readAgentsCommand,
  completion: async () => (await import('./completion/completion-arguments.ts')).readCompletionCommand,
  config: async () => (await import('./config/config-arguments.ts')).readConfigCommand,
  doctor: async () => (await import('./doctor/doctor-arguments.ts')).readDoctorCommand,
  review: async () => (await import('./review/review-arguments.ts')).readReviewCommand,
  serve: async () => (await import('./serve/serve-arguments.ts')).readServeCommand,
  sessions: async () => (await import('./sessions/sessions-arguments.ts')).readSessionsCommand,
};

/**
 * Parses the arguments. No side effects: it writes nothing, reads nothing and never exits. Scripts use `--version` to check that the program exists, so that
 * path loads neither commander nor zod.
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
    // The type checker can't see that name and command match.
    return read.kind === 'message' ? read : ({kind: first, command: read.command} as Parsed);
  }
  if (first === 'inspect' || first === 'replay') {
    const {readRecordingCommand} = await import('./recordings/recording-arguments.ts');
    return readRecordingCommand(first, argv.slice(1), environment);
  }
  const {interpret} = await import('./program.ts');
  return interpret(argv, environment);
}

function isSubcommand(name: string): name is keyof Subcommands {
  return Object.hasOwn(readers, name);
}
