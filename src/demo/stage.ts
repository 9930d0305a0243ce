import {setTimeout as wait} from 'node:timers/promises';
import type {AgentContext} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {promptTaken} from '../protocol/agent-side/both-versions.ts';
import type {DemoSession} from './session.ts';

interface StageOptions {
  readonly session: DemoSession;
  readonly context: AgentContext;
  readonly client: acp.ClientCapabilities;
  /** Factor for all pauses. */
  readonly pace: number;
  readonly signal: AbortSignal;
}

/** Actions of a scene. Each waits a little, so that it can be watched, and ends at once when the turn is cancelled. */
export interface Stage extends StageOptions {
  /** Records the user's prompt for replays; the first one becomes the title. */
  recordPrompt(text: string, prompt: readonly acp.ContentBlock[]): Promise<void>;
  /** Streams Markdown in small chunks, like a model. */
  say(markdown: string): Promise<void>;
  think(text: string): Promise<void>;
  plan(entries: readonly acp.PlanEntry[]): Promise<void>;
  update(update: acp.SessionUpdate): Promise<void>;
  pause(milliseconds: number): Promise<void>;
  nextToolCallId(): string;
  /** Reports the simulated context usage, and returns the turn's. */
  accounts(): Promise<acp.Usage>;
}

const CONTEXT_SIZE = 64_000;

export function createStage({session, context, client, pace, signal}: StageOptions): Stage {
  const usedBefore = session.usedTokens;
  const send = (update: acp.SessionUpdate) =>
    context.notify('session/update', {sessionId: session.id, update});

  async function pause(milliseconds: number): Promise<void> {
    signal.throwIfAborted();
    if (pace > 0) await wait(milliseconds * pace, undefined, {signal});
  }

  async function stream(kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string): Promise<void> {
    const messageId = `message-${session.updates.length + 1}`;
    let sent = '';
    try {
      for (const piece of text.match(/\s*\S+\s*/g) ?? []) {
        await pause(18);
        sent += piece;
        await send({sessionUpdate: kind, messageId, content: {type: 'text', text: piece}});
      }
    } finally {
      session.usedTokens += Math.ceil(sent.length / 4);
      session.updates.push({sessionUpdate: kind, messageId, content: {type: 'text', text: sent}});
    }
  }

  async function update(next: acp.SessionUpdate): Promise<void> {
    signal.throwIfAborted();
    session.updates.push(next);
    await send(next);
  }

  return {
    session,
    client,
    context,
    signal,
    pace,
    pause,
    update,
    async recordPrompt(text, prompt) {
      await context.notify('session/update', {sessionId: session.id, update: recorded(session, prompt)});
      session.usedTokens += Math.ceil(text.length / 4);
      if (session.title !== undefined || !text.trim()) return;
      session.title = text.trim().split('\n')[0]?.slice(0, 60);
      await send({sessionUpdate: 'session_info_update', title: session.title ?? null});
    },
    say: (markdown) => stream('agent_message_chunk', markdown),
    async think(text) {
      if (session.thoughts) await stream('agent_thought_chunk', text);
    },
    plan: (entries) => update({sessionUpdate: 'plan', entries: [...entries]}),
    nextToolCallId: () => `call-${++session.toolCalls}`,
    async accounts() {
      const outputTokens = session.usedTokens - usedBefore;
      session.cost += (outputTokens / 1000) * (session.model === 'demo-large' ? 0.02 : 0.002);
      const cost = {amount: Number(session.cost.toFixed(6)), currency: 'USD'};
      await send({sessionUpdate: 'usage_update', used: session.usedTokens, size: CONTEXT_SIZE, cost});
      return {totalTokens: session.usedTokens, inputTokens: usedBefore, outputTokens};
    },
  };
}

/** Records a prompt as replays have it; returns the update that says that it was taken. */
function recorded({updates}: DemoSession, prompt: readonly acp.ContentBlock[]) {
  const messageId = `message-${updates.length + 1}`;
  for (const content of prompt) updates.push({sessionUpdate: 'user_message_chunk', messageId, content});
  return promptTaken(prompt, messageId);
}
