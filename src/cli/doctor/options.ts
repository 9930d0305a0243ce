/** What `acp-tui doctor` is asked for. Paths are as typed. */
export interface DoctorOptions {
  /** A command line or a name; undefined for the agent that a chat would use, and then our own surroundings are looked at, too. */
  readonly agent: string | undefined;
  /** Undefined for a new folder that is removed afterwards. */
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly authMethod: string | undefined;
  /** Whether prompts may be sent; undefined when the user is to be asked. */
  readonly prompt: boolean | undefined;
  /** For each thing that the agent is asked. */
  readonly timeoutSeconds: number;
  readonly json: boolean;
  readonly record: {readonly file: string; readonly mask: boolean} | undefined;
}

/** What `--help` says of each exit code. */
export const DOCTOR_EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'all that was tried works'],
  [1, 'something that the agent advertises or owes fails, or it breaks the protocol'],
  [2, 'wrong usage: an option, a value or a file'],
  [3, 'the agent did not answer in time'],
  [6, 'the agent wants you to sign in'],
  [129, 'hung up'],
  [130, 'interrupted; what was known by then is printed'],
  [141, 'nobody reads the output any more'],
  [143, 'terminated'],
];
