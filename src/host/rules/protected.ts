import {homedir} from 'node:os';
import {dirname, resolve} from 'node:path/posix';
import {
  protectedEntries,
  type ProtectedEntry,
  type ProtectedMatch,
} from '../../session/requests/protected-paths.ts';
import {intersects, pathGlob, type Glob} from './glob.ts';
import {ANY_FILE} from './files/named-files.ts';
import type {TargetPath, NamedFile} from './rule-target.ts';

/** The files that a command writes, besides those that its words name. */
export interface WrittenFiles {
  /** Words that only the shell can expand. */
  readonly unknown: readonly string[];
  /** Folders in which whole trees are written or changed. */
  readonly folders: readonly NamedFile[];
  /** Protected paths that it writes without naming them. */
  readonly unnamed: readonly string[];
}

/** Finds the protected paths among the files that a request names and writes. */
export interface ProtectedPathFinder {
  (
    paths: readonly TargetPath[],
    files: readonly NamedFile[],
    written?: WrittenFiles,
  ): readonly ProtectedMatch[];
}

/** No path pattern can allow it. */
export const NO_PATH = /(?!)/;

/** Maximum total length of wildcard words, each of which is matched against the whole list, in characters. */
const MAX_PATTERNS = 1500;
const UNREAD: ProtectedMatch = {shown: 'a pattern that is too long', pattern: NO_PATH};

/** `ownFolders`: acp-tui's own folders, absolute, under all their names. */
export function createProtectedPathFinder(ownFolders: readonly string[]): ProtectedPathFinder {
  const entries = protectedEntries(ownFolders);
  const any = new RegExp(entries.map(({pattern}) => pattern.source).join('|'));

  function named(path: string): ProtectedMatch | undefined {
    const lower = path.toLowerCase();
    if (!any.test(lower)) return undefined;
    const entry = entries.find(({pattern}) => pattern.test(lower));
    return entry && {shown: `${shortened(path)} (${entry.what})`, pattern: entry.pattern};
  }

  /** A word with wildcards that may match a protected name: `.bash*`. */
  let globs: readonly {readonly entry: ProtectedEntry; readonly globs: readonly Glob[]}[] | undefined;
  function byPattern(glob: Glob): ProtectedMatch | undefined {
    // A `*` alone skips hidden files; otherwise it would ask everywhere because of the few names without a dot.
    globs ??= entries.filter(({path}) => /^[./]/.test(path)).map((entry) => ({entry, globs: globsOf(entry)}));
    const lower = inLowerCase(glob);
    const {entry} = globs.find((each) => each.globs.some((listed) => intersects(listed, lower))) ?? {};
    return entry && {shown: `${entry.path} (${entry.what})`, pattern: entry.pattern};
  }

  /** The folders that directly contain a protected path. Writing whole trees into them, or above the home folder, asks. */
  const home = homedir();
  const holders = new Set([
    ...ownFolders.map((folder) => dirname(folder)),
    ...entries.map(({path}) => dirname(resolve(home, path))),
  ]);
  const holds = ({path}: NamedFile) =>
    path !== undefined && (holders.has(path) || home.startsWith(path === '/' ? path : `${path}/`));

  function matchesOf({unknown, folders, unnamed}: WrittenFiles): readonly ProtectedMatch[] {
    const shown = [
      ...unnamed,
      ...folders.filter(holds).map(({path = ''}) => `any file in ${shortened(path)}`),
      ...unknown.map((word) => `${word}, which only the shell knows`),
    ];
    return shown.slice(0, 1).map((shown) => ({shown, pattern: NO_PATH}));
  }

  return (paths, files, written) => {
    const all = [
      ...paths.flatMap((path) => [path.named, path.real ?? path.named]),
      ...files.map(({path, tail}) => path ?? tail),
    ];
    let left = MAX_PATTERNS;
    const patterns = files.filter(({path, isCertain}) => path === undefined && isCertain);
    const found = [
      ...[...new Set(all)].map(named),
      ...patterns.map(({glob}) => {
        left -= glob.steps.length;
        return left < 0 ? UNREAD : byPattern(glob);
      }),
      ...(files.includes(ANY_FILE) ? [UNREAD] : []),
      ...(written ? matchesOf(written) : []),
    ].filter((match) => match !== undefined);
    return [...new Map(found.map((match) => [match.pattern, match])).values()];
  };
}

/** The globs of a listed path: itself, and everything inside it. */
function globsOf({path}: ProtectedEntry): readonly Glob[] {
  const whole = (path.startsWith('/') ? path : `/**/${path}`).toLowerCase();
  const itself = pathGlob(whole.replace(/\/$/, ''));
  return whole.endsWith('/') ? [itself, pathGlob(`${whole}**`)] : [itself];
}

function inLowerCase({steps, separator}: Glob): Glob {
  const lower = steps.map((step) =>
    typeof step === 'object' ? {character: step.character.toLowerCase()} : step,
  );
  return {steps: lower, separator};
}

function shortened(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
