import type {ProcessExit} from '../shared/failure.ts';
import type {OutputSource} from './output.ts';

export interface ProcessToStart {
  /** The first is a path. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Where to start it instead, when `cwd` might lead elsewhere by now; it still hears of `cwd`. */
  readonly startIn?: string | undefined;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** A command's first process: the leader of its own process group, and in a pseudo-terminal of its session. */
export interface CommandProcess {
  readonly pid: number;
  readonly output: OutputSource;
  readonly onExit: (listener: (exit: ProcessExit) => void) => void;
  /** Types into it; undefined where it has no input. */
  readonly type?: (text: string) => void;
  /** Gives up what is still open between it and us. */
  readonly dispose: () => void;
}

/** Says why there is none. */
export interface NotStarted {
  readonly problem: Promise<string>;
}
