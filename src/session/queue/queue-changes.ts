import type {NewPrompt, PromptAttachment, QueuePosition, SteerOutcome} from './queued-prompt.ts';

/** A change of the queue by the user. */
export type QueueChange =
  | {readonly kind: 'submit'; readonly prompt: NewPrompt; readonly place: QueuePosition}
  | {readonly kind: 'remove'; readonly id: string}
  /** A queued or interrupted prompt is edited again: its outputs are for the next prompt. */
  | {readonly kind: 'edit'; readonly id: string}
  | {readonly kind: 'move'; readonly id: string; readonly by: number}
  /** It is sent now. */
  | {readonly kind: 'prioritize'; readonly id: string}
  | {readonly kind: 'pause' | 'resume'}
  /** Nothing is sent until a question about the folder's settings is answered. */
  | {readonly kind: 'hold'; readonly isHeld: boolean}
  /** The interrupted prompt is sent again, and the queue continues; or it is left. */
  /** `repeats`: it is in the transcript already. */
  | {readonly kind: 'resend_interrupted'; readonly repeats?: true}
  | {readonly kind: 'leave_interrupted'}
  /** Waits for the end of the provider's limit to send the prompt that failed at it again, or does not any more. */
  | {readonly kind: 'await_limit'; readonly isAwaited: boolean}
  /** That limit is over, or is not waited for any longer: what waits for it is sent. */
  | {readonly kind: 'limit_over'}
  | {readonly kind: 'drop_output'; readonly id: string}
  /** Unsent prompts of an earlier run or another session, and the outputs for the next one; submitted ones go before them. */
  | {
      readonly kind: 'restore';
      readonly prompts: readonly NewPrompt[];
      readonly outputs: readonly PromptAttachment[];
      readonly isPaused: boolean;
    }
  /** Its prompts and outputs were moved to another session. */
  | {readonly kind: 'clear'};

/** A change of the queue while its prompts are sent. */
export type SendingChange =
  | {readonly kind: 'taken'; readonly id: string}
  /** The prompt taken last could not be sent. */
  | {readonly kind: 'not_sent'}
  /** The turn of the prompt taken last was stopped before the agent got it. */
  | {readonly kind: 'returned'}
  /** That prompt is sent after all. */
  | {readonly kind: 'send_returned'; readonly id: string}
  /** The agent is asked to add a prompt to the running turn. */
  | {readonly kind: 'steering'; readonly id: string}
  /** `why`: a sentence, if it could not be asked. */
  | {readonly kind: 'steered'; readonly id: string; readonly outcome: SteerOutcome; readonly why?: string};
