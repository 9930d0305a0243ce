import {realpathSync} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {isExecutable} from '../shared/processes/executable.ts';
import {isWithin} from '../shared/files/folders.ts';

/** Programs that a sandbox needs on Linux, and the package that has each. */
export const PROGRAMS = {
  bwrap: 'bubblewrap',
  socat: 'socat',
  nsenter: 'util-linux',
  mount: 'mount',
  sh: 'dash',
  env: 'coreutils',
} as const;

/** `bash` may be missing: empty. */
export type Programs = Readonly<Record<keyof typeof PROGRAMS | 'bash', string>>;

/** The system's own folders, wherever PATH leads. */
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** Finds the programs, by absolute path. What an agent could have written into a folder of PATH is not run outside of its sandbox. */
export function findPrograms(
  path: string | undefined,
  writable: readonly string[],
): {readonly programs: Programs; readonly missing: readonly (keyof typeof PROGRAMS)[]} {
  const folders = [...FOLDERS, ...(path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))];
  const isSafe = (file: string) => !writable.some((folder) => isWithin(realpathSync.native(file), folder));
  const find = (name: string) =>
    folders.map((folder) => join(folder, name)).find((file) => isExecutable(file) && isSafe(file)) ?? '';
  const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
  const found = names.map((name) => [name, find(name)] as const);
  return {
    programs: {...(Object.fromEntries(found) as Record<keyof typeof PROGRAMS, string>), bash: find('bash')},
    missing: found.filter(([, file]) => file === '').map(([name]) => name),
  };
}
