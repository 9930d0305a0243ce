import type {AgentSettings} from '../../persistence/agent-settings.ts';

/** Whether the registry is asked, and how what is found is written. */
export interface Looking {
  /** Asks it now, whatever is kept. */
  readonly refresh: boolean;
  /** Asks nobody. */
  readonly offline: boolean;
  readonly json: boolean;
}

/** What `acp-tui agents …` is asked for. A `name` is what `--agent` takes. */
export type AgentsCommand =
  | ({readonly kind: 'list'} & Looking)
  | ({readonly kind: 'search'; readonly query: string} & Looking)
  | ({readonly kind: 'info'; readonly name: string} & Looking)
  | {
      readonly kind: 'add';
      readonly name: string;
      /** The program first. */
      readonly command: readonly string[];
      readonly settings: Pick<AgentSettings, 'env' | 'mode' | 'model' | 'approve'>;
      /** In the place of one that has the name. */
      readonly replace: boolean;
    }
  | {readonly kind: 'remove'; readonly name: string}
  | {
      readonly kind: 'install';
      readonly name: string;
      /** Undefined for the registry's. */
      readonly version: string | undefined;
      /** Agrees beforehand. */
      readonly yes: boolean;
    }
  /** Undefined for all. */
  | {readonly kind: 'update'; readonly name: string | undefined; readonly yes: boolean}
  | {readonly kind: 'uninstall'; readonly names: readonly string[]};
