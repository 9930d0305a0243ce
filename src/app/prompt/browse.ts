import {historyEntries, type History} from '../history.ts';
import {change} from './change.ts';
import type {Browsing, Draft} from './draft.ts';

/**
 * Steps through the history. What was typed, and what was changed on the way, is kept and comes back when its place is
 * reached again. Undefined at either end.
 */
export function browseHistory(
  draft: Draft,
  history: History,
  direction: 'earlier' | 'later',
): Draft | undefined {
  const entries = historyEntries(history);
  const here: Browsing = draft.browsing ?? {position: -1, kept: {}};
  const position = here.position + (direction === 'earlier' ? 1 : -1);
  if (position < -1 || position >= entries.length) return undefined;
  const isOwn = here.position === -1 || draft.text !== entries.at(-1 - here.position);
  const kept = isOwn ? {...here.kept, [here.position]: {text: draft.text, caret: draft.caret}} : here.kept;
  const entry = entries.at(-1 - position) ?? '';
  const target = kept[position] ?? {text: entry, caret: entry.length};
  return change(draft, {
    from: 0,
    to: draft.text.length,
    insert: target.text,
    caret: target.caret,
    browsing: {position, kept},
  });
}
