import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProtectedMatch} from '../../session/requests/protected-paths.ts';
import type {CommandParts} from './commands.ts';
import type {Glob} from './glob.ts';

/** The operation that rules are matched against. */
export interface RuleTarget {
  readonly agent: {
    /** The name by which the user started it. */
    readonly label: string;
    /** The name that it reports, which is unverified. */
    readonly claimed: string | undefined;
  };
  readonly kind: acp.ToolKind;
  /** The tool's name, if the agent sends it. */
  readonly tool: string | undefined;
  readonly paths: readonly TargetPath[];
  /** Undefined if there is no command. */
  readonly command: CommandParts | undefined;
  /** Files named in a tool's input or in links: `allow` rules need not match them. */
  readonly alsoNamed: readonly TargetPath[];
  /** The protected paths that it names: only a rule that names them allows it. */
  readonly guarded: readonly ProtectedMatch[];
  /** Files that the words of the command may name. */
  readonly files: readonly NamedFile[];
}

/** Absolute, with `/` between names. */
export interface TargetPath {
  /** As the agent named it. */
  readonly named: string;
  /** After links; undefined outside the workspace, where links are not resolved. */
  readonly real: string | undefined;
}

/** Base folders of path patterns. */
export interface Bases {
  readonly cwd: string;
  readonly home: string;
}

/** A file that a word of a command may name. */
export interface NamedFile {
  /** Absolute; undefined if the word matches several files, or only the shell can expand it. */
  readonly path: string | undefined;
  /** All paths that it may be. */
  readonly glob: Glob;
  /** False if part of it is unknown: a variable, a substitution, a word of code. */
  readonly isCertain: boolean;
  /** The known part at its end, from a `/` on; empty if there is none. */
  readonly tail: string;
}
