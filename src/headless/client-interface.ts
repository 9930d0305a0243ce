import type {AgentCommand} from '../agents/resolve.ts';
import type {Result} from '../shared/failure.ts';
import type {DeniedRequest} from '../host/services.ts';
import type {WireMessage} from '../protocol/handlers-interface.ts';
import type {SessionActions} from '../session/actions.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';

/**
 * The interface of a conversation for one-shot runs. Nobody is there to be asked: whatever the approval level does not allow
 * is refused by the implementer, and listed in `denied()`.
 */
export interface HeadlessClient {
  /** How the agent is started; absent if it cannot be. */
  readonly agent?: AgentCommand;
  /**
   * Starts the agent, signs in with `--auth` where it was given, opens a session, and applies mode, model and options, each
   * verified. Failures are reported as data: `authentication_required`, `unknown_value`, `exited_early` and so on.
   */
  open(): Promise<Result<void>>;
  /**
   * Calls back synchronously with each event as it came from the agent, its text not yet sanitized, and with the state after
   * it. Returns the way out.
   */
  onEvent(listener: (event: SessionEvent, state: SessionState) => void): () => void;
  /** The newest state. */
  state(): SessionState;
  /** The same without the messages of earlier runs of a resumed session. */
  ownState(): SessionState;
  /** Calls back synchronously with each line of the wire in both directions. Returns the way out. */
  onWire(listener: (message: WireMessage) => void): () => void;
  /**
   * Asks `wait` before more bytes are taken from the agent's stdout, and takes none until its promise resolves: a slow reader
   * of our output slows the agent down instead of filling the memory. Undefined means go on at once.
   */
  paceReading(wait: () => Promise<void> | undefined): void;
  /** What the agent asked for and did not get, oldest first. */
  denied(): readonly DeniedRequest[];
  /** Every prompt leads to a turn that ends in the state, also when the agent goes away. */
  readonly actions: Pick<SessionActions, 'prompt' | 'cancel' | 'close'>;
  /** For an exit that cannot wait: kills everything that was started, synchronously. */
  killNow(): void;
}
