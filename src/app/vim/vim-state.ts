import type {Change} from '../editor/undo-step.ts';

/** State of the vim keys in a draft; constant while vim mode is off. */
export interface VimState {
  readonly mode: 'insert' | 'normal' | 'visual' | 'visual_line';
  /** The keys of a command that is not complete yet. */
  readonly pending: readonly string[];
  /** Where the selection of a visual mode began. */
  readonly anchor: number;
  /** What was deleted or yanked last. */
  readonly register: Register;
  /** What `;` and `,` look for. */
  readonly characterSearch: CharacterSearch | undefined;
  /** The last change, for `.`: the keys of the command, and what was typed after it. */
  readonly repeatable: {readonly keys: readonly string[]; readonly inserted: string} | undefined;
  /** What is being inserted, when a command began it. */
  readonly inserting: Inserting | undefined;
}

export interface Register {
  readonly text: string;
  /** True for whole lines; `text` ends with a line break then. */
  readonly isLines: boolean;
}

export interface CharacterSearch {
  readonly key: 'f' | 'F' | 't' | 'T';
  readonly character: string;
}

interface Inserting {
  readonly keys: readonly string[];
  /** The last change before the command: all that follows is one step for undo. */
  readonly mark: Change | undefined;
  /** Where typing began, and how many UTF-16 units stood behind. */
  readonly from: number;
  readonly behind: number;
}

/** Typing works at once, also for who does not know vim. */
export const initialVim: VimState = {
  mode: 'insert',
  pending: [],
  anchor: 0,
  register: {text: '', isLines: false},
  characterSearch: undefined,
  repeatable: undefined,
  inserting: undefined,
};
