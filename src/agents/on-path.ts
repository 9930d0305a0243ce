import {accessSync, constants, statSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';

/** The file that a program's name stands for on that PATH; undefined where none can be run. Folders of PATH that are relative do not count. */
export function programOnPath(program: string, path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find(canBeRun);
}

/** True for a file that may be executed. */
export function canBeRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
