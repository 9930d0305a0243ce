import type {UpdateOf} from '../events.ts';
import {patch} from '../patch.ts';
import {sessionMessageUpsert} from '../session-messages.ts';
import type {SessionState} from '../state.ts';
import {upsertEntry} from '../transcript.ts';

export function sessionMessage(
  state: SessionState,
  update: UpdateOf<'session_message'>,
  at: number,
): SessionState {
  const upsert = sessionMessageUpsert(update.messageId, (told) => ({
    ...told,
    sender: patch(told.sender, update.senderSessionId),
    recipient: patch(told.recipient, update.recipientSessionId),
    content: patch(told.content, update.content) ?? [],
  }));
  return upsertEntry(state, upsert, at);
}
