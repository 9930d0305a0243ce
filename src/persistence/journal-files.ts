import type {ProcessIdentity} from './process-identity.ts';

/** The journal of a process; those that it has claimed carry a number. */
export function fileNameOf({pid, started}: ProcessIdentity, claimed?: number): string {
  return claimed === undefined ? `${pid}-${started}.json` : `${pid}-${started}.${claimed}.json`;
}

const FILE_NAME = /^(\d+)-(\d*)(?:\.\d+)?\.json$/;

/** Whose journal it is; undefined for a file that is none. */
export function ownerOf(fileName: string): ProcessIdentity | undefined {
  const [, pid, started] = FILE_NAME.exec(fileName) ?? [];
  return pid === undefined ? undefined : {pid: Number(pid), started: started ?? ''};
}
