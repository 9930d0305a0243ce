import type {KeyPress} from '../../../../src/app/input/keys.ts';
import type {Draft} from '../../../../src/app/editor/draft.ts';
import type {EditOptions} from '../../../../src/app/editor/edit.ts';
import {insertText} from '../../../../src/app/editor/insert.ts';
import {leaveVimMode, pressVim} from '../../../../src/app/vim/press.ts';
import {graphemes} from '../../../../src/text/width.ts';
import {at, textWithCaret} from '../editor/marked.ts';

/** No key pressed yet. */
export const press: KeyPress = {
  kind: 'key',
  name: undefined,
  text: '',
  ctrl: false,
  alt: false,
  shift: false,
  at: 0,
};

const named: Readonly<Record<string, string>> = {'⏎': 'enter', '↑': 'up', '↓': 'down', '←': 'left'};

/** Types keys as the window passes them on; `⎋` is Esc, `⌃` is Ctrl+R, and `⏎ ↑ ↓ ←` are themselves. */
export function typeVim(draft: Draft, keys: string, options: EditOptions = {}): Draft {
  return graphemes(keys).reduce((edited, text) => {
    if (text === '⎋') return leaveVimMode(edited) ?? edited;
    const key = text === '⌃' ? {...press, name: 'r', ctrl: true} : {...press, name: text, text};
    const name = named[text];
    if (name !== undefined) return pressVim(edited, {...press, name}, options) ?? edited;
    return pressVim(edited, key, options) ?? insertText(edited, text);
  }, draft);
}

/** A draft in normal mode, from a text with `|` before the character under the caret. */
export function normal(text: string): Draft {
  const draft = at(text);
  return {...draft, vim: {...draft.vim, mode: 'normal'}};
}

/** The result for a marked text. */
export function vim(text: string, keys: string): string {
  return textWithCaret(typeVim(normal(text), keys));
}
