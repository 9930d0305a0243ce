const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});

/** Two neighbours like these never join, so the edge between them needs no segmenter. */
function isPlain(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || code === 0x0a;
}

/** The edge of a grapheme cluster at or before an offset. */
export function edgeAtOrBefore(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  if (isPlain(text.charCodeAt(offset - 1)) && isPlain(text.charCodeAt(offset))) return offset;
  return graphemes.segment(text).containing(offset)?.index ?? offset;
}

/** The edge of a grapheme cluster at or after an offset. */
export function edgeAtOrAfter(text: string, offset: number): number {
  const before = edgeAtOrBefore(text, offset);
  if (before >= offset) return before;
  return before + (graphemes.segment(text).containing(before)?.segment.length ?? 0);
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
