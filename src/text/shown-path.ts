/** A path as it is shown: relative to the working folder when it lies inside, otherwise as it is. */
export function shownPath(path: string, cwd: string): string {
  if (path === cwd) return '.';
  if (cwd === '') return path;
  const base = cwd.endsWith('/') || cwd.endsWith('\\') ? cwd : undefined;
  if (base !== undefined) return path.startsWith(base) ? path.slice(base.length) : path;
  const separator = path.charAt(cwd.length);
  const isInside = path.startsWith(cwd) && (separator === '/' || separator === '\\');
  return isInside ? path.slice(cwd.length + 1) : path;
}

/** A location as it is shown: `src/a.ts:12`. */
export function shownLocation(
  {path, line}: {readonly path: string; readonly line?: number | null},
  cwd: string,
): string {
  const shown = shownPath(path, cwd);
  return line === undefined || line === null ? shown : `${shown}:${line}`;
}
