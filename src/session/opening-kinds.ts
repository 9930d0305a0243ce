import type * as acp from '@agentclientprotocol/sdk/unstable';

/** What a client opens when its agent is up. */
export type Opening =
  | {readonly kind: 'new'}
  /** Nothing before the user has chosen. */
  | {readonly kind: 'later'}
  /** The newest of the folder that the agent lists. */
  | {readonly kind: 'newest'; readonly fork?: boolean}
  /** A session of before; as a copy with `fork`, and without telling it again, where that can be done, when it `isHere`. */
  | {
      readonly kind: 'continue';
      readonly sessionId: acp.SessionId;
      readonly fork?: boolean;
      readonly isHere?: boolean;
    };
