import type {Mask} from '../../export/mask.ts';
import type {SessionStore} from '../../persistence/sessions/session-store.ts';
import type {Page} from '../page.ts';

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
