import {randomBytes} from 'node:crypto';
import {closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {deserialize, serialize} from 'node:v8';
import type {AppEvent} from '../app/events.ts';
import type {AppState, OpenSession} from '../app/state.ts';
import type {Entry} from '../session/entries.ts';
import {isLive, terminalIds} from '../session/selectors.ts';
import type {SessionState, TerminalState} from '../session/state.ts';
import type {Store} from '../shared/store.ts';
import {makeFolder, PRIVATE_FILE} from './files.ts';

const LIMITS = {
  /** Number of newest entries kept in memory, since they are drawn or may have to be printed. */
  newest: 32,
  /** See `OffloadFile`. */
  worthIt: 2048,
};
/** Time between two rounds, in milliseconds. */
const INTERVAL = 50;
/** Limits of one round, in bytes and entries, so that no key waits for it. */
const MAX_AT_ONCE = 4 * 1024 * 1024;
const MAX_ENTRIES = 1000;

/** The progress in one transcript. */
interface Progress {
  /** Entries before this index are on disk, too small, or in `waiting`. */
  next: number;
  /** Indices of entries that were unfinished. */
  waiting: readonly number[];
}

/** The transcript of a session, or of a subagent. */
interface Transcript {
  /** Unique in the window. */
  readonly name: string;
  readonly session: SessionState;
  /** Those of a subagent are in the root session. */
  readonly terminals: SessionState['terminals'];
}

/** The remaining work of a round. */
interface Budget {
  entries: number;
  /** Maximum size of the file. */
  readonly bytes: number;
}

/** Moves large and old parts of a window's sessions from memory to disk. Returns a function that stops it. */
export function offloadWindow(
  store: Store<AppState, AppEvent>,
  options: SpillOptions,
  {newest, worthIt} = LIMITS,
): () => void {
  const progress = new Map<string, Progress>();
  let spill: SpillFile | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function round(): void {
    timer = undefined;
    const transcripts = Object.values(store.latest().sessions).flatMap(transcriptsOf);
    const names = new Set(transcripts.map(({name}) => name));
    for (const name of progress.keys()) if (!names.has(name)) progress.delete(name);
    const budget = {entries: MAX_ENTRIES, bytes: (spill?.bytes() ?? 0) + MAX_AT_ONCE};
    try {
      for (const transcript of transcripts) {
        const end = transcript.session.entries.length - newest;
        if (end <= 0) continue;
        spill ??= openSpillFile(options);
        const target = {spill, worthIt, budget};
        const reached = goThrough(transcript, progress.get(transcript.name), {target, end});
        progress.set(transcript.name, reached);
        if (reached.next < end) schedule();
      }
    } catch {
      // If the disk is full, everything stays in memory.
      isOver = true;
    }
  }

  function schedule(): void {
    if (!isOver) timer ??= setTimeout(round, INTERVAL).unref();
  }

  const unfollow = store.onEvent(({type}) => {
    if (type === 'session') schedule();
  });
  schedule();
  return () => {
    isOver = true;
    clearTimeout(timer);
    unfollow();
  };
}

function transcriptsOf({key, session}: OpenSession): readonly Transcript[] {
  const {terminals} = session;
  const ofSubagents = Object.entries(session.subagents).map(([id, subagent]) => ({
    name: `${key} ${id}`,
    session: subagent.session,
    terminals,
  }));
  return [{name: key, session, terminals}, ...ofSubagents];
}

function goThrough(
  transcript: Transcript,
  before: Progress | undefined,
  {target, end}: {readonly target: OffloadFile & {readonly budget: Budget}; readonly end: number},
): Progress {
  const {budget, spill} = target;
  const {waiting: unfinished, next: first} = before ?? {next: 0, waiting: []};
  const waiting = unfinished.filter((place) => !offloadEntryAt(transcript, place, target));
  let next = first;
  for (; next < end && budget.entries > 0 && spill.bytes() < budget.bytes; next++, budget.entries--)
    if (!offloadEntryAt(transcript, next, target)) waiting.push(next);
  return {next, waiting};
}

/** Returns false if the entry, or a command in it, is unfinished. */
function offloadEntryAt(transcript: Transcript, place: number, handle: OffloadFile): boolean {
  const entry = transcript.session.entries.get(place);
  if (entry === undefined) return true;
  if (isLive(transcript.session, entry)) return false;
  if (isOnDisk(entry)) return true;
  const terminals = terminalIds(entry).flatMap((id) => transcript.terminals[id] ?? []);
  if (!terminals.every(hasEnded)) return false;
  offloadEntry(entry, handle);
  for (const terminal of terminals) if (!isOnDisk(terminal)) offload(terminal, ['output', 'screen'], handle);
  return true;
}

function offloadEntry(entry: Entry, handle: OffloadFile): void {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
    case 'session_message':
      offload(entry, ['content'], handle);
      break;
    case 'tool_call':
      offload(entry, ['content', 'rawInput', 'rawOutput', 'approvedDiffs'], handle);
      break;
    case 'compaction':
      offload(entry, ['summary'], handle);
      break;
    default:
  }
}

/** Checked before reading any field, which would load it from disk. */
function isOnDisk(thing: Entry | TerminalState): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(thing)).some((field) => 'get' in field);
}

function hasEnded({exit, released, isBehind}: TerminalState): boolean {
  return (exit !== undefined || released) && !isBehind;
}

/** Where to store offloaded values. */
interface OffloadFile {
  readonly spill: SpillFile;
  /** Smaller entries stay in memory; approximate, in UTF-16 units. */
  readonly worthIt: number;
}

/**
 * Moves large values of these fields to disk. The object stays the same: reading a field loads its value again, and a copy of the object holds it in memory.
 * This is not a change of the state, so readers and cached references are unaffected. Throws like `SpillFile.put`.
 */
function offload<Thing extends object>(
  thing: Thing,
  fields: readonly (keyof Thing)[],
  {spill, worthIt}: OffloadFile,
): void {
  for (const field of fields) {
    const value: unknown = thing[field];
    if (value !== undefined && isBig(value, worthIt))
      Object.defineProperty(thing, field, {get: readBack(value, spill)});
  }
}

function readBack(value: unknown, spill: SpillFile): () => unknown {
  const read = spill.put(value);
  // A value that is still referenced is not read again.
  let known: WeakRef<object> | undefined;
  return () => {
    const held = known?.deref();
    if (held !== undefined) return held;
    const value = read();
    known = typeof value === 'object' && value !== null ? new WeakRef(value) : undefined;
    return value;
  };
}

/** Stops as soon as the size is known to be large enough. */
function isBig(value: unknown, worthIt: number): boolean {
  let room = worthIt;
  const open: unknown[] = [value];
  while (open.length > 0 && room > 0) {
    const next = open.pop();
    if (typeof next === 'string') room -= next.length;
    else if (typeof next === 'object' && next !== null) {
      // Approximate overhead of an object.
      room -= 16;
      for (const part of Object.values(next)) open.push(part);
    }
  }
  return room <= 0;
}

/** Stores values on disk for the lifetime of the process. */
interface SpillFile {
  /** Writes a value; returns a function that reads an equal copy. Throws if the disk is full; reading may throw, too. */
  put(value: unknown): () => unknown;
  /** Returns the total size. */
  bytes(): number;
}

export interface SpillOptions {
  /** The folder for the file; created if missing. */
  readonly folder: string;
  /** Replaceable for tests. */
  readonly write?: typeof writeSync;
}

/** Opens a file and unlinks it, so that it disappears with this process. Throws if that fails. */
function openSpillFile({folder, write = writeSync}: SpillOptions): SpillFile {
  makeFolder(folder);
  const path = join(folder, `spill-${randomBytes(6).toString('hex')}`);
  const handle = openSync(path, 'wx+', PRIVATE_FILE);
  try {
    rmSync(path);
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  let end = 0;

  function writeAll(data: Buffer): void {
    for (let done = 0; done < data.length;) done += write(handle, data, done, data.length - done, end + done);
  }

  return {
    put(value) {
      const data = serialize(value);
      try {
        writeAll(data);
      } catch (error) {
        ftruncateSync(handle, end);
        throw error;
      }
      const {length} = data;
      const start = end;
      end += data.length;
      return () => {
        const read = Buffer.allocUnsafe(length);
        readSync(handle, read, 0, length, start);
        return deserialize(read);
      };
    },
    bytes: () => end,
  };
}
