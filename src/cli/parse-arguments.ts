import type {ResolveOptions} from '../agents/resolve.ts';
import type {ReadSubcommand} from './subcommand.ts';
import {version} from '../shared/version.ts';
import type {Parsed, SubcommandName, TerminalEnvironment} from './parsed-arguments.ts';

type Parser = (argv: readonly string[], columns: number) => Promise<Parsed>;

/** Returns a parser for a subcommand; what it parses runs in this process. */
function subcommand<Command>(
  loadReader: () => Promise<(argv: readonly string[], columns: number) => ReadSubcommand<Command>>,
  loadRun: () => Promise<(given: Command, demo: ResolveOptions['demoCommand']) => Promise<number>>,
): Parser {
  return async (argv, columns) => {
    const read = (await loadReader())(argv, columns);
    if (read.kind === 'message') return read;
    return {kind: 'subcommand', run: async (demoCommand) => (await loadRun())(read.command, demoCommand)};
  };
}

/** Each subcommand, loaded on demand. */
const subcommands: Readonly<Record<Exclude<SubcommandName, 'inspect' | 'replay' | 'attach'>, Parser>> = {
  acp: subcommand(
    async () => (await import('./editor/acp-arguments.ts')).readAcpCommand,
    async () => (await import('./editor/acp-run.ts')).acpRun,
  ),
  agents: subcommand(
    async () => (await import('./agents/agents-arguments.ts')).readAgentsCommand,
    async () => (await import('./agents/agents-run.ts')).agentsRun,
  ),
  completion: subcommand(
    async () => (await import('./completion/completion-arguments.ts')).readCompletionCommand,
    async () => (await import('./completion/completion-run.ts')).completionRun,
  ),
  config: subcommand(
    async () => (await import('./config/config-arguments.ts')).readConfigCommand,
    async () => (await import('./config/config-run.ts')).configRun,
  ),
  doctor: subcommand(
    async () => (await import('./doctor/doctor-arguments.ts')).readDoctorCommand,
    async () => (await import('./doctor/doctor-run.ts')).doctorRun,
  ),
  review: subcommand(
    async () => (await import('./review/review-arguments.ts')).readReviewCommand,
    async () => (await import('./review/review-run.ts')).reviewRun,
  ),
  serve: subcommand(
    async () => (await import('./serve/serve-arguments.ts')).readServeCommand,
    async () => (await import('./serve/serve-run.ts')).serveAgentRun,
  ),
  service: subcommand(
    async () => (await import('./service/service-arguments.ts')).readServiceCommand,
    async () => (await import('./service/service-run.ts')).serviceRun,
  ),
  sessions: subcommand(
    async () => (await import('./sessions/sessions-arguments.ts')).readSessionsCommand,
    async () => (await import('./sessions/sessions-run.ts')).sessionsRun,
  ),
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
  if (first !== undefined && isSubcommand(first))
    return subcommands[first](argv.slice(1), environment.columns ?? 80);
  if (first === 'inspect' || first === 'replay') {
    const {readRecordingCommand} = await import('./recordings/recording-arguments.ts');
    return readRecordingCommand(first, argv.slice(1), environment);
  }
  if (first === 'attach') {
    const {readAttachCommand} = await import('./service/attach-arguments.ts');
    const read = readAttachCommand(argv.slice(1), environment.columns ?? 80);
    return read.kind === 'message' ? read : {kind: 'attach', ...read.command};
  }
  const {interpret} = await import('./program.ts');
  return interpret(argv, environment);
}

function isSubcommand(name: string): name is keyof typeof subcommands {
  return Object.hasOwn(subcommands, name);
}
