import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitize} from '../../text/sanitize.ts';
import {visibleText} from '../content.ts';
import type {UpdateOf} from '../events.ts';
import {appendChunk} from '../messages.ts';
import type {SessionState} from '../state.ts';
import {INTERRUPTION} from '../words/turn-end.ts';
import {appendEntry, isAside} from '../transcript.ts';

/** What Claude keeps in the user's name where a turn was cancelled. */
const INTERRUPTED = /^\s*\[Request interrupted by user(?: for tool use)?\]\s*$/;

/** A replayed message, or the echo of a prompt that was just sent or taken into the turn, which is on the screen already. */
export function userMessageChunk(
  state: SessionState,
  chunk: UpdateOf<'user_message_chunk'>,
  at: number,
): SessionState {
  if (chunk.content.type === 'text' && INTERRUPTED.test(chunk.content.text))
    return appendEntry(state, {type: 'notice', level: 'info', text: INTERRUPTION, source: 'agent'}, at);
  return echoesPrompt(state, chunk.content) ? state : appendChunk(state, 'user_message', {chunk, at});
}

/** True when nothing was said since the prompt, and the block is a part of it; agents cut and space it as they like. */
function echoesPrompt(state: SessionState, block: acp.ContentBlock): boolean {
  const {turn, entries} = state;
  if (turn.kind === 'idle') return false;
  const said = entries.findLast((entry) => !isAside(entry));
  // A prompt that is repeated stands in an earlier turn.
  const prompt = said?.turn === turn.turn ? said : entries.get(turn.promptEntry);
  // What we sent is complete from the start; what the agent tells comes in chunks.
  if (prompt?.type !== 'user_message' || !prompt.complete) return false;
  if (block.type !== 'text') return prompt.content.some(({type}) => type === block.type);
  return withoutSpace(visibleText(prompt.content)).includes(withoutSpace(sanitize(block.text)));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
