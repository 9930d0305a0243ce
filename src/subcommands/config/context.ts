import type {SettingPlaces} from '../../persistence/setting-sources.ts';
import type {Page} from '../page.ts';

/** What the subcommands work with. */
export interface ConfigContext extends SettingPlaces {
  readonly stdout: Page;
  /** Takes whole lines. */
  readonly stderr: (text: string) => void;
  readonly warn: (sentence: string) => void;
  /** Has a file edited in the terminal; resolves to why that was not possible. Undefined where there is no terminal. */
  readonly edit: ((file: string) => Promise<string | undefined>) | undefined;
}
