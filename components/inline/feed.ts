import {useEffect, useState, useSyncExternalStore} from 'react';
import type {StartCard} from '../../src/app/status/start-card.ts';
import type {SessionState} from '../../src/session/state.ts';
import {createListeners, type ReadableStore} from '../../src/shared/store.ts';
import {arrivalCount, onArrival} from '../../src/worker/arrivals.ts';
import {layOutChunk, type Chunk, type PlacedChunk} from '../chunks/chunks.ts';
import {
  emptyProjection,
  type Projection,
  createProjector,
  type ProjectionLimits,
  type Projector,
} from './projector.ts';

/** What keeps finished chunks from being printed. */
export interface PrintingGates {
  /** True while nothing that is printed would reach the terminal: its content differs from what Ink assumes. */
  readonly isHeld: () => boolean;
  /** True while another screen or program uses the terminal: nothing is printed until `refresh`. */
  readonly isAway: () => boolean;
  /** True if only the end of what arrived meanwhile is printed: the rest was on the full screen. */
  readonly isTailOnly: () => boolean;
}

interface FeedOptions extends PrintingGates {
  /** The session on the screen, with its key and title. */
  readonly shown: () => Shown;
  readonly limits: () => Omit<ProjectionLimits, 'hasTime'>;
  /** True if the start card is printed as soon as it is complete: where nothing is redrawn. */
  readonly isLinear: boolean;
  /** Prints finished chunks permanently above the frame, which then has to be redrawn. */
  readonly print: (pieces: readonly PlacedChunk[]) => void;
  /** The key that shows the whole transcript. */
  readonly fullTranscriptKey: () => string;
}

interface Open {
  readonly key: string;
  readonly session: SessionState;
  /** Printed where this session follows another one on the screen. */
  readonly title: string;
}

interface Shown extends Open {
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
  const {subscribe, notify} = createListeners();
  let projection = emptyProjection;
  let seen: Shown | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(flush);
  /** What had arrived when it was last read. */
  let arrived = arrivalCount();
  let wasAway = false;
  let isClosed = false;

  function show(next: Projection): void {
    projection = next;
    if (next.committed.length > 0) print(next.committed);
    notify();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed) return;
    arrived = arrivalCount();
    if (isAway()) return void (wasAway = true);
    if (!isHeld()) {
      seen = shown();
      const end = performance.now() + FLUSH_TIME;
      const limits = {...options.limits(), hasTime: () => performance.now() < end};
      skipWhileAway(seen);
      show(start.put(seen, projectors.update(seen, limits)));
    }
    if (isHeld() || projection.waiting) timer = setTimeout(flush, FLUSH_INTERVAL);
  }

  function skipWhileAway(seen: Shown): void {
    if (wasAway && isTailOnly()) projectors.skip(seen);
    wasAway = false;
  }

  const hasNews = ({session, start}: Shown) => seen?.session !== session || seen.start !== start;

  function close(): void {
    clearTimeout(timer);
    stopWaiting();
    isClosed = true;
  }

  const stopWaiting = onArrival(() => {
    if (arrived !== arrivalCount()) flush();
  });
  return {
    subscribe,
    getSnapshot: () => projection,
    /** Updates from the session. Cheap if nothing changed. */
    refresh: () => {
      // While finished chunks wait, the timer sets the pace.
      if (timer === undefined && !isClosed && (wasAway || hasNews(shown()))) flush();
    },
    /** Prints the live part unchanged, and nothing after it. */
    finish: () => {
      close();
      skipWhileAway(shown());
      show(projectors.finish(shown()));
    },
    close,
  };
}

/** The start card of a window: drawn until something is printed, and then printed above that. */
function createStart({key: first, session}: Shown, isLinear: boolean) {
  // A resumed session begins with its transcript.
  let isOver = session.entries.length > 0;
  let chunk: Extract<Chunk, {kind: 'start'}> | undefined;
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
      const placed = layOutChunk(chunk, undefined);
      return isOver ? behind([placed], projection) : {...projection, live: [placed]};
    },
  };
}

interface Known {
  readonly projector: Projector;
  /** To be printed next: the title after a switch, and how many entries are skipped. */
  title: readonly PlacedChunk[];
  skipped: number;
  /** The last chunks that were printed. */
  printed: readonly PlacedChunk[];
}

/** Enough chunks to fill a screen. */
const MAX_KEPT = 100;
const DIVIDER_ROWS = 2;

/** Projectors of all sessions that were shown, which print into one scrollback. */
export function createProjectors(fullTranscriptKey: () => string) {
  const known = new Map<string, Known>();
  let last: string | undefined;
  let hasPrinted = false;
  let switches = 0;

  function projectorOf(shown: Open): Known {
    const {key, title} = shown;
    const isSwitched = hasPrinted && last !== key;
    last = key;
    const it = known.get(key) ?? {projector: createProjector(), title: [], skipped: 0, printed: []};
    if (isSwitched) it.title = [lineOf(`switch-${++switches}`, `Session: ${title}`)];
    if (known.has(key)) return it;
    known.set(key, it);
    skip(shown);
    return it;
  }

  /** Skips new entries except for the last ones. */
  function skip(shown: Open): void {
    const it = projectorOf(shown);
    it.skipped += it.projector.skip(shown.session, TAIL);
  }

  return {
    skip,
    /** After a switch, the title of the session is printed first, then its last screenful again. */
    update(shown: Open, limits: ProjectionLimits): Projection {
      const it = projectorOf(shown);
      const again = it.title.length > 0 ? lastScreenful(it.printed, limits) : [];
      const skipped = skippedLine(it, shown, `; ${fullTranscriptKey()} shows all`);
      const projection = behind(skipped, it.projector.update(shown.session, limits));
      it.printed = [...it.printed, ...projection.committed].slice(-MAX_KEPT);
      hasPrinted ||= it.printed.length > 0;
      const first = [...it.title, ...again];
      Object.assign(it, {title: [], skipped: 0});
      return behind(first, projection);
    },
    finish(shown: Open): Projection {
      const it = projectorOf(shown);
      return behind([...it.title, ...skippedLine(it, shown)], it.projector.finish(shown.session));
    },
  };
}

/** Returns the last printed chunks that fit on the screen below the divider. */
function lastScreenful(
  printed: readonly PlacedChunk[],
  {pageRows, heightOf}: ProjectionLimits,
): PlacedChunk[] {
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

/** Says how many entries are skipped, if any. */
function skippedLine({skipped}: Known, {key, session}: Open, how = ''): readonly PlacedChunk[] {
  const text = `${skipped} earlier entries are not printed${how}.`;
  return skipped === 0 ? [] : [lineOf(`skipped-${key}-${session.entries.length}`, text)];
}

function lineOf(id: string, text: string): PlacedChunk {
  const entry = {type: 'notice', level: 'info', text, source: 'client', id, turn: undefined, at: 0} as const;
  const chunk: Chunk = {kind: 'entry', id, entry, endedAt: undefined};
  return {chunk, gap: true};
}

/** Returns the projection of the session in `options.shown`, updated with the store. */
export function useFeed(store: ReadableStore<unknown>, options: FeedOptions) {
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
