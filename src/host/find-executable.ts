import {accessSync, constants, statSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';

/** Where a name would be looked up when it is executed. */
export interface ProgramLookup {
  /** Absolute: where a relative path begins. */
  readonly cwd: string;
  /** The PATH that holds there; undefined where none is set. */
  readonly path: string | undefined;
}

/** What `execvp` would try for a name, in its order: absolute, links not resolved. */
export function placesOf(name: string, {cwd, path}: ProgramLookup): readonly string[] {
  const folders = name.includes('/') ? [''] : (path ?? '/usr/local/bin:/usr/bin:/bin').split(':');
  return folders
    .map((folder) => join(folder, name))
    .map((file) => (isAbsolute(file) ? file : join(cwd, file)));
}

/** The file that `execvp` would execute for a name; undefined where there is none. Synchronous. */
export function findExecutable(name: string, lookup: ProgramLookup): string | undefined {
  return placesOf(name, lookup).find(isExecutableFile);
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
