import {replaceFile} from '../../src/storage/files.ts';

/** Used by conf. The package itself replaces the whole file with a partial one on a full disk. */
export function writeFileSync(path: string, data: string, {mode}: {readonly mode?: number}): void {
  replaceFile(path, data, mode);
}
