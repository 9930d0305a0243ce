const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/**
 * Two neighbours like these never join, so the edge between them needs no segmenter: ASCII, Latin, Cyrillic, kana and ideographs, of
 * which none combines with what stands before.
 */
const apart = /[\n -~\u00c0-\u024f\u0400-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]{2}/y;

/** How far a place is looked for at which a text can be cut; clusters are shorter, but for hostile ones. */
const REACH = 256;

function areApart(text: string, offset: number): boolean {
  apart.lastIndex = offset - 1;
  return apart.test(text);
}

/** A short part of the text around an offset, cut where nothing joins: segmenting costs as much as the text is long. */
function around(text: string, offset: number): {readonly from: number; readonly part: string} {
  let from = offset - 1;
  while (from > 0 && !areApart(text, from)) if (offset - from-- > REACH) return {from: 0, part: text};
  let to = offset + 1;
  while (to < text.length && !areApart(text, to)) if (to++ - offset > REACH) return {from: 0, part: text};
  return {from, part: text.slice(from, to)};
}

/** The edge of a grapheme cluster at or before an offset. */
export function edgeAtOrBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  if (areApart(text, offset)) return offset;
  const {from, part} = around(text, offset);
  return from + (graphemes.segment(part).containing(offset - from)?.index ?? offset - from);
}

/** The edge of a grapheme cluster at or after an offset. */
export function edgeAtOrAfter(text: string, offset: number): number {
  const before = edgeAtOrBefore(text, offset);
  if (before >= offset) return before;
  const {from, part} = around(text, offset);
  return before + (graphemes.segment(part).containing(before - from)?.segment.length ?? 0);
}

/** The next edge after an offset that is an edge; the end stays the end. */
export function nextEdge(text: string, edge: number): number {
  return edgeAtOrAfter(text, edge + 1);
}

/** The edge before an offset that is an edge; the start stays the start. */
export function previousEdge(text: string, edge: number): number {
  return edge === 0 ? 0 : edgeAtOrBefore(text, edge - 1);
}

/** The clusters of a short text, in order. */
export function clusters(text: string): Iterable<{readonly segment: string; readonly index: number}> {
  return graphemes.segment(text);
}
