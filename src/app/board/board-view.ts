import type {ApprovalLevel} from '../../session/settings/approval.ts';
import type {Draft} from '../editor/draft.ts';
import type {SessionRow, TranscriptMatches} from '../pickers/listings.ts';

/** What the next session gets; what is undefined is as in the active session. */
export interface NextSession {
  readonly agent?: {readonly id: string; readonly name: string};
  readonly cwd?: string;
  readonly approval?: ApprovalLevel;
  /** In a new worktree of its folder. */
  readonly worktree?: boolean;
  readonly sandbox?: boolean;
}

export const GROUPINGS = ['state', 'folder', 'agent'] as const;

/** What is typed on the board: the prompt of a new session, the filter, or a prompt for the selected session. */
export type BoardTyping = 'new' | 'filter' | 'reply';

/** Where the prompt of a new session is kept. */
export const NEW = '';

/** The board: all open sessions, and what the selected one asks. */
export interface BoardView {
  /** The open sessions of the index; `key` if this window has one, too. */
  readonly stored: readonly SessionRow[];
  /** When they were read, in milliseconds since the epoch. */
  readonly at: number;
  /** The id of the selected row. */
  readonly selected?: string | undefined;
  /** The key of its session, if this window has it: its requests can be answered here. */
  readonly session?: string | undefined;
  /** The row that turned out to run in another window, where this one cannot answer it. */
  readonly elsewhere?: string | undefined;
  readonly typing: BoardTyping;
  readonly draft: Draft;
  /** What was typed before that and is not sent: for a new session under `NEW`, and replies under the row they are for. */
  readonly kept: Readonly<Record<string, Draft>>;
  readonly filter: string;
  readonly groupBy: (typeof GROUPINGS)[number];
  /** Where the words of the filter were said, by row. */
  readonly said?: TranscriptMatches;
  readonly next: NextSession;
}
