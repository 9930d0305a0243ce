import {RequestError} from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod/mini';
import type {SessionState} from '../../session/state.ts';

/** `session/attach` and `session/detach` (the draft "Multi-Client Session Attach"). */
const attachRequest = z.object({
  sessionId: z.string(),
  historyPolicy: z.prefault(z.enum(['full', 'pending_only', 'none', 'after_message']), 'full'),
  afterMessageId: z.optional(z.string()),
  clientId: z.optional(z.string()),
});

type AttachRequest = z.infer<typeof attachRequest>;

export function readAttach(params: unknown): AttachRequest {
  const read = attachRequest.safeParse(params);
  if (read.success) return read.data;
  throw RequestError.invalidParams(undefined, read.error.issues[0]?.message);
}

/** Returns the first entry of the transcript that is replayed, and the policy that this follows: all of it if the message is not there. */
export function historyFrom(
  {entries, turn}: SessionState,
  {historyPolicy, afterMessageId}: AttachRequest,
): {readonly from: number; readonly historyPolicy: AttachRequest['historyPolicy']} {
  if (historyPolicy === 'none') return {from: entries.length, historyPolicy};
  if (historyPolicy === 'pending_only')
    return {from: turn.kind === 'idle' ? entries.length : turn.promptEntry, historyPolicy};
  const index = entries.findLastIndex(
    (entry) => 'messageId' in entry && (entry.messageId ?? entry.id) === afterMessageId,
  );
  const isFound = historyPolicy === 'after_message' && afterMessageId !== undefined && index !== -1;
  return isFound ? {from: index + 1, historyPolicy} : {from: 0, historyPolicy: 'full'};
}
