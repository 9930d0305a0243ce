import {useEffect, useState, useSyncExternalStore} from 'react';
import type {StartCard} from '../../src/app/status/start-card.ts';
import type {SessionState} from '../../src/session/state.ts';
import {highlightReady, loadHighlight} from '../../src/text/markdown/lazy.ts';
import type {Readable} from '../hooks.ts';
import {diffLanguages} from '../tool-call/diff-syntax.ts';
import {place, type Chunk, type PlacedChunk, type StartChunk} from './chunks.ts';
import {emptyProjection, type Projection, createProjector, type Limits, type Projector} from './projector.ts';

/** The live projection of a session that views subscribe to. */
interface Feed {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => Projection;
  /** Updates from the session. Cheap if nothing changed. */
  readonly refresh: () => void;
  /** Prints the live part unchanged, and nothing after it. */
  readonly finish: () => void;
  readonly close: () => void;
}

interface FeedOptions {
  /** The session on the screen, with its key and title. */
  readonly shown: () => Shown;
  readonly heightOf: (chunk: Chunk) => number;
  readonly liveRows: () => number;
  readonly pageRows: () => number;
  /** See `Limits.isAsked`. */
  readonly isAsked: (chunk: Chunk) => boolean;
  /** True if the start card is printed as soon as it is complete: where nothing is redrawn. */
  readonly isLinear: boolean;
  /** True while nothing that is printed would reach the terminal. */
  readonly isHeld: () => boolean;
  /** True while away for longer: nothing is printed until `refresh`. */
  readonly isAway: () => boolean;
  /** True if only the end of what arrived meanwhile is printed: the rest was on the full screen. */
  readonly isTailOnly: () => boolean;
  /** Prints finished chunks permanently above the frame, which then has to be redrawn. */
  readonly print: (pieces: readonly PlacedChunk[]) => void;
  /** True while something in a chunk is being read that will be drawn. */
  readonly lacksPicture: (chunk: Chunk) => boolean;
  /** No Markdown is printed before this is settled. */
  readonly ready: Promise<unknown>;
}

interface Shown {
  readonly key: string;
  readonly session: SessionState;
  /** Printed where this session follows another one on the screen. */
  readonly title: string;
  /** What a new window shows first. */
  readonly start: StartCard | undefined;
}

/** Time between two flushes of finished chunks, in milliseconds; keys are handled in between. */
const FLUSH_INTERVAL = 8;
/** Time for drawing the chunks of one flush, in milliseconds; the frame is drawn after that. */
const FLUSH_TIME = 10;
/** Number of entries to print after leaving the full screen. */
const TAIL = 200;

export function createFeed(options: FeedOptions): Feed {
  const {shown, isHeld, isAway, isTailOnly, print, ready} = options;
  const projectors = createProjectors();
  const start = createStart(shown(), options.isLinear);
  const listeners = new Set<() => void>();
  let projection = emptyProjection;
  let seen: Shown | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReady = false;
  let wasAway = false;
  let isClosed = false;

  function show(next: Projection): void {
    projection = next;
    if (next.committed.length > 0) print(next.committed);
    for (const listener of listeners) listener();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed) return;
    if (isAway()) return void (wasAway = true);
    if (!isHeld()) {
      seen = shown();
      show(start.put(seen, projectorNow().update(seen.session, limitsFor(options, isReady))));
    }
    if (isHeld() || projection.waiting) timer = setTimeout(flush, FLUSH_INTERVAL);
  }

  function projectorNow(): Projector {
    const projector = projectors.of(shown());
    if (wasAway && isTailOnly()) projector.skip(shown().session, TAIL);
    wasAway = false;
    return projector;
  }

  function close(): void {
    clearTimeout(timer);
    isClosed = true;
  }

  const open = () => {
    isReady = true;
    flush();
  };
  void ready.then(open, open);
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => projection,
    refresh() {
      // While finished chunks wait, the timer sets the pace.
      if (timer === undefined && !isClosed && (wasAway || hasNews(seen, shown()))) flush();
    },
    finish() {
      close();
      show(projectorNow().finish(shown().session));
    },
    close,
  };
}

function limitsFor(options: FeedOptions, isReady: boolean): Limits {
  const {heightOf, liveRows, pageRows, isAsked, lacksPicture} = options;
  const end = performance.now() + FLUSH_TIME;
  return {
    heightOf,
    liveRows: liveRows(),
    pageRows: pageRows(),
    isAsked,
    canPrint: (chunk) => isReadyToPrint(chunk, isReady) && !lacksPicture(chunk),
    hasTime: () => performance.now() < end,
  };
}

function hasNews(last: Shown | undefined, {session: now, start}: Shown): boolean {
  const before = last?.session;
  return (
    last?.start !== start ||
    before?.entries !== now.entries ||
    before.terminals !== now.terminals ||
    before.subagents !== now.subagents ||
    before.turn.kind !== now.turn.kind ||
    before.connection !== now.connection
  );
}

/** The start card of a window: drawn until something is printed, and then printed above that. */
function createStart({key: first, session}: Shown, isLinear: boolean) {
  // A resumed session begins with its transcript.
  let isOver = session.entries.length > 0;
  let chunk: StartChunk | undefined;
  let drawnFor = first;
  return {
    put({key, start: card}: Shown, projection: Projection): Projection {
      if (isOver || card === undefined) return projection;
      const hasBegun = projection.committed.length + projection.live.length > 0;
      isOver = hasBegun || (isLinear && card.isComplete);
      // Nor is it of use above the session that was resumed instead.
      if (hasBegun && key !== drawnFor) return projection;
      drawnFor = key;
      if (chunk?.card !== card) chunk = {kind: 'start', id: 'start', card};
      const placed = place(chunk, undefined);
      return isOver ? behind([placed], projection) : {...projection, live: [placed]};
    },
  };
}

/** Markdown waits until it can be drawn, and code for its grammar, which is loaded when it is first needed. */
function isReadyToPrint(chunk: Chunk, isReady: boolean): boolean {
  if (chunk.kind === 'block') return isReady && haveGrammars(chunk.block.languages);
  if (chunk.kind !== 'entry' || chunk.entry.type !== 'tool_call') return true;
  return !isReady || haveGrammars(diffLanguages(chunk.entry));
}

/** Starts loading missing grammars. */
function haveGrammars(languages: readonly string[]): boolean {
  const missing = languages.filter((language) => !highlightReady(language));
  for (const language of missing) void loadHighlight(language);
  return missing.length === 0;
}

/** Projectors of all sessions that were shown, which print into one scrollback. */
interface Projectors {
  /** The feed of the session on the screen; after a switch, its title is printed first, then its last screenful again. */
  of(shown: Pick<Shown, 'key' | 'title'>): Projector;
}

interface Known {
  readonly projector: Projector;
  /** The last chunks that were printed. */
  printed: readonly PlacedChunk[];
}

/** Enough chunks to fill a screen. */
const MAX_KEPT = 100;
const DIVIDER_ROWS = 2;

export function createProjectors(): Projectors {
  const known = new Map<string, Known>();
  let last: string | undefined;
  let hasPrinted = false;
  let switches = 0;
  return {
    of({key, title}) {
      const isSwitched = hasPrinted && last !== key;
      last = key;
      const session = known.get(key) ?? {projector: createProjector(), printed: []};
      known.set(key, session);
      const divider = isSwitched ? [dividerOf(++switches, title)] : [];
      return {
        update(state, limits) {
          const again = isSwitched ? lastScreenful(session.printed, limits) : [];
          const projection = session.projector.update(state, limits);
          session.printed = [...session.printed, ...projection.committed].slice(-MAX_KEPT);
          hasPrinted ||= session.printed.length > 0;
          return behind([...divider, ...again], projection);
        },
        skip: (state, keep) => session.projector.skip(state, keep),
        finish: (state) => behind(divider, session.projector.finish(state)),
      };
    },
  };
}

/** Returns the last printed chunks that fit on the screen below the divider. */
function lastScreenful(printed: readonly PlacedChunk[], {pageRows, heightOf}: Limits): PlacedChunk[] {
  const shown: PlacedChunk[] = [];
  let room = pageRows - DIVIDER_ROWS;
  for (const placed of printed.toReversed()) {
    const height = heightOf(placed.chunk);
    if (room > 0) shown.unshift(height > room ? {...placed, gap: false, lastRows: room} : placed);
    room -= height + (placed.gap ? 1 : 0);
  }
  return shown;
}

function behind(pieces: readonly PlacedChunk[], projection: Projection): Projection {
  if (pieces.length === 0) return projection;
  return {...projection, committed: [...pieces, ...projection.committed]};
}

function dividerOf(number: number, title: string): PlacedChunk {
  const id = `switch-${number}`;
  const text = `Session: ${title}`;
  const entry = {type: 'notice', level: 'info', text, source: 'client', id, turn: undefined, at: 0} as const;
  const chunk: Chunk = {kind: 'entry', id, entry, endedAt: undefined};
  return {chunk, gap: true};
}

interface FeedReading {
  readonly projection: Projection;
  /** See `Feed.finish`. */
  readonly finish: () => void;
}

/** Returns the projection of the session in `options.session`, updated with the store. */
export function useFeed(store: Readable<unknown>, options: FeedOptions): FeedReading {
  const [feed] = useState(() => createFeed(options));
  useEffect(() => {
    const stop = store.subscribe(feed.refresh);
    return () => {
      stop();
      feed.close();
    };
  }, [store, feed]);
  return {projection: useSyncExternalStore(feed.subscribe, feed.getSnapshot), finish: feed.finish};
}
