import {join} from 'node:path';
import envPaths from 'env-paths';

/** Paths of stored files. Everything is private: files 0600 in folders 0700. */
export interface Paths {
  readonly config: string;
  /** Drafts, history and log: may be deleted, but should survive a restart. */
  readonly state: string;
  /** Installed agents. */
  readonly data: string;
  /** Data that can be downloaded again. */
  readonly cache: string;
}

/**
 * Returns the platform's folders (XDG on Linux). `ACP_TUI_CONFIG_DIR`, `ACP_TUI_STATE_DIR`, `ACP_TUI_DATA_DIR` and `ACP_TUI_CACHE_DIR` override them, for
 * portable set-ups and tests.
 */
export function findPaths(env: NodeJS.ProcessEnv = process.env): Paths {
  const folders = envPaths('acp-tui', {suffix: ''});
  // env-paths' `log` is XDG_STATE_HOME on Linux; on other platforms the state is stored with the data.
  const state = process.platform === 'linux' ? folders.log : folders.data;
  return {
    config: env['ACP_TUI_CONFIG_DIR'] || folders.config,
    state: env['ACP_TUI_STATE_DIR'] || state,
    data: env['ACP_TUI_DATA_DIR'] || folders.data,
    cache: env['ACP_TUI_CACHE_DIR'] || folders.cache,
  };
}

export function logFile({state}: Paths): string {
  return join(state, 'acp-tui.log');
}

/** Returns the folder of installed agents. */
export function agentsFolder({data}: Pick<Paths, 'data'>): string {
  return join(data, 'agents');
}
