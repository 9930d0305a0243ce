import type {Mask} from '../../export/mask.ts';
import type {SessionStore} from '../../persistence/sessions/session-store.ts';

/** What the subcommands work with. */
export interface SessionsContext {
  readonly store: SessionStore;
  readonly stdout: Page;
  /** Takes whole lines. */
  readonly stderr: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The current folder. */
  readonly cwd: string;
  readonly mask: Mask;
  /** Asks a question that is answered with yes or no; undefined where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** Where results go. */
export interface Page {
  readonly write: (text: string) => void;
  /** The width of the terminal; undefined where there is none, and nothing is to be cut. */
  readonly columns: number | undefined;
  readonly look: Look;
}

/** How things look: as they are where there are no colours. */
export interface Look {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly found: (text: string) => string;
  readonly heading: (text: string) => string;
}
