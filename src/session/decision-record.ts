import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionDecision} from './state.ts';

/** One decision about what an agent wanted: who made it, about what, and why. Its texts are the agent's own. */
export interface DecisionRecord {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly sessionId: acp.SessionId;
  /** `session/request_permission`, `fs/read_text_file`, `fs/write_text_file` or `terminal/create`; `trust` for the settings of a folder. */
  readonly method: string;
  /** In one line: a tool call's title, a path, a command line. */
  readonly title: string;
  readonly kind: acp.ToolKind;
  readonly outcome: PermissionDecision['outcome'];
  /** The option's name, where one was chosen. */
  readonly option?: string;
  /** `user`, `agent`, `an earlier answer`, `--approve edits`, or the rules. */
  readonly by: string;
  /** The key that the user answered with. */
  readonly key?: string;
  /** What decided that the user was asked. */
  readonly askedBy?: string;
  /** The files that it named. */
  readonly paths?: readonly string[];
  readonly command?: string;
  /** Why nobody could say exactly what the command does. */
  readonly unresolved?: string;
}
