import type {AgentsCommand} from './agents/agents-arguments.ts';
import type {CompletionCommand} from './completion/completion-arguments.ts';
import type {ConfigCommand} from './config/config-arguments.ts';
import type {DoctorOptions} from './doctor/doctor-arguments.ts';
import type {ReviewOptions} from './review/review-arguments.ts';
import type {ServeAgentOptions} from './serve/serve-arguments.ts';
import type {SessionsCommand} from './sessions/sessions-arguments.ts';
import type {InteractiveOptions, PrintOptions} from './options.ts';
import type {InspectOptions, ReplayOptions, ServeOptions} from './recordings/recording-options.ts';

/** The terminal in which the program was started. */
export interface TerminalEnvironment {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  /** Width of the terminal, for `--help`. */
  readonly columns?: number;
}

/** The parsed arguments of each subcommand. */
export interface Subcommands {
  readonly agents: AgentsCommand;
  readonly completion: CompletionCommand;
  readonly config: ConfigCommand;
  readonly doctor: DoctorOptions;
  readonly review: ReviewOptions;
  readonly serve: ServeAgentOptions;
  readonly sessions: SessionsCommand;
}

export type SubcommandName = keyof Subcommands | 'inspect' | 'replay';

/** The parsed command line. A message goes to stdout if its exit code is 0, else to stderr. */
export type Parsed =
  | {readonly kind: 'interactive'; readonly options: InteractiveOptions}
  | {readonly kind: 'print'; readonly options: PrintOptions}
  | {
      [Name in keyof Subcommands]: {readonly kind: Name; readonly command: Subcommands[Name]};
    }[keyof Subcommands]
  | {readonly kind: 'inspect'; readonly options: InspectOptions}
  | {readonly kind: 'replay'; readonly options: ReplayOptions}
  | {readonly kind: 'serve_recording'; readonly options: ServeOptions}
  | {readonly kind: 'message'; readonly text: string; readonly exitCode: number};
