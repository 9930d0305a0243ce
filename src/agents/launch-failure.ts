import {access, constants} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import type {Failure} from '../shared/failure.ts';

/** Returns the reason why a command could not be started, from the system's error code (such as `ENOENT`). */
export async function launchFailure(
  command: string,
  error: {readonly code: string | undefined; readonly message: string},
): Promise<Failure> {
  const file = await find(command);
  if (file === undefined) return {kind: 'command_not_found', command};
  return {kind: 'not_executable', command: file, problem: problemOf(error)};
}

function problemOf({code, message}: {code: string | undefined; message: string}): string {
  if (code === 'EACCES') return 'it is not an executable file';
  if (code === 'ENOEXEC') return 'its format is not supported on this system';
  // The file exists, so its interpreter is missing.
  if (code === 'ENOENT') return 'the interpreter in its first line does not exist';
  return message;
}

/** Returns the file that would run: a path as it is, a name resolved on PATH, executable or not. */
async function find(command: string): Promise<string | undefined> {
  const places = command.includes('/')
    ? [command]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  for (const place of places) {
    const exists = await access(place, constants.F_OK).then(
      () => true,
      () => false,
    );
    if (exists) return place;
  }
  return undefined;
}
