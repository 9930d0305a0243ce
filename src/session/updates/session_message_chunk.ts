import {appendBlock} from '../content.ts';
import type {UpdateOf} from '../events.ts';
import {sessionMessageUpsert} from '../session-messages.ts';
import type {SessionState} from '../state.ts';
import {upsertEntry} from '../transcript.ts';

export function sessionMessageChunk(
  state: SessionState,
  {messageId, content}: UpdateOf<'session_message_chunk'>,
  at: number,
): SessionState {
  const upsert = sessionMessageUpsert(messageId, (told) => ({
    ...told,
    content: appendBlock(told.content, content),
  }));
  return upsertEntry(state, upsert, at);
}
