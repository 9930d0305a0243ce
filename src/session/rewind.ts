import type {ForkPoint} from './events.ts';
import type {LineCounts} from './line-counts.ts';
import type {UndoneFile} from './transcript/diffs.ts';

/** A state that the session can be rewound to. */
export type RewindPoint =
  /** Before a prompt was sent. */
  | {
      readonly kind: 'prompt';
      readonly turn: number;
      /** The prompt as typed. */
      readonly text: string;
      /** Milliseconds since the epoch. */
      readonly at: number;
      /** The id of a snapshot; undefined if the turn is not covered, so no files can be restored. */
      readonly snapshot: string | undefined;
      readonly changed: LineCounts | undefined;
    }
  /** Before files were restored. */
  | {readonly kind: 'restore'; readonly at: number; readonly snapshot: string};

/** What rewinding to a point would do to the files. */
export interface RewindPlan {
  readonly point: RewindPoint;
  /** The id of a snapshot of the current folder; '' if there is none. */
  readonly now: string;
  /** Why no files can be restored, as part of a sentence. */
  readonly problem?: string;
  /** How the agent itself can go back there; undefined if it cannot, and a new session gets the text of the conversation. */
  readonly fork?: ForkPoint | undefined;
  readonly files: readonly UndoneFile[];
  /** Files that snapshots do not cover. */
  readonly uncovered: readonly {readonly path: string; readonly reason: string}[];
}
