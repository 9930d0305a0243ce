import type * as acp from '@agentclientprotocol/sdk/unstable';

/** A prompt that waits for the turn before it to end. */
export interface QueuedPrompt {
  readonly id: string;
  /** As typed, placeholders resolved: what editing it again starts from. */
  readonly text: string;
  readonly content: readonly acp.ContentBlock[];
}
