import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute} from 'node:path';
import {isWithin, realpathOrItself} from './folders.ts';

/** True for an executable file, or a link to one. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Takes the folders in which an agent could put programs of its own off the PATH with which programs are started outside of its sandbox. */
export function keepOffPath(writable: readonly string[], environments = [process.env]): void {
  const real = writable.map(realpathOrItself);
  for (const outside of environments) outside['PATH'] = safePath(outside['PATH'] ?? '', real);
}

/** Returns a PATH without folders in which an agent could put programs of its own, such as `node_modules/.bin`. */
export function safePath(path: string, writable: readonly string[]): string {
  const isWritable = (folder: string) =>
    [folder, realpathOrItself(folder)].some((each) => writable.some((place) => isWithin(each, place)));
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWritable(folder))
    .join(delimiter);
}
