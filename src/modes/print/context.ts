import type {PrintOptions} from '../../cli/options.ts';
import type {Failure} from '../../shared/failure.ts';
import type {RawAnswer} from './answer.ts';
import type {PrintConversation} from './print-conversation.ts';
import type {Format} from './formats/format.ts';
import type {Interruptions} from './interruptions.ts';
import type {PrintIo} from './io.ts';
import type {TurnOutcome} from '../../session/entries.ts';

/** The ending of a conversation. */
export type ConversationEnding =
  | {readonly kind: 'wrong_usage'; readonly problem: Failure | string}
  /** `lost`: why the agent ended while subagents continued after the turn. `deniedBefore`: how many requests were denied before its prompt was sent again. */
  | {
      readonly kind: 'turn';
      readonly outcome: TurnOutcome;
      readonly lost?: Failure;
      readonly deniedBefore?: number;
    }
  | {readonly kind: 'left'};

/** The shared state of a run. */
export interface RunContext {
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly conversation: PrintConversation;
  readonly options: PrintOptions;
  readonly io: PrintIo;
  readonly answer: RawAnswer;
  readonly format: Format;
  readonly interruptions: Interruptions;
}
