import {asInput, gitAnswer, git} from './worktree-git.ts';
import type {RawPath} from '../snapshots/repository.ts';

/** Attributes with which git stores another content than the file has. */
const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'eol', 'text', 'merge'] as const;

/**
 * Returns those of the paths whose content git stores in another form than the file has: by a filter such as Git LFS's, an encoding or line ends. None of that is
 * run: only their names are read.
 */
export async function filteredPaths(
  folder: string,
  paths: readonly RawPath[],
): Promise<ReadonlySet<RawPath>> {
  if (paths.length === 0) return new Set();
  const input = asInput(paths);
  const printed = await git({folder}, ['check-attr', '-z', '--stdin', ...ATTRIBUTES], input);
  const fields = printed.split('\0');
  const crlf = (await gitAnswer({folder}, ['config', '--get', 'core.autocrlf'])) === 'true';
  const found = new Set<RawPath>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
    if (isConverted(name, value) || (crlf && name === 'text' && value !== 'unset')) found.add(path);
  }
  return found;
}

function isConverted(name: string, value: string): boolean {
  if (name === 'eol') return value === 'crlf';
  if (name === 'text') return false;
  if (name === 'merge') return !['unspecified', 'unset', 'set', 'text', 'binary', 'union'].includes(value);
  return value !== 'unspecified' && value !== 'unset';
}
