import type {Failure, Result} from '../failure.ts';

type FileFailure = Extract<Failure, {kind: 'file'}>;

/** Returns the failure of a file operation; `problem` is the error that Node threw, or a description. */
export function fileFailed(
  path: string,
  problem: unknown,
): {readonly ok: false; readonly failure: FileFailure} {
  return {ok: false, failure: {kind: 'file', path, problem: fileProblem(problem)}};
}

/** Returns what a file operation returns, or its failure. */
export function tryFileOperation<Value>(path: string, operation: () => Value): Result<Value> {
  try {
    return {ok: true, value: operation()};
  } catch (error) {
    return fileFailed(path, error);
  }
}

/** Returns the failure of writing results into a file, or to the stream with that name; `problem` is the error that Node threw. */
export function writeFailure(
  to: {readonly file: string} | {readonly stream: string},
  problem: unknown,
): Extract<Failure, {kind: 'not_written'}> {
  const what = 'file' in to ? `"${to.file}"` : to.stream;
  return {kind: 'not_written', what, problem: fileProblem(problem)};
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EEXIST: 'it already exists',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached',
  EIO: 'the device does not support it',
  ELOOP: 'it is a link to itself',
  EROFS: 'the file system is read-only',
};

/** Returns why a file could not be read or written, as part of a sentence. */
export function fileProblem(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const code = 'code' in problem ? String(problem.code) : '';
  return REASONS[code] ?? problem.message;
}
