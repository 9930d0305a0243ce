import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {MessageEntry} from './entries.ts';
import type {SessionState} from './state.ts';
import {stream} from './streamed-content.ts';
import {appendEntry, findEntry, replaceEntry} from './transcript.ts';

/**
 * Adds a chunk to the message that it belongs to ("Prompt Turn", Message IDs): the one with its id; without an id, the
 * newest one while that is still open and of the same kind. Otherwise a message begins.
 */
export function appendChunk(
  state: SessionState,
  type: MessageEntry['type'],
  {chunk, at}: {readonly chunk: acp.ContentChunk; readonly at: number},
): SessionState {
  if (chunk.content.type === 'text' && chunk.content.text === '') return state;
  const messageId = chunk.messageId ?? undefined;
  const index = messageId === undefined ? openMessage(state, type) : findEntry(state, type, messageId);
  if (index === -1) {
    const streamed = stream({content: []}, chunk.content);
    return appendEntry(state, {type, messageId, ...streamed, complete: false}, at);
  }
  const entry = state.entries.get(index) as MessageEntry;
  const streaming = entry.complete ? [...state.streaming, index] : state.streaming;
  const streamed = stream(entry, chunk.content);
  return replaceEntry({...state, streaming}, index, {...entry, ...streamed, complete: false});
}

function openMessage(state: SessionState, type: MessageEntry['type']): number {
  const index = state.streaming.at(-1) ?? -1;
  return state.entries.get(index)?.type === type ? index : -1;
}
