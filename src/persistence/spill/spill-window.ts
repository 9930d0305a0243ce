import type {AppEvent} from '../../app/events.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {Entry} from '../../session/entries.ts';
import {isLive, terminalIds} from '../../session/selectors.ts';
import type {SessionState, TerminalState} from '../../session/state.ts';
import type {Store} from '../../store.ts';
import {putAway, type Shelf} from './put-away.ts';
import {openSpillFile, type SpillFile, type SpillOptions} from './spill-file.ts';

const LIMITS = {
  /** So many entries at the end stay in memory: the frame draws them, or may have to print them. */
  newest: 32,
  /** See `Shelf`. */
  worthIt: 2048,
};
/** Time between two rounds, in milliseconds. */
const INTERVAL = 50;
/** A round that has moved so many bytes, or looked at so many entries, leaves the rest to the next one, so that no key waits for it. */
const MOST_AT_ONCE = 4 * 1024 * 1024;
const MOST_ENTRIES = 1000;

/** How far a transcript was gone through. */
interface Progress {
  /** Entries before this one are on disk, not worth it, or among those that wait. */
  next: number;
  rearranged: number;
  /** The places of those that were still unfinished. */
  waiting: readonly number[];
}

/** Keeps what is big and old in the sessions of a window on disk, and not in memory. Returns what ends it. */
export function spillWindow(
  store: Store<AppState, AppEvent>,
  options: SpillOptions,
  {newest, worthIt} = LIMITS,
): () => void {
  const progress = new Map<SessionKey, Progress>();
  let spill: SpillFile | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function round(): void {
    timer = undefined;
    const {sessions} = store.current();
    for (const key of progress.keys()) if (!sessions[key]) progress.delete(key);
    try {
      for (const [key, {session}] of Object.entries(sessions)) {
        const end = session.entries.length - newest;
        if (end <= 0) continue;
        spill ??= openSpillFile(options);
        const reached = goThrough(session, progress.get(key), {shelf: {spill, worthIt}, end});
        progress.set(key, reached);
        if (reached.next < end) schedule();
      }
    } catch {
      // A disk that takes nothing: then everything stays in memory, and nothing is lost.
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

function goThrough(
  session: SessionState,
  before: Progress | undefined,
  {shelf, end}: {readonly shelf: Shelf; readonly end: number},
): Progress {
  const {rearranged} = session;
  const known = before?.rearranged === rearranged ? before : {next: 0, waiting: []};
  const waiting = known.waiting.filter((place) => !putAwayAt(session, place, shelf));
  const enough = shelf.spill.bytes() + MOST_AT_ONCE;
  let {next} = known;
  const last = Math.min(end, next + MOST_ENTRIES);
  for (; next < last && shelf.spill.bytes() < enough; next++)
    if (!putAwayAt(session, next, shelf)) waiting.push(next);
  return {next, rearranged, waiting};
}

/** False while it, or a command that it shows, is not finished. */
function putAwayAt(session: SessionState, place: number, shelf: Shelf): boolean {
  const entry = session.entries.get(place);
  if (entry === undefined) return true;
  if (isLive(session, entry)) return false;
  if (isOnDisk(entry)) return true;
  const terminals = terminalIds(entry).flatMap((id) => session.terminals[id] ?? []);
  if (!terminals.every(hasEnded)) return false;
  putAwayEntry(entry, shelf);
  for (const terminal of terminals) if (!isOnDisk(terminal)) putAway(terminal, ['output', 'screen'], shelf);
  return true;
}

function putAwayEntry(entry: Entry, shelf: Shelf): void {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
    case 'session_message':
      putAway(entry, ['content'], shelf);
      break;
    case 'tool_call':
      putAway(entry, ['content', 'rawInput', 'rawOutput', 'approvedDiffs'], shelf);
      break;
    case 'compaction':
      putAway(entry, ['summary'], shelf);
      break;
    default:
  }
}

/** Before anything of it is looked at, which would read it back. */
function isOnDisk(thing: Entry | TerminalState): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(thing)).some((field) => 'get' in field);
}

function hasEnded({exit, released, isBehind}: TerminalState): boolean {
  return (exit !== undefined || released) && !isBehind;
}
