import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

const run = promisify(execFile);

/**
 * Whether a file has an access control list beyond its mode. Node cannot tell; `ls` marks one with `+` behind the mode, on
 * Linux and macOS alike. Where there is no such `ls` the answer is no.
 */
export async function hasAccessList(path: string): Promise<boolean> {
  try {
    const {stdout} = await run('ls', ['-ld', '--', path], {env: {...process.env, LC_ALL: 'C'}});
    return marksAccessList(stdout);
  } catch {
    return false;
  }
}

/** Reads the mode field of one line of `ls -l`. */
export function marksAccessList(line: string): boolean {
  return line.charAt(10) === '+';
}
