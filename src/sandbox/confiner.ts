import type {Runtime} from './bubblewrap.ts';
import type {Workspace} from './mounts.ts';
import type {Network} from './network.ts';
import type {Programs} from './programs.ts';

export interface ConfinedPlace {
  /** Absolute. */
  readonly cwd: string;
  /** The complete environment of the command; see `SandboxPolicy.environment` for what it may inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** True for a command in a terminal, which macOS has to allow. */
  readonly isInTerminal?: boolean;
}

/** What all sandboxes have, whatever the system. */
export interface SandboxParts {
  readonly runtime: Runtime;
  readonly programs: Programs;
  readonly network: Network;
  /** Looks up what can be written and read: before anything of the agent runs, since it could change that. */
  readonly lookUp: () => Promise<Workspace>;
}

interface CommandToConfine extends ConfinedPlace {
  readonly argv: readonly [string, ...string[]];
  /** A private file of this command. */
  readonly file: string;
}

/** How a system confines commands. */
export interface Confiner {
  /** Where commands reach the proxies, and the hosts that they reach without. */
  readonly proxy: string;
  readonly direct: string;
  /** Their temporary folder, as they see it. */
  readonly temporary: string;
  /** Returns the command that runs another one inside; it needs no environment. */
  wrap(command: CommandToConfine): readonly [string, ...string[]];
  /** Resolves if nothing can be started in it any more. */
  readonly exited?: Promise<void>;
  close?(): void;
}
