import {writeFile} from 'node:fs/promises';
import {dirname, extname} from 'node:path';
import {failed} from '../file-failed.ts';
import type {Result} from '../failure.ts';
import {codeOf, PRIVATE_FILE} from './private-files.ts';

const MOST_NUMBERS = 1000;

/**
 * Writes a file of the user's own that is not there yet; gives its path. `orNumbered` takes `name-2.md` and so on where the name
 * is taken; otherwise that is a failure (`file`).
 */
export async function writeNewFile(
  path: string,
  text: string,
  {orNumbered = false}: {readonly orNumbered?: boolean} = {},
): Promise<Result<string>> {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${stem}-${number}${extension}`;
    try {
      await writeFile(name, slicesOf(text), {flag: 'wx', mode: PRIVATE_FILE});
      return {ok: true, value: name};
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return failed(dirname(name), 'there is no such folder');
      if (!orNumbered || codeOf(error) !== 'EEXIST' || number === MOST_NUMBERS) return failed(name, error);
    }
  }
}

/** In UTF-16 units. */
const SLICE = 512 * 1024;

/** So that encoding a long text does not hold up everything else. */
function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + SLICE;
    // Both halves of a character go together.
    const cut = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}
