/** Which hosts are allowed: those that were named, the known ones and after a question others, or all that are public. */
export const NETWORK_LEVELS = ['none', 'ask', 'open'] as const;
export const SOCKET_LEVELS = ['none', 'all'] as const;

/** The setting `sandbox`, as far as a folder may make it tighter. */
export interface SandboxLevels {
  readonly enabled?: boolean | undefined;
  readonly network?: (typeof NETWORK_LEVELS)[number] | undefined;
  readonly sockets?: (typeof SOCKET_LEVELS)[number] | undefined;
  readonly hidden?: readonly string[] | undefined;
}

/** The values of those with an order, the tightest first. */
const LEVELS = {enabled: [true, false], network: NETWORK_LEVELS, sockets: SOCKET_LEVELS} as const;

/** Returns a sandbox with each level as tight as the given one. `usual`: what holds for those that are not set; the others of them stay so. */
export function tightenSandbox<Given extends SandboxLevels>(
  given: Given,
  by: SandboxLevels,
  usual: SandboxLevels = {},
): Given {
  const own: SandboxLevels = {...usual, ...given};
  const hidden = own.hidden && by.hidden && [...new Set([...own.hidden, ...by.hidden])];
  const names = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
  const levels = names.flatMap((name) => {
    if (own[name] === undefined || by[name] === undefined) return [];
    return [[name, LEVELS[name].find((level) => level === own[name] || level === by[name])] as const];
  });
  return {...given, ...Object.fromEntries(levels), ...(hidden && {hidden})};
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

/** Returns whether another agent that works beside that of a session, or goes on for it, is confined; undefined if its settings decide. */
export function isConfinedBeside({sandbox}: {readonly sandbox?: SandboxState | undefined}): true | undefined {
  return sandbox ? true : undefined;
}
