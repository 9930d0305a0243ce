import {useEffect, useEffectEvent, useRef} from 'react';
import {memoize} from '../../src/session/memoize.ts';
import {subagentName} from '../../src/session/subagents/names.ts';
import {subagentForDisplay} from '../../src/session/subagents/tree.ts';
import {arrivalCount} from '../../src/worker/arrivals.ts';
import {isDrawing} from '../../src/worker/background.ts';
import type {AppEventOf} from '../../src/app/events.ts';
import type {ViewerHit} from '../../src/app/pages/viewer-state.ts';
import {createRowsOf, type RowsOf, type TranscriptSource} from './foldable-rows.ts';
import type {TranscriptRows, VisibleRows} from './transcript-rows.ts';
import {rowsWith} from './viewer-lines.ts';
import {addAll} from '../../src/text/lists.ts';

/** Duration of a search slice before keys are handled again, in milliseconds. */
const SLICE = 8;
/** The time between two searches for the same text, in milliseconds. */
const PAUSE = 100;

interface Searched {
  readonly transcript: TranscriptRows;
  readonly source: TranscriptSource;
  readonly view: VisibleRows;
  readonly search: string;
  /** Changes when folds change. */
  readonly folds: string;
}

type Found = Omit<AppEventOf<'viewer_searched'>, 'type'>;

/** Searches all rows, in slices, and reports the matches; again if there is more by then. */
export function useSearch(searched: Searched, report: (found: Found) => void): void {
  const {search, source, folds} = searched;
  const {entries, sessionId} = source.session;
  const {columns} = source.theme;
  const wanted = search && JSON.stringify([search, sessionId, columns, folds]);
  const extent = `${entries.length} ${arrivalCount()}`;
  const extentNow = useEffectEvent(() => extent);
  const begin = useEffectEvent(() => scanFor(searched));
  const step = useEffectEvent((scan: Generator<undefined, Found>): boolean => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const {done, value} = scan.next();
      if (done) {
        report(value);
        return true;
      }
    }
    return false;
  });
  const wake = useRef<() => void>(undefined);
  useEffect(() => {
    if (wanted === '') return undefined;
    let scan: ReturnType<typeof begin> | undefined;
    let scanned = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = () => {
      timer = undefined;
      // All that it asks for at once would be rendered before an answer that grows.
      if (isDrawing()) return void (timer = setTimeout(run, SLICE));
      if (scan === undefined) {
        if (scanned === extentNow()) return;
        scanned = extentNow();
        scan = begin();
      }
      const isOver = step(scan);
      if (isOver) scan = undefined;
      timer = setTimeout(run, isOver ? PAUSE : 0);
    };
    // While an answer grows, there is more with each frame: a search that began anew with each would never end.
    wake.current = () => {
      if (timer === undefined) run();
    };
    return () => {
      clearTimeout(timer);
      wake.current = undefined;
    };
  }, [wanted]);
  useEffect(() => wake.current?.());
}

/** Searches a transcript entry by entry. Matches in a subagent's transcript are reported at its card. */
function* scanFor({transcript, source, view, search}: Searched): Generator<undefined, Found> {
  const {entries} = source.session;
  const hits: ViewerHit[] = [];
  let nearest = 0;
  const [top] = view.rows;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.get(index);
    if (entry === undefined) continue;
    yield;
    const {id} = entry;
    const rows = rowsWith(transcript.rowsOf(source, index), search);
    const found: ViewerHit[] = rows.map((row) => ({id, row}));
    if (found.length === 0 && entry.type === 'subagent') {
      const isInside = yield* isFoundIn({transcript, source, search}, entry.sessionId);
      if (isInside) found.push({id, row: 0, subagent: subagentName(source.session, entry.sessionId)});
    }
    const isAbove = ({row}: ViewerHit) =>
      index < view.first || (index === view.first && row < (top?.row ?? 0));
    nearest += found.filter(isAbove).length;
    addAll(hits, found);
  }
  return {search, hits, nearest: nearest === hits.length ? 0 : nearest};
}

const subagentRows = memoize<TranscriptRows, Map<string, RowsOf>>(() => new Map());

/** Returns what draws a subagent's entries: the same in each search, which then finds what was rendered for the one before. */
function rowsOfSubagent(transcript: TranscriptRows, id: string): RowsOf {
  const known = subagentRows(transcript);
  const rowsOf = known.get(id) ?? createRowsOf();
  known.set(id, rowsOf);
  return rowsOf;
}

/** True if the text is in the transcript of a subagent, or of one below it. */
function* isFoundIn(
  searched: Pick<Searched, 'transcript' | 'source' | 'search'>,
  id: string,
): Generator<undefined, boolean> {
  const {source, search} = searched;
  const session = subagentForDisplay(source.session, id);
  if (session === undefined) return false;
  const theme = {...source.theme, asked: undefined};
  const opened = {theme, session, isFolded: () => false, end: []};
  const rowsOf = rowsOfSubagent(searched.transcript, id);
  for (let index = 0; index < session.entries.length; index++) {
    yield;
    if (rowsWith(rowsOf(opened, index), search).length > 0) return true;
    const entry = session.entries.get(index);
    if (entry?.type === 'subagent' && (yield* isFoundIn(searched, entry.sessionId))) return true;
  }
  return false;
}
