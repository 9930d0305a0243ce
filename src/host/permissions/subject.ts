import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ReportedCommand} from '../../session/requests/command-fields.ts';
import type {TargetHost, TargetPath} from '../rules/rule-target.ts';
import type {ExactCommand} from '../terminals/same-command.ts';

/** The operation that an agent requests, as input of the policy. */
export interface PermissionSubject {
  readonly sessionId: acp.SessionId;
  readonly access: Access;
  readonly kind: acp.ToolKind;
  readonly tool?: string | undefined;
  /** All files that the request names. */
  readonly paths: readonly TargetPath[];
  /** A shell line, or the words of a program; undefined if there is no command. */
  readonly command?: string | readonly string[] | undefined;
  /** Other commands in the request; rules apply to all of them. */
  readonly alsoRun?: readonly ReportedCommand[];
  /** The folder it runs in, resolved; the session's by default. */
  readonly cwd?: string | undefined;
  /** What is known to change the command. */
  readonly changedBy?: string | undefined;
  /** The command for comparing it with approved ones; undefined if it is uncertain what it is. */
  readonly exactly?: ExactCommand | undefined;
  /** What the agent sent for it, for hooks. */
  readonly rawInput?: unknown;
  /** A request's tool call, for comparing it with approved ones. */
  readonly call?: ToolIdentity;
}

/**
 * The kind of access that an agent requests. `insideRoots` is true if every path it names lies there. Reads inside the roots need no permission unless a rule
 * applies, and paths outside are never served.
 */
export type Access =
  | {
      readonly type: 'permission';
      readonly kind: acp.ToolKind;
      readonly insideRoots: boolean;
      readonly hasCommand: boolean;
      readonly namesFile: boolean;
      /** True if it shows nothing but a title. */
      readonly isBlank?: boolean;
    }
  | {
      readonly type: 'write';
      readonly insideRoots: boolean;
      /** A program in the sandbox has written it already. */
      readonly isDone?: boolean;
    }
  /** Of a file inside the roots. */
  | {readonly type: 'read'}
  | {readonly type: 'command'}
  /** From inside the sandbox. */
  | {readonly type: 'connection'; readonly host: TargetHost};

/** A tool call that is neither a command nor a change of files. */
export interface ToolIdentity {
  /** As claimed. */
  readonly kind: acp.ToolKind;
  /** The tool's own name, if the agent sends it. */
  readonly tool: string | undefined;
  readonly title: string;
  /** What the request shows, as JSON; empty if it shows nothing. */
  readonly input: string;
}
