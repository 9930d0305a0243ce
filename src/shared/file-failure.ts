import type {Failure} from './failure.ts';

type FileFailure = Extract<Failure, {kind: 'file'}>;

/** A file that could not be used, as a result; `problem` is what Node threw, or what is wrong with it. */
export function failed(path: string, problem: unknown): {readonly ok: false; readonly failure: FileFailure} {
  return {ok: false, failure: {kind: 'file', path, problem: wordsOf(problem)}};
}

/** Results that could not be written into a file, or the stream with that name; `problem` is what Node threw. */
export function notWritten(
  to: {readonly file: string} | {readonly stream: string},
  problem: unknown,
): Extract<Failure, {kind: 'not_written'}> {
  const what = 'file' in to ? `"${to.file}"` : to.stream;
  return {kind: 'not_written', what, problem: wordsOf(problem)};
}

const WORDS: Readonly<Record<string, string>> = {
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

function wordsOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const code = 'code' in problem ? String(problem.code) : '';
  return WORDS[code] ?? problem.message;
}
