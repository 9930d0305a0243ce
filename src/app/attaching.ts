import type {AppEventOf} from './events.ts';
import type {Draft} from './prompt/draft.ts';
import {insertFiles, insertPaste, updateFiles} from './prompt/insert.ts';
import {cleanInput, placeholderAt} from './prompt/pastes.ts';
import {changeSession} from './sessions.ts';
import type {AppState} from './state.ts';

/** Files become units of the draft: where their pasted paths stand, unless those are gone, or at the caret. */
export function filesAttached(
  state: AppState,
  {key, files, pasted, at}: AppEventOf<'files_attached'>,
): AppState {
  const changed = changeSession(state, key, (open) => {
    const {draft} = open;
    const place = pasted === undefined ? {from: draft.caret, to: draft.caret} : findPasted(draft, pasted);
    return place ? {...open, draft: insertFiles(draft, files, place)} : open;
  });
  return changed === state ? state : {...changed, lastTypedAt: at};
}

export function filesSeen(state: AppState, {key, files}: AppEventOf<'files_seen'>): AppState {
  return changeSession(state, key, (open) => {
    const draft = updateFiles(open.draft, files);
    return draft === open.draft ? open : {...open, draft};
  });
}

export function textPasted(state: AppState, {key, text, at}: AppEventOf<'text_pasted'>): AppState {
  const changed = changeSession(state, key, (open) => ({...open, draft: insertPaste(open.draft, text)}));
  return {...changed, lastTypedAt: at};
}

/** Where a paste stands in a draft, as text or as a unit; undefined when it was changed meanwhile. */
function findPasted({text, pastes}: Draft, pasted: string) {
  const clean = cleanInput(pasted);
  const unit = pastes.findLastIndex((paste) => paste.text === clean);
  const standing = unit === -1 ? clean : placeholderAt(unit);
  const from = text.lastIndexOf(standing);
  return from === -1 ? undefined : {from, to: from + standing.length};
}
