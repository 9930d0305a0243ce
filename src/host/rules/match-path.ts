import {fits, overlap, pathGlob, type Glob} from './glob.ts';
import type {Match} from './match.ts';
import type {NamedFile} from './files/named-files.ts';
import type {Bases, SubjectPath} from './subject.ts';

/** A pattern of paths. */
export interface PathPattern {
  readonly exactly: Glob;
  /** What lies beneath. */
  readonly beneath: Glob;
}

/**
 * `~/` is the home folder, and what begins with neither that nor `/` is meant in the session's folder: a name alone at any
 * depth, as in .gitignore, a path from that folder on. A `/` at the end means all that lies in a folder.
 */
export function pathPattern(pattern: string, {cwd, home}: Bases): PathPattern {
  const folder = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const whole = absolute(folder, {cwd: escaped(cwd), home: escaped(home)});
  return {exactly: pathGlob(whole), beneath: pathGlob(`${whole}/**`)};
}

function absolute(pattern: string, {cwd, home}: Bases): string {
  if (pattern.startsWith('/')) return pattern;
  if (pattern.startsWith('~/')) return home + pattern.slice(1);
  if (pattern.startsWith('./')) return cwd + pattern.slice(1);
  return pattern.includes('/') ? `${cwd}/${pattern}` : `${cwd}/**/${pattern}`;
}

function escaped(folder: string): string {
  return folder.replace(/\/$/, '').replace(/[\\*?]/g, String.raw`\$&`);
}

/** Whether an `allow` vouches for this path: only inside the roots, and for the place where it really leads. */
export function vouchesForPath({exactly}: PathPattern, {real}: SubjectPath): boolean {
  return real !== undefined && fits(exactly, real);
}

/** Whether a `deny` or `ask` is about this path, by any of its names, or about a folder above it. */
export function isAboutPath({exactly, beneath}: PathPattern, {named, real}: SubjectPath): boolean {
  return [named, real ?? named].some((path) => fits(exactly, path) || fits(beneath, path));
}

/** Whether a word of a command names what a `deny` or `ask` is about, or the folder that it is about. */
export function namesPath({exactly, beneath}: PathPattern, {path, glob, isCertain}: NamedFile): Match {
  if (!isCertain) return overlap(exactly, glob) ? 'maybe' : 'no';
  const isNamed =
    path === undefined
      ? overlap(exactly, glob) || overlap(beneath, glob)
      : [path, `${path}/`].some((each) => fits(exactly, each)) || fits(beneath, path);
  return isNamed ? 'yes' : 'no';
}
