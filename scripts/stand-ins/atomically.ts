import {replaceFile} from '../../src/storage/files.ts';

/** conf writes with it. The package itself puts a file of which a full disk took only a part in the place of the whole one. */
export function writeFileSync(path: string, data: string, {mode}: {readonly mode?: number}): void {
  replaceFile(path, data, mode);
}
