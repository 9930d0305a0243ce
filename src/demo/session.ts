import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DemoAccount} from './sign-in.ts';

/** A stored conversation with the demo agent. */
export interface DemoSession {
  readonly id: string;
  readonly cwd: string;
  title: string | undefined;
  updatedAt: string;
  mode: string;
  model: string;
  thoughts: boolean;
  /** The conversation, merged to whole messages, for replays. */
  readonly updates: acp.SessionUpdate[];
  /** Simulated tokens in the context, and simulated cost so far in US dollars. */
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

/** State shared by the handlers of a connection. */
export interface Demo {
  readonly pace: number;
  readonly sessions: Map<string, DemoSession>;
  readonly account: DemoAccount;
  /** The client's capabilities in `initialize`. */
  client: acp.ClientCapabilities;
}
