import {change} from './change.ts';
import {draftAfter, draftText, type Draft} from './draft.ts';

/** What Enter means for a draft. */
export type Entered =
  | {readonly kind: 'send'; readonly text: string; readonly draft: Draft}
  /** A backslash stood before the caret: a line break took its place. */
  | {readonly kind: 'new_line'; readonly draft: Draft}
  /** Nothing but blanks. */
  | {readonly kind: 'nothing'};

/** Decides between sending and a new line; `draft` is the draft that follows, `text` is what is sent. */
export function pressEnter(draft: Draft): Entered {
  const {caret} = draft;
  if (draft.text.charAt(caret - 1) === '\\')
    return {kind: 'new_line', draft: change(draft, {from: caret - 1, to: caret, insert: '\n'})};
  const text = draftText(draft);
  return text.trim() === '' ? {kind: 'nothing'} : {kind: 'send', text, draft: draftAfter(draft)};
}
