import {fold, nothing, perform, together, type Step} from './effects.ts';
import type {MenuItem} from './menu.ts';
import {atWordBefore, type AtWord} from './prompt/at-words.ts';
import {quotedIfNeeded, type Attachment} from './prompt/attachments.ts';
import {change} from './prompt/change.ts';
import type {Draft} from './prompt/draft.ts';
import {insertFiles} from './prompt/insert.ts';
import {activeSession} from './sessions.ts';
import type {AppState} from './state.ts';

/** A file or folder that fits what is typed behind an `@`. */
export interface FoundFile {
  /** As it stands in the text: relative to the working folder, or from a root; a folder ends in `/`. */
  readonly path: string;
  readonly absolute: string;
  readonly isFolder: boolean;
}

/** What was found last, and for which query; still shown while the next one is looked for. */
export interface FoundFiles {
  readonly query: string;
  readonly items: readonly FoundFile[];
}

/** The word that is being typed behind an `@`. Only typing opens it: neither a paste, nor a caret that comes by, nor the history. */
export function fileWord({text, caret, last}: Draft): AtWord | undefined {
  return last === 'typing' || last === 'erasing' ? atWordBefore(text, caret) : undefined;
}

/** What to look for now; undefined while nobody types the name of a file. */
export function wantedFiles(state: AppState): string | undefined {
  if (state.focus.kind !== 'prompt' || state.overlay.kind !== 'none' || state.menu.dismissed)
    return undefined;
  return fileWord(activeSession(state).draft)?.path;
}

export function fileItems({files}: AppState): readonly MenuItem[] {
  return (files?.items ?? []).map((file) => ({
    text: file.path,
    argument: undefined,
    description: file.isFolder && file.path === files?.query ? 'the folder itself' : '',
    aliases: [],
    source: 'files',
    unavailable: undefined,
    file,
  }));
}

/** Puts a file into the draft as a unit; of a folder that is not yet typed whole, its path, so that typing goes on inside it. */
export function acceptFile(state: AppState, {path, absolute, isFolder}: FoundFile, at: number): Step {
  const {key, draft} = activeSession(state);
  const word = fileWord(draft);
  // What is shown belongs to an earlier key: the next one is about what is found for this one.
  if (!word || state.files?.query !== word.path) return nothing;
  if (isFolder && path !== word.path) {
    const insert = `@${quotedIfNeeded(path, {open: true})}`;
    const opened = change(draft, {from: word.from, to: word.to, insert, as: 'typing'});
    return fold({type: 'draft_changed', key, draft: opened, at});
  }
  const file: Attachment = {
    path: absolute,
    name: path,
    kind: isFolder ? 'folder' : 'file',
    ...(word.lines && !isFolder && {lines: word.lines}),
  };
  return together(
    fold({type: 'draft_changed', key, draft: insertFiles(draft, [file], word), at}),
    perform({kind: 'look_at', key, files: [file]}),
  );
}
