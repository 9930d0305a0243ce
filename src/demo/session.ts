import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DemoAccount} from './sign-in.ts';

/** A conversation with the demo agent, as it is kept on disk. */
export interface DemoSession {
  readonly id: string;
  readonly cwd: string;
  title: string | undefined;
  updatedAt: string;
  mode: string;
  model: string;
  thoughts: boolean;
  /** What was said, merged to whole messages, so that loading replays it. */
  readonly updates: acp.SessionUpdate[];
  /** Tokens in the pretended context, and the pretended cost so far in US dollars. */
  usedTokens: number;
  cost: number;
  toolCalls: number;
}

export function newSession(cwd: string): DemoSession {
  return {
    id: randomUUID(),
    cwd,
    title: undefined,
    updatedAt: new Date().toISOString(),
    mode: 'ask',
    model: 'demo-small',
    thoughts: true,
    updates: [],
    usedTokens: 1200,
    cost: 0,
    toolCalls: 0,
  };
}

/** State that the handlers of one connection share. */
export interface Demo {
  readonly pace: number;
  readonly sessions: Map<string, DemoSession>;
  readonly account: DemoAccount;
  /** What the client said of itself in `initialize`. */
  client: acp.ClientCapabilities;
}
