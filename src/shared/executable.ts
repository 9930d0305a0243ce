import {accessSync, constants, statSync} from 'node:fs';

/** True for an executable file, or a link to one. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
