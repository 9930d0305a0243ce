import type {AnyMessage, Stream} from '@agentclientprotocol/sdk/unstable';
import type {AcpCookieStore} from '@agentclientprotocol/sdk/experimental/ws-client';
import type {Failure} from '../../shared/failure.ts';

/** Where and how to connect. */
export interface RemoteTarget {
  readonly url: URL;
  /** The URL without secrets, for messages. */
  readonly shown: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Kept while the program runs: load balancers route by cookies. */
  readonly cookieStore: AcpCookieStore;
}

/** An open connection, over HTTP or WebSocket. */
export interface RemoteStream {
  readonly stream: Stream;
  /** Called with each message before it is sent. */
  readonly onSend?: (message: AnyMessage) => void;
  /** Returns the error for a received message after which the connection is of no use. */
  readonly brokenBy?: (message: AnyMessage) => Error | undefined;
  /** Returns why the connection ended, from the error of its stream, if any. */
  failureOf(error: unknown): Failure;
  /** Pauses and resumes reading from the network. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Resolves when the server has acknowledged the close, if that takes longer than closing the stream. */
  readonly closed?: Promise<unknown>;
  /** Closes it without waiting for the server. */
  terminate(): void;
}
