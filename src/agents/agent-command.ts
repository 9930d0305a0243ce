/** An agent that we can start: what `--agent` was resolved to. */
export interface AgentCommand {
  /** How the user named it; shown until the agent tells its own name. */
  readonly label: string;
  /** True where that is a name, and not the end of a command. */
  readonly byName?: boolean;
  /** A program, looked up on PATH when it has no slash. */
  readonly command: string;
  readonly args: readonly string[];
  /** On top of the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
}
