import {homedir} from 'node:os';
import {protectedEntries, type ProtectedEntry, type ProtectedMatch} from '../../session/protected-paths.ts';
import {overlap, pathGlob, type Glob} from './glob.ts';
import {ANY_FILE, type NamedFile} from './named-files.ts';
import type {SubjectPath} from './subject.ts';

/** Finds the protected paths among what a request names. */
export interface ProtectedPathFinder {
  (paths: readonly SubjectPath[], files: readonly NamedFile[]): readonly ProtectedMatch[];
}

/** Words of a command that stand for several files are each held against the whole list: so many characters at most. */
const LONGEST_PATTERNS = 1500;
const UNREAD: ProtectedMatch = {shown: 'a pattern that is too long to be read', pattern: /(?!)/};

/** `ownFolders`: acp-tui's folders, absolute, by all their names. */
export function createProtectedPathFinder(ownFolders: readonly string[]): ProtectedPathFinder {
  const entries = protectedEntries(ownFolders);
  const any = new RegExp(entries.map(({pattern}) => pattern.source).join('|'));

  function named(path: string): ProtectedMatch | undefined {
    const lower = path.toLowerCase();
    if (!any.test(lower)) return undefined;
    const entry = entries.find(({pattern}) => pattern.test(lower));
    return entry && {shown: `${shortened(path)} (${entry.what})`, pattern: entry.pattern};
  }

  /** A word with wildcards, of which a listed name may come: `.bash*`. */
  let globs: readonly {readonly entry: ProtectedEntry; readonly globs: readonly Glob[]}[] | undefined;
  function byPattern(glob: Glob): ProtectedMatch | undefined {
    // `*` alone passes over hidden files; it would be asked about everywhere for the few names without a dot.
    globs ??= entries.filter(({path}) => /^[./]/.test(path)).map((entry) => ({entry, globs: globsOf(entry)}));
    const lower = inLowerCase(glob);
    const {entry} = globs.find((each) => each.globs.some((listed) => overlap(listed, lower))) ?? {};
    return entry && {shown: `${entry.path} (${entry.what})`, pattern: entry.pattern};
  }

  return (paths, files) => {
    const all = [
      ...paths.flatMap((path) => [path.named, path.real ?? path.named]),
      ...files.map(({path, tail}) => path ?? tail),
    ];
    let left = LONGEST_PATTERNS;
    const patterns = files.filter(({path, isCertain}) => path === undefined && isCertain);
    const found = [
      ...[...new Set(all)].map(named),
      ...patterns.map(({glob}) => {
        left -= glob.steps.length;
        return left < 0 ? UNREAD : byPattern(glob);
      }),
      ...(files.includes(ANY_FILE) ? [UNREAD] : []),
    ].filter((match) => match !== undefined);
    return [...new Map(found.map((match) => [match.pattern, match])).values()];
  };
}

/** The globs of a listed path: of itself, and of what lies beneath. */
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
