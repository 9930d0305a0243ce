import type {AgentsCommand} from './agents/commands.ts';
import type {CompletionCommand} from './completion/options.ts';
import type {ConfigCommand} from './config/commands.ts';
import type {DoctorOptions} from './doctor/options.ts';
import type {SessionsCommand} from './sessions/commands.ts';
import {version} from '../version.ts';
import type {InteractiveOptions, PrintOptions} from './options.ts';
import type {InspectOptions, ReplayOptions, ServeOptions} from './recording-commands.ts';

/** What the program was started in. */
export interface Surroundings {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  /** Width of the terminal, for `--help`. */
  readonly columns?: number;
}

/** What to do. A message goes to stdout when its exit code is 0, else to stderr. */
export type Parsed =
  | {readonly kind: 'interactive'; readonly options: InteractiveOptions}
  | {readonly kind: 'print'; readonly options: PrintOptions}
  | {readonly kind: 'agents'; readonly command: AgentsCommand}
  | {readonly kind: 'completion'; readonly command: CompletionCommand}
  | {readonly kind: 'config'; readonly command: ConfigCommand}
  | {readonly kind: 'sessions'; readonly command: SessionsCommand}
  | {readonly kind: 'doctor'; readonly options: DoctorOptions}
  | {readonly kind: 'inspect'; readonly options: InspectOptions}
  | {readonly kind: 'replay'; readonly options: ReplayOptions}
  | {readonly kind: 'serve'; readonly options: ServeOptions}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};

/**
 * Decides what the arguments ask for. Has no effects: it writes nothing, reads nothing and never leaves the process. Scripts
 * ask for the version to see whether the program is there, so that answer loads neither commander nor zod.
 */
export async function parseArguments(argv: readonly string[], surroundings: Surroundings): Promise<Parsed> {
  const [first] = argv;
  if (argv.length === 1 && (first === '--version' || first === '-V')) {
    return {kind: 'message', text: `${version}\n`, exitCode: 0};
  }
  if (first === 'sessions') {
    const {readSessionsCommand} = await import('./sessions/program.ts');
    const read = readSessionsCommand(argv.slice(1), surroundings.columns ?? 80);
    return read.kind === 'message' ? read : {...read, kind: 'sessions'};
  }
  if (first === 'agents') {
    const {readAgentsCommand} = await import('./agents/program.ts');
    const read = readAgentsCommand(argv.slice(1), surroundings.columns ?? 80);
    return read.kind === 'message' ? read : {...read, kind: 'agents'};
  }
  if (first === 'doctor') {
    const {readDoctorCommand} = await import('./doctor/program.ts');
    const read = readDoctorCommand(argv.slice(1), surroundings.columns ?? 80);
    return read.kind === 'message' ? read : {kind: 'doctor', options: read.command};
  }
  if (first === 'config') {
    const {readConfigCommand} = await import('./config/program.ts');
    const read = readConfigCommand(argv.slice(1), surroundings.columns ?? 80);
    return read.kind === 'message' ? read : {...read, kind: 'config'};
  }
  if (first === 'completion') {
    const {readCompletionCommand} = await import('./completion/program.ts');
    const read = readCompletionCommand(argv.slice(1), surroundings.columns ?? 80);
    return read.kind === 'message' ? read : {...read, kind: 'completion'};
  }
  if (first === 'inspect' || first === 'replay') {
    const {readRecordingCommand} = await import('./recording-commands.ts');
    return readRecordingCommand(first, argv.slice(1), surroundings);
  }
  const {interpret} = await import('./interpret.ts');
  return interpret(argv, surroundings);
}
