import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Field} from './fields.ts';
import type {Link} from './link.ts';

/** What an agent asks with `elicitation/create`, or we with a form of our own, read and ready to be shown. */
export type AskedElicitation = {
  readonly message: string;
  /** The tool call that it is for. */
  readonly toolCallId?: acp.ToolCallId;
  /** Who asks, where it is not the agent. */
  readonly asker?: string;
} & (
  | {
      readonly mode: 'form';
      readonly title?: string;
      readonly description?: string;
      readonly fields: readonly Field[];
    }
  | {readonly mode: 'url'; readonly link: Link}
);

/** A question of a form and its answer, in words. */
export interface AnsweredQuestion {
  readonly label: string;
  /** Undefined where it was left empty, or is not kept. */
  readonly answer?: string;
  /** The answer is a secret: it was sent and is not kept. */
  readonly isSecret?: true;
}

/** What became of it; `accepted` of an address means that it may be opened. */
export type ElicitationOutcome = 'accepted' | 'declined' | 'cancelled' | 'withdrawn';
