import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProtectedMatch} from '../../session/requests/protected-paths.ts';
import type {CommandReading} from './read-command.ts';

/** The operation that rules are matched against. */
export interface RuleTarget {
  readonly agent: {
    /** The name by which the user started it. */
    readonly label: string;
    /** The name that it reports, which is unverified. */
    readonly claimed: string | undefined;
  };
  readonly kind: acp.ToolKind;
  /** The kind that the agent claims, if it is another one. */
  readonly claimed?: acp.ToolKind | undefined;
  /** The tool's name, if the agent sends it. */
  readonly tool: string | undefined;
  readonly paths: readonly TargetPath[];
  /** Undefined if there is no command. One that is not known, such as that of a terminal, is not resolved. */
  readonly command: CommandReading | undefined;
  /** The protected paths that it names: only a rule that names them allows it. */
  readonly guarded: readonly ProtectedMatch[];
  /** Files that the command names. */
  readonly files: readonly NamedFile[];
  /** True if it names, or may name, more files than these. */
  readonly namesMore?: boolean;
  /** What a connection out of the sandbox leads to; undefined for everything else. */
  readonly host?: TargetHost | undefined;
}

export interface TargetHost {
  /** A name or an address, in lower case. */
  readonly name: string;
  readonly port: number;
  /** True for an address of this computer or its network, and for a name of one. */
  readonly isPrivate: boolean;
}

/** Returns a host with its port, as in a URL. */
export function hostWithPort({name, port}: Pick<TargetHost, 'name' | 'port'>): string {
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Absolute, with `/` between names. */
export interface TargetPath {
  /** As the agent named it. */
  readonly named: string;
  /** After links; undefined outside the workspace, where links are not resolved. */
  readonly real: string | undefined;
  /** What is done to it by a change that the request shows: first the kind under which it is allowed, then others that it also is. Otherwise the kind of the request. */
  readonly kinds?: readonly acp.ToolKind[];
  /** What names it, if that is neither a diff nor a location: what a request is about. */
  readonly aside?: 'input' | 'link';
}

/** Base folders of path patterns. */
export interface PatternBases {
  readonly cwd: string;
  readonly home: string;
}

/** A file that a command names. */
export interface NamedFile {
  /** Absolute, with `/` between names. */
  readonly path: string;
  /** The absolute path with the `..` of the command, which may follow a link. */
  readonly spelling: string;
  /** False if it is only a part of a word, or of something that could not be read. */
  readonly isCertain: boolean;
}
