import {useEffect, useEffectEvent} from 'react';
import type {Entry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import {subagentName} from '../../src/session/subagents/names.ts';
import {subagentForDisplay} from '../../src/session/subagents/tree.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import {arrivalCount} from '../../src/worker/arrivals.ts';
import type {AppEventOf} from '../../src/app/events.ts';
import type {ViewerHit} from '../../src/app/pages/viewer-state.ts';
import {createRowsOf, type RowsOf, type TranscriptSource} from './foldable-rows.ts';
import type {TranscriptRows, VisibleRows} from './transcript-rows.ts';
import {rowsWith} from './viewer-lines.ts';
import {addAll} from '../../src/text/lists.ts';

/** Duration of a search slice before keys are handled again, in milliseconds. */
const SLICE = 8;
/** In longer transcripts, entries that cannot contain the text are not drawn for the search. */
const DRAWN_WHOLE = 2000;

interface Searched {
  readonly transcript: TranscriptRows;
  readonly source: TranscriptSource;
  readonly view: VisibleRows;
  readonly search: string;
  /** Changes when folds change. */
  readonly folds: string;
}

type Found = Omit<AppEventOf<'viewer_searched'>, 'type'>;

/** Searches all rows, in slices, and reports the matches. */
export function useSearch(searched: Searched, report: (found: Found) => void): void {
  const {search, source, folds} = searched;
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
  const begin = useEffectEvent(() => scanFor(searched));
  const {entries, sessionId} = source.session;
  const {columns} = source.theme;
  const wanted =
    search && JSON.stringify([search, sessionId, entries.length, columns, folds, arrivalCount()]);
  useEffect(() => {
    if (wanted === '') return undefined;
    const scan = begin();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = () => {
      if (!step(scan)) timer = setTimeout(run);
    };
    run();
    return () => clearTimeout(timer);
  }, [wanted]);
}

/** Searches a transcript entry by entry. Matches in a subagent's transcript are reported at its card. */
function* scanFor({transcript, source, view, search}: Searched): Generator<undefined, Found> {
  const {entries} = source.session;
  const hits: ViewerHit[] = [];
  let nearest = 0;
  const [top] = view.rows;
  const mayHold = entries.length > DRAWN_WHOLE ? filterFor(search) : () => true;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.get(index);
    if (entry === undefined) continue;
    yield;
    const {id} = entry;
    const rows = mayHold(entry) ? rowsWith(transcript.rowsOf(source, index), search) : [];
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

/** Letters and digits are drawn as written, whatever is between them. */
function filterFor(search: string): (entry: Entry) => boolean {
  const wanted = letters(search);
  return (entry) => terminalIds(entry).length > 0 || letters(JSON.stringify(entry)).includes(wanted);
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
