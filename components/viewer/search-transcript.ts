import {useEffect, useEffectEvent} from 'react';
import type {Entry} from '../../src/session/entries.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import type {AppEventOf} from '../../src/app/events.ts';
import type {ViewerPlace} from '../../src/app/pages/viewer-state.ts';
import type {TranscriptSource} from './entry-rows.ts';
import type {TranscriptRows, View} from './transcript-rows.ts';
import {rowsWith} from './viewer-lines.ts';

/** Duration of a search slice before keys are handled again, in milliseconds. */
const SLICE = 8;
/** In longer transcripts, entries that cannot contain the text are not drawn for the search. */
const DRAWN_WHOLE = 2000;

interface Searched {
  readonly transcript: TranscriptRows;
  readonly source: TranscriptSource;
  readonly view: View;
  readonly search: string;
  /** Changes when folds change. */
  readonly folds: string;
}

type Found = Omit<AppEventOf<'viewer_searched'>, 'type'>;

/** Searches all rows, in slices, and reports the matches. */
export function useSearch(searched: Searched, tell: (found: Found) => void): void {
  const {search, source, folds} = searched;
  const step = useEffectEvent((scan: Generator<undefined, Found>): boolean => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const {done, value} = scan.next();
      if (done) {
        tell(value);
        return true;
      }
    }
    return false;
  });
  const begin = useEffectEvent(() => scanFor(searched));
  const {entries} = source.session;
  const wanted = search && JSON.stringify([search, entries.length, source.draw.columns, folds]);
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

function* scanFor({transcript, source, view, search}: Searched): Generator<undefined, Found> {
  const {entries} = source.session;
  const hits: ViewerPlace[] = [];
  let nearest = 0;
  const [top] = view.rows;
  const mayHold = entries.length > DRAWN_WHOLE ? filterFor(search) : () => true;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries.get(index);
    if (entry === undefined) continue;
    yield;
    if (!mayHold(entry)) continue;
    for (const row of rowsWith(transcript.rowsOf(source, index), search)) {
      const isAbove = index < view.first || (index === view.first && row < (top?.row ?? 0));
      if (isAbove) nearest++;
      hits.push({id: entry.id, row});
    }
  }
  return {search, hits, nearest: nearest === hits.length ? 0 : nearest};
}

/** Letters and digits are drawn as written, whatever is between them. */
function filterFor(search: string): (entry: Entry) => boolean {
  const wanted = letters(search);
  return (entry) => terminalIds(entry).length > 0 || letters(JSON.stringify(entry)).includes(wanted);
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
