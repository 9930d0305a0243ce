import {access, constants, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Result} from '../failure.ts';
import {failed} from '../file-failed.ts';

/** Whether the file of `--output` can be written; asked before anything is sent, so that no answer is paid for in vain. */
export async function checkOutputFile(path: string): Promise<Result<void>> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return failed(path, 'it is a folder');
    await access(dirname(path), constants.W_OK);
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(path, error);
  }
}

/** Puts the last message into the file in one step: a reader sees the old text or the new one, never a part. */
export async function writeLastMessage(path: string, message: string | undefined): Promise<Result<void>> {
  try {
    const {writeFile} = await import('atomically');
    await writeFile(path, message === undefined ? '' : `${message}\n`);
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(path, error);
  }
}
