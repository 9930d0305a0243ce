import type {Host} from '../../host/services.ts';
import type {ClientOptions, SessionSink} from '../options.ts';
import type {RoutedSession} from './update-router.ts';

/** What an agent is served with: a session's files, commands and permissions, and the state that its messages are read by. */
export interface ServedSession {
  readonly options: ClientOptions;
  readonly sink: SessionSink;
  readonly host: Host;
  /** Undefined unless the session waits for the agent, see `ClientContext`. */
  readonly giveUp: (() => void) | undefined;
}

/** One of the sessions that use an agent. */
export interface AgentMember extends RoutedSession {
  readonly served: ServedSession;
  /** Another session has signed in to the agent; one that was started for that has to be joined anew. */
  readonly signedIn: (how: {readonly isStartedAnew: boolean}) => void;
  /** Another session has signed out of the agent, and deleted the values that it may have been started with. */
  readonly signedOut: (how: {readonly areValuesDeleted: boolean}) => void;
}
