import type {ExitMessage} from './subcommand.ts';
import type {AgentStarts} from '../agents/launch.ts';
import type {BackgroundOptions, InteractiveOptions, PrintOptions} from './options.ts';
import type {InspectOptions, ReplayOptions, ServeOptions} from './recording-options.ts';

/** The terminal in which the program was started. */
export interface TerminalEnvironment {
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  /** Width of the terminal, for `--help`. */
  readonly columns?: number;
}

/** What each subcommand does, in the order of the help. */
export const SUBCOMMANDS = {
  agents: 'list, search, install and add agents',
  sessions: 'list, read, search and export sessions',
  review: 'print what changed in a folder',
  worktrees: 'list worktrees of sessions, and bring their changes back',
  usage: 'print cost and tokens by day, agent, model and folder',
  compare: 'give several agents the same prompt',
  config: 'list, show and change settings',
  doctor: 'test what an agent can do, and this installation',
  attach: 'show a session that runs in the background',
  service: 'list or end what runs in the background',
  acp: 'act as an agent for an editor, with any agent behind it',
  serve: 'serve an agent over WebSocket and HTTP',
  replay: 'play a recording, or serve it as an agent',
  inspect: 'show the messages of a recording',
  completion: 'print a script for shell completion',
  help: 'show a page of the documentation',
} as const;
export type SubcommandName = keyof typeof SUBCOMMANDS;

/** The parsed command line. A message goes to stdout if its exit code is 0, else to stderr. */
export type ParsedArguments =
  | {readonly kind: 'interactive'; readonly options: InteractiveOptions}
  | {readonly kind: 'background'; readonly options: BackgroundOptions}
  /** A prompt for a window that was probably meant for a subcommand; `text` says so, with the ways to run either. */
  | {
      readonly kind: 'mistyped';
      readonly text: string;
      readonly asPrompt: {readonly kind: 'interactive'; readonly options: InteractiveOptions};
    }
  /** By its id, or the beginning of it. */
  | {readonly kind: 'attach'; readonly id: string | undefined}
  | {readonly kind: 'print'; readonly options: PrintOptions}
  /** Resolves to the exit code. */
  | {
      readonly kind: 'subcommand';
      readonly run: (starts: AgentStarts) => Promise<number>;
    }
  | {readonly kind: 'inspect'; readonly options: InspectOptions}
  | {readonly kind: 'replay'; readonly options: ReplayOptions}
  | {readonly kind: 'serve_recording'; readonly options: ServeOptions}
  | ExitMessage;
