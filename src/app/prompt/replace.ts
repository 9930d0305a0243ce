import {change} from './change.ts';
import {draftText, type Draft} from './draft.ts';
import {takeBack} from './insert.ts';
import {cleanInput, placeholderAt, resolvePastes} from './pastes.ts';

/** A text that was edited elsewhere: as it was given away, and as it came back. */
export interface EditedText {
  readonly before: string;
  readonly after: string;
}

/**
 * Puts a text in the place of the one that was given away, as one step for undo. Pastes that came back unchanged stay
 * placeholders. Where the draft is no longer what was given away, the text is put in front of it: neither is lost.
 */
export function replaceText(draft: Draft, {before, after}: EditedText): Draft {
  const text = withPlaceholders(cleanInput(after), draft);
  if (draftText(draft) !== before) return text === '' ? draft : takeBack(draft, text);
  if (text === draft.text) return draft;
  return change(draft, {from: 0, to: draft.text.length, insert: text, browsing: undefined});
}

/** Each paste that stands in the draft, where its text is found again. */
function withPlaceholders(text: string, {text: old, pastes}: Draft): string {
  let result = text;
  for (const [index, paste] of pastes.entries()) {
    const placeholder = placeholderAt(index);
    if (!old.includes(placeholder)) continue;
    // A function, since $ would mean something in a string.
    result = result.replace(resolvePastes(paste.text, pastes), () => placeholder);
  }
  return result;
}
