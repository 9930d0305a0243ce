import type {Scroll} from '../../src/app/state.ts';

/** Lines of something that may be taller than its place, and what of it they show. */
export interface ScrolledLines {
  readonly lines: readonly string[];
  readonly drawn: Scroll;
}
