import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject, isNothing} from '../../text/json.ts';
import type {ToolCallEntry} from '../entries.ts';
import {commandIn, isTitleOf} from '../labels/command-label.ts';
import {comparableTitle} from '../labels/plain-title.ts';
import {isSamePath, type Asked} from './changed-request.ts';
import {runInput} from './run-input.ts';

/**
 * True if a request with the ID of a call that runs asks about another one. Agents give the same thing another title, or describe it by another input, but then
 * with its kind, and with its command or file.
 */
export function asksAboutOther(entry: ToolCallEntry, call: acp.ToolCallUpdate): boolean {
  const {title, kind, rawInput: said} = call;
  const {rawInput: known} = entry;
  const isOfKind = kind === entry.kind;
  if (isOfKind && haveSameTarget(entry, call)) return false;
  const isTitled = isNothing(title) || comparableTitle(title) === comparableTitle(entry.title);
  // While its input is empty, a call may have the name of its tool as its title.
  if (isNothing(known) && !isNothing(said)) return !isTitled && !(isOfKind && isJsonObject(known));
  if (!isNothing(kind) && !isOfKind && entry.kind !== 'other') return true;
  return isNothing(said)
    ? !isTitled && !isTitleOf(title ?? '', commandIn(known) ?? '')
    : !goesOn(known, said);
}

function haveSameTarget(entry: ToolCallEntry, call: acp.ToolCallUpdate): boolean {
  const [known, said] = [runInput(entry.rawInput), runInput(call.rawInput)];
  if (known || said) return JSON.stringify(known?.command) === JSON.stringify(said?.command);
  const paths = pathsOf(entry);
  return pathsOf(call).some((path) =>
    paths.some((other) => isSamePath(path, other) || isSamePath(other, path)),
  );
}

/** Fields of an input with the path of a file. */
const PATH = /path$|^file_?(?:name)?$/i;

/** Returns the files that a call is about. */
function pathsOf({content, locations, rawInput}: Asked): readonly string[] {
  const fields = isJsonObject(rawInput) ? Object.entries(rawInput) : [];
  return [
    ...(content ?? []).flatMap((part) => (part.type === 'diff' ? [part.path] : [])),
    ...(locations ?? []).map(({path}) => path),
    ...fields.flatMap(([name, value]) => (typeof value === 'string' && PATH.test(name) ? [value] : [])),
  ];
}

/** True if a value is the same as one that came before it, or that with more behind it. */
export function goesOn(before: unknown, value: unknown): boolean {
  if (isNothing(before) || before === value) return true;
  if (typeof before === 'string' && typeof value === 'string') return value.startsWith(before);
  if (typeof before !== 'object' || typeof value !== 'object' || value === null) return false;
  const now = value as Readonly<Record<string, unknown>>;
  return Object.entries(before ?? {}).every(([key, part]) => goesOn(part, now[key]));
}
