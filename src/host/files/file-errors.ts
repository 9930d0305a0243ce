import type {Stats} from 'node:fs';
import {accept, refuse, type HostResponse, type Refusal} from '../services.ts';
import {codeOf} from '../../shared/files/safe-files.ts';

/** Carries a refusal up the call stack. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Ends a file operation with this refusal; for use inside `withFileErrors`. */
export function throwRefusal(...refusal: Parameters<typeof refuse>): never {
  throw new Refused(refuse(...refusal));
}

/** Runs a file operation on a path and describes its errors. Codes: missing -32002, not a text file -32602. */
export async function withFileErrors<T>(path: string, work: () => Promise<T>): Promise<HostResponse<T>> {
  try {
    return accept(await work());
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    return refusalFor(path, error);
  }
}

function refusalFor(path: string, error: unknown): Refusal {
  if (!(error instanceof Error)) throw error;
  const code = codeOf(error);
  switch (code) {
    case undefined:
      throw error;
    case 'ENOENT':
      return refuse('notFound', `No such file: ${path}`);
    case 'ENOTDIR':
    case 'ELOOP':
      return refuse('invalidParams', `Part of the path is not a folder: ${path}`);
    case 'ENAMETOOLONG':
      return refuse('invalidParams', `The name is too long: ${path}`);
    case 'EISDIR':
      return refuse('invalidParams', `It is a folder, not a file: ${path}`);
    case 'EACCES':
    case 'EPERM':
      return refuse('internal', `Permission denied: ${path}`);
    case 'EROFS':
      return refuse('internal', `The file system is read-only: ${path}`);
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('internal', `No space left on the disk: ${path}`);
    default:
      return refuse('internal', `File system error ${code}: ${path}`);
  }
}

/** Refuses everything that is not a regular file: opening others can hang or have side effects. */
export function requireFile(path: string, stats: Stats): void {
  if (!stats.isFile())
    throwRefusal('invalidParams', `It is ${nameOf(stats)}; only regular files can be used: ${path}`);
}

function nameOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a link that was changed meanwhile';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
