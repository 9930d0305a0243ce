import {clusters} from '../../src/app/prompt/graphemes.ts';
import type {Style} from '../../src/text/markdown/style.ts';

/** A short plain text with the characters at some offsets (UTF-16 units) painted; what is one character on the screen stays one. */
export function paintMarked(text: string, offsets: readonly number[], style: Style): string {
  if (offsets.length === 0) return text;
  const marked = new Set(offsets);
  let line = '';
  let run = '';
  const flush = () => {
    if (run !== '') line += style(run);
    run = '';
  };
  for (const {segment, index} of clusters(text)) {
    const isMarked = Array.from(segment, (_, at) => index + at).some((offset) => marked.has(offset));
    if (isMarked) run += segment;
    else {
      flush();
      line += segment;
    }
  }
  flush();
  return line;
}
