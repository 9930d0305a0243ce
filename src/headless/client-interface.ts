import type {AgentCommand} from '../agents/resolve.ts';
import type {Result} from '../shared/failure.ts';
import type {DeniedRequest} from '../host/services.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';

/** A conversation in print mode, without a user: the implementer refuses whatever the approval level does not allow, and lists it in `denied()`. */
export interface HeadlessClient {
  /** How the agent is started; undefined if it cannot be. */
  readonly agent?: AgentCommand;
  /**
   * Starts the agent, signs in with `--auth` if passed, opens a session, and applies mode, model and options, each verified. Failures are returned as data:
   * `authentication_required`, `unknown_value`, `exited_early` etc.
   */
  open(): Promise<Result<void>>;
  /** Calls back synchronously with each event as received, with unsanitized text, and the state after it. Returns the unsubscribe function. */
  onEvent(listener: (event: SessionEvent, state: SessionState) => void): () => void;
  /** Returns the latest state. */
  state(): SessionState;
  /** The same without the messages of earlier runs of a resumed session. */
  ownState(): SessionState;
  /** Calls back synchronously with each protocol message in both directions. Returns the unsubscribe function. */
  onWire(listener: (message: WireMessage) => void): () => void;
  /**
   * Calls `wait` before reading more of the agent's stdout, and pauses until its promise resolves: a slow reader of the output slows down the agent instead of
   * filling the memory. Undefined continues at once.
   */
  paceReading(wait: () => Promise<void> | undefined): void;
  /** Returns the agent's refused requests, oldest first. */
  denied(): readonly DeniedRequest[];
  /** Every prompt starts a turn that ends in the state, even if the agent exits. */
  readonly actions: Pick<SessionActions, 'prompt' | 'cancel' | 'close'>;
  /** For exits that cannot wait: kills all started processes synchronously. */
  killNow(): void;
}
