import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ProcessExit} from '../../shared/failure.ts';
import type {Attachment} from '../editor/attachments.ts';

/** The output of a user's command, attached to the next prompt. */
export interface CommandOutput {
  readonly id: string;
  /** As it was typed. */
  readonly command: string;
  readonly exit: ProcessExit;
  readonly text: string;
  /** True if the start of it is left out. */
  readonly isCut: boolean;
}

/** A prompt that waits for the turn before it to end. */
export interface QueuedPrompt {
  readonly id: string;
  /** As typed, placeholders resolved: what editing it again starts from. */
  readonly text: string;
  readonly content: readonly acp.ContentBlock[];
  /** Files to read when it is sent, and to send behind `content`. */
  readonly files?: readonly Attachment[];
  /** What the user's own commands printed, to be sent behind the rest. */
  readonly outputs?: readonly CommandOutput[];
  /** Sent although the queue is held: it was typed after the hold, or says why something was refused. */
  readonly direct?: boolean;
  /** Send now: join the running turn if the agent supports it, otherwise replace it. */
  readonly urgent?: boolean;
  /** In the transcript already: the agent wanted a sign-in before it took it. */
  readonly repeats?: boolean;
  /** The agent was asked to take it into the running turn, and has not answered. */
  readonly steering?: boolean;
}

/**
 * The position of a submitted prompt in the queue: last, first even if the queue is paused, first and now, or the index that
 * it was edited at.
 */
export type QueuePlace = 'last' | 'first' | 'now' | number;

/** The files that go with what was typed and not sent. */
export interface UnsentFiles {
  readonly draft: readonly Attachment[];
  /** Of each queued prompt, in order. */
  readonly queue: readonly (readonly Attachment[])[];
}

export interface UnsentOutputs {
  readonly draft: readonly CommandOutput[];
  readonly queue: readonly (readonly CommandOutput[])[];
}
