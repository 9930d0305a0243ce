import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProtectedMatch} from '../../session/requests/protected-paths.ts';
import type {CommandParts} from './commands.ts';
import type {Glob} from './glob.ts';

/** The operation that rules are matched against. */
export interface RuleTarget {
  readonly agent: {
    /** How the user named it. */
    readonly label: string;
    /** What it calls itself, and could call itself anything. */
    readonly claimed: string | undefined;
  };
  readonly kind: acp.ToolKind;
  /** The tool's name, if the agent sends it. */
  readonly tool: string | undefined;
  readonly paths: readonly TargetPath[];
  /** Undefined if there is no command. */
  readonly command: CommandParts | undefined;
  /** Files that are named otherwise, in the input of a tool or in links: a rule that allows need not fit them. */
  readonly alsoNamed: readonly TargetPath[];
  /** The protected paths that it names: only a rule that names them allows it. */
  readonly guarded: readonly ProtectedMatch[];
  /** What the words of the command may name. */
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
  /** What it may be. */
  readonly glob: Glob;
  /** False where part of it is not known here: a variable, a substitution, a word of code. */
  readonly isCertain: boolean;
  /** The names at its end that are known, from `/` on; empty where none is. */
  readonly tail: string;
}
