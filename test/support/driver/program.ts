import pty, {type IPty} from '@lydell/node-pty';

/** A running program, seen from its terminal. */
export interface Program {
  readonly pid: number;
  write(data: string): void;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes the terminal's window: the program loses its terminal. */
  hangUp(): void;
  /** Ends it, for the end of a test. */
  end(): void;
  onData(listener: (data: string) => void): unknown;
  onExit(listener: (exit: {readonly exitCode: number; readonly signal?: number}) => void): unknown;
}

/** A command line, and what it runs in. */
export interface ProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** Starts a program in a real pseudo-terminal. */
export function spawnProgram({file, args, columns, rows, cwd, env}: ProgramOptions): Program {
  const name = env['TERM'] ?? 'xterm-256color';
  const program = pty.spawn(file, [...args], {name, cols: columns, rows, cwd, env: {...env}});
  return Object.assign(program, {
    // Known to the library, but not in its types.
    hangUp: () => (program as IPty & {destroy(): void}).destroy(),
    end: () => program.kill('SIGKILL'),
  });
}
