import {homedir} from 'node:os';
import {folded, protectedEntries, type ProtectedMatch} from '../../session/requests/protected-paths.ts';

/** Returns the protected ones of some absolute paths, each kind once. */
export type ProtectedPathFinder = (paths: Iterable<string>) => readonly ProtectedMatch[];

/** `ownFolders`: acp-tui's own folders, absolute, under all their names. */
export function createProtectedPathFinder(ownFolders: readonly string[]): ProtectedPathFinder {
  const entries = protectedEntries(ownFolders);
  const any = new RegExp(entries.map(({pattern}) => pattern.source).join('|'));

  function matchOf(path: string): ProtectedMatch | undefined {
    const name = folded(path);
    const entry = any.test(name) ? entries.find(({pattern}) => pattern.test(name)) : undefined;
    return entry && {shown: `${shortened(path)} (${entry.what})`, pattern: entry.pattern};
  }

  return (paths) => {
    const found = [...new Set(paths)].map(matchOf).filter((match) => match !== undefined);
    return [...new Map(found.map((match) => [match.pattern, match])).values()];
  };
}

function shortened(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
