import {statSync, writeFileSync} from 'node:fs';
import {access, constants, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Result} from '../shared/failure.ts';
import {failed, notWritten} from '../shared/file-failure.ts';
import {replaceFile} from '../storage/files.ts';

/** Whether the file of `--output` can be written; asked before anything is sent, so that no answer is paid for in vain. */
export async function checkOutputFile(path: string): Promise<Result<void>> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return failed(path, 'it is a folder');
    await access(!found || found.isFile() ? dirname(path) : path, constants.W_OK);
    return {ok: true, value: undefined};
  } catch (error) {
    return failed(path, error);
  }
}

/** Puts the last message into the file in one step: a reader sees the old text or the new one, never a part. */
export function writeLastMessage(path: string, message: string | undefined): Result<void> {
  try {
    const text = message === undefined ? '' : `${message}\n`;
    const found = statSync(path, {throwIfNoEntry: false});
    // A pipe or a device is written to, never replaced.
    if (found && !found.isFile()) writeFileSync(path, text);
    else replaceFile(path, text, found ? found.mode & 0o777 : 0o666);
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: notWritten({file: path}, error)};
  }
}
