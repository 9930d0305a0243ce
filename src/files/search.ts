import * as fuzzysort from 'fuzzysort';
import {childrenOf} from './entries.ts';
import {pacer} from './slices.ts';

/** One entry that fits, the better the higher the score. */
export interface Hit {
  readonly path: string;
  readonly score: number;
}

/** Entries that can be searched. Searching stops as soon as `signal` says so, and then gives what it has. */
export interface Searchable {
  readonly entries: readonly string[];
  search(query: string, signal?: AbortSignal): Promise<readonly Hit[]>;
  /** Does ahead what the first search would have to. */
  warm(): Promise<void>;
}

/** Small enough that one piece is searched within a millisecond or two. */
const PER_PIECE = 2500;
export const MOST_HITS = 50;

/** Makes entries searchable; what it costs falls due with the first search. */
export function searchable(entries: readonly string[]): Searchable {
  const pieces: fuzzysort.Snapshot[] = [];
  for (let from = 0; from < entries.length; from += PER_PIECE)
    pieces.push(fuzzysort.snapshot(entries.slice(from, from + PER_PIECE)));

  async function search(query: string, signal?: AbortSignal): Promise<readonly Hit[]> {
    if (query === '' || (query.endsWith('/') && entries.includes(query))) return folderHits(entries, query);
    const pause = pacer();
    const hits: Hit[] = [];
    for (const piece of pieces) {
      await pause();
      if (signal?.aborted) break;
      for (const {target, score} of fuzzysort.go(query, piece, {limit: MOST_HITS}))
        hits.push({path: target, score});
    }
    return best(hits);
  }
  return {entries, search, warm: async () => void (await search('e'))};
}

/** The best of all, shorter paths first where they fit equally well. */
export function best(hits: readonly Hit[]): readonly Hit[] {
  return hits
    .toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
    .slice(0, MOST_HITS);
}

/** A folder that is typed whole: itself, then what lies in it. */
function folderHits(entries: readonly string[], folder: string): readonly Hit[] {
  const listed = childrenOf(entries, folder);
  return (folder === '' ? listed : [folder, ...listed])
    .slice(0, 4 * MOST_HITS)
    .map((path) => ({path, score: 1}));
}
