import type {Happening} from './happenings.ts';

/** What the pages of the protocol say about more than one message, or about a value that its schema lets pass. */
export interface Rule {
  readonly name: string;
  /** The page that says so, with its section; below `PAGES`. */
  readonly page: string;
  /** `life` is one agent process from its `initialize` on, in order. */
  readonly find: (life: readonly Happening[]) => readonly Breach[];
}

export interface Breach {
  /** The line that shows it. */
  readonly index: number;
  readonly text: string;
  /** The protocol allows it, and a client may stumble over it all the same. */
  readonly isLegal?: boolean;
}
