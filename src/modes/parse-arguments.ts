import type {AgentStarts} from '../agents/launch.ts';
import type {ReadSubcommand} from '../cli/subcommand.ts';
import {version} from '../shared/version.ts';
import {
  SUBCOMMANDS,
  type ParsedArguments,
  type SubcommandName,
  type TerminalEnvironment,
} from '../cli/parsed-arguments.ts';

type Parser = (argv: readonly string[], columns: number) => Promise<ParsedArguments>;

/** Returns a parser for a subcommand; what it parses runs in this process. */
function subcommand<Command>(
  loadReader: () => Promise<(argv: readonly string[], columns: number) => ReadSubcommand<Command>>,
  loadRun: () => Promise<(given: Command, starts: AgentStarts) => Promise<number>>,
): Parser {
  return async (argv, columns) => {
    const read = (await loadReader())(argv, columns);
    if (read.kind === 'message') return read;
    return {kind: 'subcommand', run: async (starts) => (await loadRun())(read.command, starts)};
  };
}

/** Each subcommand, loaded on demand. */
const subcommands: Readonly<Record<Exclude<SubcommandName, 'inspect' | 'replay' | 'attach'>, Parser>> = {
  acp: subcommand(
    async () => (await import('./commands/acp/acp-arguments.ts')).readAcpCommand,
    async () => (await import('./commands/acp/acp-run.ts')).acpRun,
  ),
  agents: subcommand(
    async () => (await import('./commands/agents/agents-arguments.ts')).readAgentsCommand,
    async () => (await import('./commands/agents/agents-run.ts')).agentsRun,
  ),
  compare: subcommand(
    async () => (await import('./commands/compare/compare-arguments.ts')).readCompareCommand,
    async () => (await import('./commands/compare/compare-run.ts')).compareRun,
  ),
  completion: subcommand(
    async () => (await import('./commands/completion/completion-arguments.ts')).readCompletionCommand,
    async () => (await import('./commands/completion/completion-run.ts')).completionRun,
  ),
  config: subcommand(
    async () => (await import('./commands/config/config-arguments.ts')).readConfigCommand,
    async () => (await import('./commands/config/config-run.ts')).configRun,
  ),
  doctor: subcommand(
    async () => (await import('./commands/doctor/doctor-arguments.ts')).readDoctorCommand,
    async () => (await import('./commands/doctor/doctor-run.ts')).doctorRun,
  ),
  help: subcommand(
    async () => (await import('./commands/help/help-arguments.ts')).readHelpCommand,
    async () => (await import('./commands/help/help-run.ts')).helpRun,
  ),
  review: subcommand(
    async () => (await import('./commands/review/review-arguments.ts')).readReviewCommand,
    async () => (await import('./commands/review/review-run.ts')).reviewRun,
  ),
  serve: subcommand(
    async () => (await import('./commands/serve/serve-arguments.ts')).readServeCommand,
    async () => (await import('./commands/serve/serve-run.ts')).serveAgentRun,
  ),
  service: subcommand(
    async () => (await import('./commands/service/service-arguments.ts')).readServiceCommand,
    async () => (await import('./commands/service/service-run.ts')).serviceRun,
  ),
  sessions: subcommand(
    async () => (await import('./commands/sessions/sessions-arguments.ts')).readSessionsCommand,
    async () => (await import('./commands/sessions/sessions-run.ts')).sessionsRun,
  ),
  worktrees: subcommand(
    async () => (await import('./commands/worktrees/worktrees-arguments.ts')).readWorktreesCommand,
    async () => (await import('./commands/worktrees/worktrees-run.ts')).worktreesRun,
  ),
  usage: subcommand(
    async () => (await import('./commands/usage/usage-arguments.ts')).readUsageCommand,
    async () => (await import('./commands/usage/usage-run.ts')).usageRun,
  ),
};

/**
 * Parses the arguments. No side effects: it writes nothing, reads nothing and never exits. Scripts use `--version` to check that the program exists, so that
 * path loads neither commander nor zod.
 */
export async function parseArguments(
  argv: readonly string[],
  environment: TerminalEnvironment,
): Promise<ParsedArguments> {
  const [first] = argv;
  if (argv.length === 1 && (first === '--version' || first === '-V')) {
    return {kind: 'message', text: `${version}\n`, exitCode: 0};
  }
  const [command, ...others] = await meantBy(argv);
  if (command !== undefined && isSubcommand(command)) return parseSubcommand(command, others, environment);
  const {interpret} = await import('../cli/program.ts');
  const asPrompt = interpret(argv, environment);
  const meant = await mistyped(argv);
  if (meant === undefined) return asPrompt;
  return asPrompt.kind === 'interactive'
    ? {kind: 'mistyped', text: meant, asPrompt}
    : {kind: 'message', text: meant, exitCode: 2};
}

/** Returns the arguments as they are meant after `help`: for a subcommand without a page, or one with more words, its own help; nothing if they are a prompt. */
async function meantBy(argv: readonly string[]): Promise<readonly string[]> {
  const [first, name = '', ...others] = argv;
  if (first !== 'help') return argv;
  const {continuesPrompt, isHelpPage} = await import('./commands/help/help-arguments.ts');
  if (isSubcommand(name) && (others.length > 0 || !isHelpPage(name))) return [name, ...others, '--help'];
  return continuesPrompt(argv.slice(1)) ? [] : argv;
}

async function parseSubcommand(
  name: SubcommandName,
  argv: readonly string[],
  environment: TerminalEnvironment,
): Promise<ParsedArguments> {
  if (name === 'inspect' || name === 'replay') {
    const {readRecordingCommand} = await import('./commands/recordings/recording-arguments.ts');
    return readRecordingCommand(name, argv, environment);
  }
  const {columns = 80} = environment;
  if (name !== 'attach') return subcommands[name](argv, columns);
  const {readAttachCommand} = await import('./commands/service/attach-arguments.ts');
  const read = readAttachCommand(argv, columns);
  return read.kind === 'message' ? read : {kind: 'attach', ...read.command};
}

/** Returns what to say of words that are probably meant for a subcommand, because its name is alone or it takes the others; otherwise they are a prompt. */
async function mistyped(typed: readonly string[]): Promise<string | undefined> {
  const {mistypedText, similarSubcommand} = await import('../cli/program.ts');
  const [first = '', ...others] = typed;
  const name = similarSubcommand(first);
  const taken = name && (others.length === 0 ? others : await takenBy(name, others));
  return name && taken && mistypedText([name, ...taken], typed);
}

/** Returns the words as a subcommand takes them, the first one perhaps in another spelling, and perhaps with too few; undefined if it does not. */
async function takenBy(
  name: SubcommandName,
  words: readonly string[],
  isExact = true,
): Promise<readonly string[] | undefined> {
  const [command = '', ...given] = await meantBy([name, ...words]);
  if (!isSubcommand(command)) return undefined;
  const parsed = await parseSubcommand(command, given, {stdinIsTty: true, stdoutIsTty: true});
  if (parsed.kind !== 'message' || parsed.exitCode === 0) return words;
  const {suggestion, isIncomplete} = parsed;
  const [, ...others] = words;
  if (isIncomplete) return isExact || others.length === 0 ? words : undefined;
  return suggestion === undefined ? undefined : takenBy(name, [suggestion, ...others], false);
}

function isSubcommand(name: string): name is SubcommandName {
  return Object.hasOwn(SUBCOMMANDS, name);
}
