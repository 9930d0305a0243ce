import type {SettingPath} from '../../persistence/setting-paths.ts';

/** What `acp-tui config …` is asked for. */
export type ConfigCommand =
  | {readonly kind: 'list'; readonly withSecrets: boolean; readonly json: boolean}
  | {
      readonly kind: 'get';
      readonly path: SettingPath;
      readonly withSecrets: boolean;
      readonly json: boolean;
    }
  /** The value as it was typed. */
  | {readonly kind: 'set'; readonly path: SettingPath; readonly value: string}
  | {readonly kind: 'unset'; readonly path: SettingPath}
  | {readonly kind: 'edit'}
  | {readonly kind: 'path'};
