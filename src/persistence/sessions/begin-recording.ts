import {randomInt} from 'node:crypto';
import {linesToCopy, type Original} from './copy.ts';
import {FILE_VERSION, type Header} from './event-lines.ts';
import {factsOf} from './facts.ts';
import {openRecording, type Recording, type RecordingOptions} from './recording.ts';
import type {SessionFacts} from './rows.ts';
import type {SessionOrigin} from './stored-session.ts';

export interface RecordingPlace {
  /** When its first event came, in milliseconds since the epoch. */
  readonly at: number;
  /** Where its entries begin in the transcript that it is shown in. */
  readonly firstEntry: number;
  readonly branch: string | undefined;
}

/** Begins a file with these lines. */
export function beginRecording(
  {agent, cwd, additionalDirectories}: SessionOrigin,
  options: RecordingOptions,
  {at, firstEntry, branch, lines}: RecordingPlace & {readonly lines: readonly string[]},
): Recording {
  const header: Header = {v: FILE_VERSION, id: newId(), created: at, agent, cwd, additionalDirectories};
  const begun = openRecording({facts: factsOf(header), header, firstEntry}, options);
  if (branch !== undefined) begun.mark({mark: 'branch', branch, at});
  for (const line of lines) begun.append(line);
  return begun;
}

/** Goes on in the file of the session that is `known`. */
export function continueRecording(
  {restoredAt}: SessionOrigin,
  options: RecordingOptions,
  known: SessionFacts,
): Recording {
  const continued = openRecording({facts: known, header: undefined, firstEntry: 0}, options);
  continued.mark({mark: 'continued', at: restoredAt ?? Date.now()});
  return continued;
}

/** Begins a file as a copy, to which `lines` are added. */
export function recordCopy(
  origin: SessionOrigin,
  options: RecordingOptions,
  {original, branch, lines}: CopyPlace,
): Recording {
  const at = origin.restoredAt ?? Date.now();
  const copied = linesToCopy(options.state, original);
  const copy = beginRecording(origin, options, {at, firstEntry: 0, branch, lines: copied});
  copy.mark({mark: 'continued', at});
  for (const line of lines) copy.append(line);
  return copy;
}

interface CopyPlace extends Pick<RecordingPlace, 'branch'> {
  readonly original: Original;
  readonly lines: readonly string[];
}

/** Without letters that look like digits. */
const ID_CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function newId(): string {
  return Array.from({length: 10}, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');
}
