import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../../shared/failure.ts';
import type {Attachment} from '../content/attachment.ts';
import type {SentComment} from '../content/sent-comment.ts';

/** The output of a user's command, attached to the next prompt. */
export interface CommandOutput {
  readonly id: string;
  /** As it was typed. */
  readonly command: string;
  readonly exit: ProcessExit;
  readonly text: string;
  /** True if its beginning is left out. */
  readonly isCut: boolean;
}

/** What the user restored since the last prompt, attached to the next one. */
export interface RestoreNote {
  readonly id: 'restored';
  readonly sentences: readonly string[];
}

/** Comments on changes, sent with the prompt. */
export interface CommentNote {
  readonly id: string;
  readonly comments: readonly SentComment[];
}

export type PromptAttachment = CommandOutput | RestoreNote | CommentNote;

/** A submitted prompt. */
export interface NewPrompt {
  /** As typed, placeholders resolved: the text for editing it again. */
  readonly text: string;
  readonly content: readonly acp.ContentBlock[];
  /** Files to read when it is sent, after `content`. */
  readonly files?: readonly Attachment[];
  /** Output of the user's commands, sent after everything else. */
  readonly outputs?: readonly PromptAttachment[];
  /** True for a command of the agent's, which may have the name of a custom one. */
  readonly isAgents?: boolean;
  /** True if what submitted it waits for its turn, and is told how that ends: it is not sent again later, when nobody waits for it. */
  readonly isSentOnce?: boolean;
}

/** A prompt that waits for the current turn to end. */
export interface QueuedPrompt extends NewPrompt {
  readonly id: string;
  /** Sent although the queue is paused: it was typed after the pause, or is the note of a rejection. */
  readonly direct?: boolean;
  /** Send now: join the running turn if the agent supports it, otherwise replace it. */
  readonly urgent?: boolean;
  /** In the transcript already, because the agent required a sign-in before accepting it. */
  readonly repeats?: boolean;
  /** True until the agent has answered whether it accepts it in the running turn. */
  readonly steering?: boolean;
}

/**
 * The position of a submitted prompt in the queue: last, first even if the queue is paused, first and now, or the index that
 * it was edited at.
 */
export type QueuePosition = 'last' | 'first' | 'now' | number;

/** The outcome of steering a running turn: the agent took the prompt, started a separate turn whose end it does not report, or refused. */
export type SteerOutcome = 'taken' | 'detached' | 'refused';
