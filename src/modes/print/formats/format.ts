import type {Include} from '../../../cli/options.ts';
import type {WireMessage} from '../../../protocol/handlers-interface.ts';
import type {SessionEvent} from '../../../session/events.ts';
import type {SessionState} from '../../../session/state.ts';
import type {AnswerPart} from '../answer.ts';
import type {Output} from '../../../cli/output.ts';
import type {RunResult} from '../schema.ts';

/** An event of the run. */
export interface RunEvent {
  readonly event: SessionEvent;
  /** After the event. */
  readonly state: SessionState;
  /** The part of the answer in the event. */
  readonly part: AnswerPart | undefined;
}

/** An output format. Results go to stdout, progress to stderr. */
export interface Format {
  /** True for a format with progress on stderr. */
  readonly narrates?: true;
  onEvent?(step: RunEvent): void;
  onWire?(message: WireMessage): void;
  /** Called once at the end, even if the run failed. `lastMessage` is the answer's. */
  finish(result: RunResult, lastMessage: string | undefined): void;
}

export interface FormatContext {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly include: ReadonlySet<Include>;
}
