import type {Attachment} from '../../session/content/attachment.ts';
import {atWordBefore, type AtWord, quoteIfNeeded} from '../editor/attachments.ts';
import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {insertFiles, insertPaste, updateFiles} from '../editor/insert.ts';
import {cleanInput, placeholderAt} from '../editor/pastes.ts';
import {emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import type {AppEventOf} from '../events.ts';
import {activeSession, changeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {typedPath} from './argument-menu.ts';
import type {FileMatch, MenuItem} from './menu-items.ts';

/** The word being typed after an `@`. Only typing opens it, not a paste, a caret movement or the history. */
export function fileWord({text, caret, last}: Draft): AtWord | undefined {
  return last === 'typing' || last === 'erasing' ? atWordBefore(text, caret) : undefined;
}

/** Returns the query of the file search; undefined while no file name is being typed. */
export function fileQuery(state: AppState): string | undefined {
  if (state.focus.kind !== 'prompt' || state.overlay.kind !== 'none' || state.menu.dismissed)
    return undefined;
  const tab = activeSession(state);
  return fileWord(tab.draft)?.path ?? typedPath(tab)?.path;
}

/** True if that search is for folders only. */
export function isFolderQuery(state: AppState): boolean {
  const tab = activeSession(state);
  return fileWord(tab.draft) === undefined && typedPath(tab)?.isFolder === true;
}

export function fileItems({files}: AppState): readonly MenuItem[] {
  return (files?.items ?? []).map((file) => ({
    text: file.path,
    description: file.isFolder && file.path === files?.query ? 'the folder itself' : '',
    source: 'files',
    file,
  }));
}

/** Inserts a file into the draft as a unit; an incomplete folder is inserted as a path, so that typing continues inside it. */
export function acceptFile(state: AppState, {path, absolute, isFolder}: FileMatch, at: number): Reaction {
  const {key, draft} = activeSession(state);
  const word = fileWord(draft);
  // The files shown are for an earlier key press: Enter has to wait for those of this one.
  if (!word || state.files?.query !== word.path) return nothing;
  if (isFolder && path !== word.path) {
    const insert = `@${quoteIfNeeded(path, {open: true})}`;
    const opened = change(draft, {from: word.from, to: word.to, insert, as: 'typing'});
    return emitEvent({type: 'draft_changed', key, draft: opened, at});
  }
  const file: Attachment = {
    path: absolute,
    name: path,
    kind: isFolder ? 'folder' : 'file',
    ...(word.lines && !isFolder && {lines: word.lines}),
  };
  return combine(
    emitEvent({type: 'draft_changed', key, draft: insertFiles(draft, [file], word), at}),
    perform({kind: 'check_files', key, files: [file]}),
  );
}

/** Inserts files as units: in place of their pasted paths, or at the caret if those are gone. */
export function filesAttached(
  state: AppState,
  {key, files, pasted, at}: AppEventOf<'files_attached'>,
): AppState {
  const changed = changeSession(state, key, (tab) => {
    const {draft} = tab;
    const place = pasted === undefined ? {from: draft.caret, to: draft.caret} : findPasted(draft, pasted);
    return place ? {...tab, draft: insertFiles(draft, files, place)} : tab;
  });
  return changed === state ? state : {...changed, lastTypedAt: at};
}

export function filesChecked(state: AppState, {key, files}: AppEventOf<'files_checked'>): AppState {
  return changeSession(state, key, (tab) => {
    const draft = updateFiles(tab.draft, files);
    return draft === tab.draft ? tab : {...tab, draft};
  });
}

export function textPasted(state: AppState, {key, text, at}: AppEventOf<'text_pasted'>): AppState {
  const changed = changeSession(state, key, (tab) => ({...tab, draft: insertPaste(tab.draft, text)}));
  return {...changed, lastTypedAt: at};
}

/** Returns the position of a paste in a draft, as text or as a unit; undefined if it has changed. */
function findPasted({text, pastes}: Draft, pasted: string) {
  const clean = cleanInput(pasted);
  const unit = pastes.findLastIndex((paste) => paste.text === clean);
  const current = unit === -1 ? clean : placeholderAt(unit);
  const from = text.lastIndexOf(current);
  return from === -1 ? undefined : {from, to: from + current.length};
}
