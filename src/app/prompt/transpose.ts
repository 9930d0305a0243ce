import {change} from './change.ts';
import type {Draft} from './draft.ts';
import {nextEdge, previousEdge} from './graphemes.ts';
import {lineEnd, lineStart} from './lines.ts';
import {nextWord, previousWord} from './words.ts';

/** Swaps the characters around the caret, at the end of a line the two before it, and goes on behind them. */
export function transposeCharacters(draft: Draft): Draft {
  const {text, caret} = draft;
  const middle = caret === lineEnd(text, caret) ? previousEdge(text, caret) : caret;
  const from = previousEdge(text, middle);
  const to = nextEdge(text, middle);
  if (from < lineStart(text, caret) || from === middle || to > lineEnd(text, caret)) return draft;
  return change(draft, {from, to, insert: text.slice(middle, to) + text.slice(from, middle)});
}

/** Swaps the word at or behind the caret with the one before it, and goes on behind both. */
export function transposeWords(draft: Draft): Draft {
  const {text, caret} = draft;
  const ahead = nextWord(text, caret);
  const isLast = !/[\p{L}\p{N}_]/u.test(text.slice(caret, ahead));
  const end = isLast ? nextWord(text, previousWord(text, caret)) : ahead;
  const start = previousWord(text, end);
  const from = previousWord(text, start);
  const to = nextWord(text, from);
  if (from >= start || to > start) return draft;
  return change(draft, {
    from,
    to: end,
    insert: text.slice(start, end) + text.slice(to, start) + text.slice(from, to),
  });
}
