import type {Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import type {Failure} from '../../shared/failure.ts';

/** What a connection is opened with. */
export interface RemoteTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Kept while the program runs: load balancers find the way back to the same server by them. */
  readonly cookieStore: AcpCookieStore;
}

/** A connection of either kind. */
export interface RemoteStream {
  readonly stream: Stream;
  /** Returns why it ended, from the error that its stream ended with, if any. */
  failureOf(error: unknown): Failure;
  /** Stops and goes on reading from the network. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when the other side knows of the end, if that takes longer than to close the stream. */
  readonly closed?: Promise<unknown>;
  /** Ends it without waiting for the other side. */
  terminate(): void;
}
