import type {Host} from '../../host/services.ts';
import type {ClientOptions, SessionSink} from '../options.ts';
import type {RoutedSession} from './update-router.ts';

/** The session that serves an agent's requests: files, commands, permissions, and the state in which its messages are interpreted. */
export interface ServedSession {
  readonly options: ClientOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** Undefined unless the session waits for the agent, see `ClientContext`. */
  readonly giveUp: (() => void) | undefined;
}

/** A session that uses an agent. */
export interface AgentMember extends RoutedSession {
  readonly served: ServedSession;
  /** Called when another session has signed in; if the agent was restarted for that, it has to be joined again. */
  readonly signedIn: (how: {readonly isStartedAnew: boolean}) => void;
  /** Called when another session has signed out, and possibly deleted the values that the agent was started with. */
  readonly signedOut: (how: {readonly areValuesDeleted: boolean}) => void;
}
