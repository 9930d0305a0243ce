import type {DraftChange} from '../editor/undo-step.ts';

/** State of the vim keys in a draft; constant while vim mode is off. */
export interface VimState {
  readonly mode: 'insert' | 'normal' | 'visual' | 'visual_line';
  /** The keys of an incomplete command. */
  readonly pending: readonly string[];
  /** The start of a visual selection. */
  readonly anchor: number;
  /** The last deleted or yanked text. */
  readonly register: Register;
  /** The search that `;` and `,` repeat. */
  readonly characterSearch: CharacterSearch | undefined;
  /** The last change, for `.`: the command's keys, and the text typed after it. */
  readonly repeatable: {readonly keys: readonly string[]; readonly inserted: string} | undefined;
  /** The current insertion, if a command started it. */
  readonly inserting: Inserting | undefined;
}

export interface Register {
  readonly text: string;
  /** True for whole lines; `text` then ends with a line break. */
  readonly isLines: boolean;
}

export interface CharacterSearch {
  readonly key: 'f' | 'F' | 't' | 'T';
  readonly character: string;
}

interface Inserting {
  readonly keys: readonly string[];
  /** The last change before the command: everything after it is one undo step. */
  readonly mark: DraftChange | undefined;
  /** Where typing started, and the number of UTF-16 units after it. */
  readonly from: number;
  readonly behind: number;
}

/** Starts in insert mode, so that typing works for users who do not know vim. */
export const initialVim: VimState = {
  mode: 'insert',
  pending: [],
  anchor: 0,
  register: {text: '', isLines: false},
  characterSearch: undefined,
  repeatable: undefined,
  inserting: undefined,
};
