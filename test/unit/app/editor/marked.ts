import {draftOf, type Draft} from '../../../../src/app/editor/draft.ts';
import {editDraft, type EditOptions, type EditAction} from '../../../../src/app/editor/edit.ts';

/** A draft from a text in which `|` marks the caret. */
export function at(marked: string): Draft {
  const caret = marked.indexOf('|');
  return {...draftOf(marked.replace('|', '')), caret};
}

/** The text with `|` at the caret. */
export function textWithCaret(draft: Draft): string {
  return `${draft.text.slice(0, draft.caret)}|${draft.text.slice(draft.caret)}`;
}

/** Applies actions one after the other. */
export function applyActions(draft: Draft, actions: readonly EditAction[], options?: EditOptions): Draft {
  return actions.reduce((edited, action) => editDraft(edited, action, options), draft);
}
