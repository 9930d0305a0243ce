import type {AuthVariable} from '../../session/auth-methods.ts';

/** What one agent does that no general rule can mend. */
export interface Quirks {
  /** It can only create a file when the read of it before succeeds, so a missing file must read as an empty one. */
  readonly emptyFileWhenMissing?: boolean;
  /** A request to run a command tells the command by its title alone, whole and as it is. */
  readonly commandAsTitle?: boolean;
  /** It tells a change of its mode as a message of the agent, `[MODE_UPDATE] <id>`. */
  readonly modeAsMessage?: boolean;
  /** It tells notices as messages of the agent, each in one piece: `Info: <text>`. */
  readonly noticesAsMessages?: boolean;
  /** The usage that it tells with the end of a turn counts up over the session. */
  readonly usageAddsUp?: boolean;
  /** Sign-in methods that read the environment without saying so: what they read, by the method's id. */
  readonly variables?: Readonly<Record<string, readonly AuthVariable[]>>;
  /** What takes nothing of us, or nothing can be done about, in sentences for a user. */
  readonly notes?: readonly string[];
}

/** A key that an agent may have already, from another variable or a file of its own. */
export function keyVariable(name: string): AuthVariable {
  return {name, label: 'API key', secret: true, optional: true};
}
