import type {Result} from '../../shared/failure.ts';
import {readRecording, type Recording} from '../../recording/format.ts';
import {fileFailure, readRegularFile} from '../files.ts';

/** Reads a recording; a file without a valid line is the failure `file`. */
export function loadRecording(file: string): Result<Recording> {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    return {ok: false, failure: fileFailure(file, error)};
  }
  const recording = readRecording(text);
  if (recording.lines.length > 0) return {ok: true, value: recording};
  return {ok: false, failure: {kind: 'file', path: file, problem: 'it is not a recording'}};
}
