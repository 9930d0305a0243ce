import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Told, Upsert} from './transcript.ts';

/** A message between sessions (draft protocol): who sent it may come before, between or after its content. */
export function sessionMessageUpsert(
  messageId: acp.MessageId,
  change: (told: Told<'session_message'>) => Told<'session_message'>,
): Upsert<'session_message'> {
  return {
    type: 'session_message',
    id: messageId,
    unseen: {type: 'session_message', messageId, sender: undefined, recipient: undefined, content: []},
    change,
  };
}
