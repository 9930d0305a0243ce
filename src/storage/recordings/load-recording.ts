import type {Result} from '../../shared/failure.ts';
import {readRecording, type Recording} from '../../recording/format.ts';
import {fileFailed, tryFileOperation} from '../../shared/files/file-failure.ts';
import {readRegularFile} from '../../shared/files/safe-files.ts';

/** Reads a recording; a file without a valid line is the failure `file`. */
export function loadRecording(file: string): Result<Recording> {
  const text = tryFileOperation(file, () => readRegularFile(file));
  if (!text.ok) return text;
  const recording = readRecording(text.value);
  return recording.lines.length > 0
    ? {ok: true, value: recording}
    : fileFailed(file, 'it is not a recording');
}
