import {useEffect, useState, useSyncExternalStore} from 'react';
import type {StartCard} from '../../src/app/status/start-card.ts';
import type {SessionState} from '../../src/session/state.ts';
import {onArrival} from '../../src/text/late.ts';
import type {Readable} from '../hooks.ts';
import {place, type Chunk, type PlacedChunk, type StartChunk} from './chunks.ts';
import {emptyProjection, type Projection, createProjector, type Limits, type Projector} from './projector.ts';

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
  /** The key that shows the whole transcript. */
  readonly fullTranscriptKey: () => string;
  /** False while something in a chunk is still to come that will be drawn; `onArrival` reports it. */
  readonly isDrawable: (chunk: Chunk) => boolean;
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
/** Number of entries to print of what was not printed as it happened: of a resumed session, and after leaving the full screen. */
const TAIL = 200;

/** The live projection of a session that views subscribe to. */
export function createFeed(options: FeedOptions) {
  const {shown, isHeld, isAway, isTailOnly, print} = options;
  const projectors = createProjectors(options.fullTranscriptKey);
  const start = createStart(shown(), options.isLinear);
  const listeners = new Set<() => void>();
  let projection = emptyProjection;
  let seen: Shown | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(flush);
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
      show(start.put(seen, projectorNow().update(seen.session, limitsFor(options))));
    }
    if (isHeld() || projection.waiting) timer = setTimeout(flush, FLUSH_INTERVAL);
  }

  function projectorNow(): TailProjector {
    const projector = projectors.of(shown());
    if (wasAway && isTailOnly()) projector.skip(shown().session);
    wasAway = false;
    return projector;
  }

  function close(): void {
    clearTimeout(timer);
    stopWaiting();
    isClosed = true;
  }

  const stopWaiting = onArrival(flush);
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => projection,
    /** Updates from the session. Cheap if nothing changed. */
    refresh: () => {
      // While finished chunks wait, the timer sets the pace.
      if (timer === undefined && !isClosed && (wasAway || hasNews(seen, shown()))) flush();
    },
    /** Prints the live part unchanged, and nothing after it. */
    finish: () => {
      close();
      show(projectorNow().finish(shown().session));
    },
    close,
  };
}

function limitsFor({heightOf, liveRows, pageRows, isAsked, isDrawable}: FeedOptions): Limits {
  const end = performance.now() + FLUSH_TIME;
  return {
    heightOf,
    liveRows: liveRows(),
    pageRows: pageRows(),
    isAsked,
    canPrint: isDrawable,
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

/** Projectors of all sessions that were shown, which print into one scrollback. */
interface Projectors {
  /** The feed of the session on the screen; after a switch, its title is printed first, then its last screenful again. */
  of(shown: Pick<Shown, 'key' | 'title' | 'session'>): TailProjector;
}

interface TailProjector extends Pick<Projector, 'update' | 'finish'> {
  /** Skips new entries except for the last ones. */
  skip(state: SessionState): void;
}

interface Known {
  readonly projector: Projector;
  /** A line about skipped entries, to be printed next. */
  skipped?: PlacedChunk | undefined;
  /** The last chunks that were printed. */
  printed: readonly PlacedChunk[];
}

/** Enough chunks to fill a screen. */
const MAX_KEPT = 100;
const DIVIDER_ROWS = 2;

export function createProjectors(fullTranscriptKey: () => string): Projectors {
  const known = new Map<string, Known>();
  let last: string | undefined;
  let hasPrinted = false;
  let switches = 0;
  return {
    of({key, title, session: shown}) {
      const isSwitched = hasPrinted && last !== key;
      last = key;
      const session: Known = known.get(key) ?? {projector: createProjector(), printed: []};
      const divider = isSwitched ? [lineOf(`switch-${++switches}`, `Session: ${title}`)] : [];
      const skip = (state: SessionState) => {
        const skipped = session.projector.skip(state, TAIL);
        const text = `${skipped} earlier entries are not printed; ${fullTranscriptKey()} shows all.`;
        if (skipped > 0) session.skipped = lineOf(`skipped-${key}-${state.entries.length}`, text);
      };
      if (!known.has(key)) skip(shown);
      known.set(key, session);
      return {
        update(state, limits) {
          const again = isSwitched ? lastScreenful(session.printed, limits) : [];
          const skipped = session.skipped ? [session.skipped] : [];
          session.skipped = undefined;
          const projection = behind(skipped, session.projector.update(state, limits));
          session.printed = [...session.printed, ...projection.committed].slice(-MAX_KEPT);
          hasPrinted ||= session.printed.length > 0;
          return behind([...divider, ...again], projection);
        },
        skip,
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

function lineOf(id: string, text: string): PlacedChunk {
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
