import type {CatalogueParts} from '../../agents/catalogue/catalogue.ts';
import type {Registry} from '../../agents/registry/registry.ts';
import type {Mask} from '../../export/mask.ts';
import type {Page} from '../page.ts';

/** What the subcommands work with. */
export interface AgentsContext {
  /** The config folder. */
  readonly config: string;
  /** Where agents are installed. */
  readonly agents: string;
  /** The agents of this computer. */
  readonly local: Omit<CatalogueParts, 'registry'>;
  readonly registry: Registry;
  readonly stdout: Page;
  /** Takes whole lines. */
  readonly stderr: (text: string) => void;
  readonly warn: (sentence: string) => void;
  /** Asks a question that is answered with yes or no; undefined where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Shows how far something is, in the place of what it showed before; '' shows nothing. Undefined where nobody watches. */
  readonly status: ((text: string) => void) | undefined;
  /** Calls off what takes long. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The current folder. */
  readonly cwd: string;
  /** The `PATH` to look on. */
  readonly path: string | undefined;
  readonly mask: Mask;
}
