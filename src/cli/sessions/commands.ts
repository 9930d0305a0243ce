import type {ExportChoice} from '../../export/format.ts';

/** Which sessions are meant; what is left out leaves none out. */
export interface SessionsFilter {
  /** A part of the agent's name. */
  readonly agent?: string;
  /** As typed; sessions of this folder, or of one in it. */
  readonly cwd?: string;
  /** Last used at most, or at least, so many milliseconds ago. */
  readonly newerThanMs?: number;
  readonly olderThanMs?: number;
}

/** What `acp-tui sessions …` is asked for. An `id` is ours, the agent's, or the beginning of one. */
export type SessionsCommand =
  | {
      readonly kind: 'list';
      readonly filter: SessionsFilter;
      readonly include: 'archived' | 'deleted' | undefined;
      readonly limit: number | undefined;
      readonly json: boolean;
    }
  | {readonly kind: 'show'; readonly id: string; readonly withSecrets: boolean; readonly json: boolean}
  | {
      readonly kind: 'search';
      readonly query: string;
      readonly filter: SessionsFilter;
      readonly limit: number | undefined;
      readonly json: boolean;
    }
  | {
      readonly kind: 'export';
      readonly id: string;
      /** Undefined where the name of the file says it. */
      readonly format: ExportChoice | undefined;
      /** As typed; undefined for standard output. */
      readonly output: string | undefined;
      readonly withSecrets: boolean;
    }
  | {readonly kind: 'import'; readonly file: string}
  | {readonly kind: 'delete'; readonly ids: readonly string[]; readonly yes: boolean}
  | {readonly kind: 'restore'; readonly ids: readonly string[]};
