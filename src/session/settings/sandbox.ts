export const SANDBOX_LEVELS = ['on', 'off'] as const;
/** Which hosts are allowed: those that were named, the known ones and after a question others, or all that are public. */
export const NETWORK_LEVELS = ['none', 'ask', 'open'] as const;
export const SOCKET_LEVELS = ['none', 'all'] as const;

/** The values of each setting that a folder may make tighter, the tightest first. */
const LEVELS = {sandbox: SANDBOX_LEVELS, network: NETWORK_LEVELS, sandboxSockets: SOCKET_LEVELS} as const;

/** Settings that a folder may make tighter. */
export type Levels = {
  readonly [Name in keyof typeof LEVELS]?: (typeof LEVELS)[Name][number] | undefined;
} & Pick<SandboxSettings, 'sandboxHidden'>;
const NAMES = [...Object.keys(LEVELS), 'sandboxHidden'] as (keyof Levels)[];

/** Returns the tighter of two values of a setting, of lists both; undefined if it has no order. */
function tighterValue(name: string, one: unknown, other: unknown): unknown {
  if (name === 'sandboxHidden' && Array.isArray(one) && Array.isArray(other))
    return [...new Set<unknown>([...one, ...other])];
  const values: readonly unknown[] | undefined = Object.hasOwn(LEVELS, name)
    ? LEVELS[name as keyof typeof LEVELS]
    : undefined;
  return values?.find((value) => value === one || value === other);
}

/** Returns the settings with each level as tight as the given one. `usual`: what holds for those that are not set; the others of them stay so. */
export function tightenSettings<Given extends Levels>(given: Given, by: Levels, usual: Levels = {}): Given {
  const names = NAMES.filter((name) => by[name] !== undefined && (given[name] ?? usual[name]) !== undefined);
  const levels = names.map((name) => [name, tighterValue(name, given[name] ?? usual[name], by[name])]);
  return {...given, ...Object.fromEntries(levels)};
}

/** The settings of a sandbox. */
export interface SandboxSettings {
  /** More folders to write, absolute or with `~/`. Undefined if the user never named any. */
  readonly sandboxFolders?: readonly string[] | undefined;
  /** Folders that the user added to the session, real paths. Where the agent keeps its state is not known by them. */
  readonly addedFolders?: readonly string[] | undefined;
  /** Patterns of files in the workspace that are unreadable: a name, or a path from the session's folder, as in permission rules. */
  readonly sandboxHidden?: readonly string[] | undefined;
  readonly network: (typeof NETWORK_LEVELS)[number];
  /** `host`, `*.domain` or either with `:port`. */
  readonly networkHosts: readonly string[];
  readonly sandboxSockets: (typeof SOCKET_LEVELS)[number];
}

/** What the sandbox of a running agent allows. */
export interface SandboxState extends Pick<SandboxSettings, 'network' | 'sandboxSockets'> {
  /** Absolute paths: the workspace, the agent's own state, and what the user named. */
  readonly writable: readonly string[];
  /** What the user added to the session: written once the agent starts again. */
  readonly addedFolders?: readonly string[];
  /** Patterns of files in the workspace; absent in sessions of before. */
  readonly hidden?: readonly string[];
  /** Hosts that are reached without a question. */
  readonly hosts: readonly string[];
}
