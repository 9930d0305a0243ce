import type {ApprovalLevel} from '../settings/approval.ts';
import type {SessionState} from '../state.ts';
import {visibleText} from '../transcript/content.ts';
import {emptyQueue} from './queue.ts';
import type {QueuedPrompt} from './queued-prompt.ts';

/** Returns a session as it is opened, with nothing in the queue; an earlier run may have left an interrupted prompt. */
export function withInitialQueue(session: SessionState, approval: ApprovalLevel): SessionState {
  const interruptedPrompt = interruptedPromptIn(session);
  return {...session, approval, queue: {...emptyQueue, lastPrompt: interruptedPrompt, interruptedPrompt}};
}

/** Ends of a turn caused by neither the agent nor the user. */
const CUTS: ReadonlySet<string> = new Set(['connection_lost', 'message_too_large', 'interrupted']);

/** Returns the interrupted prompt of a stored session, as it was sent; undefined if its last turn ended, or is still running in the original session. */
function interruptedPromptIn({entries, lastTurn}: SessionState): QueuedPrompt | undefined {
  if (lastTurn?.outcome.kind !== 'failed') return undefined;
  const {failure} = lastTurn.outcome;
  if (!CUTS.has(failure.kind) || (failure.kind === 'interrupted' && failure.stillRunning)) return undefined;
  const end = entries.findLastIndex(({type}) => type === 'turn_end');
  const start = entries.slice(0, end).findLastIndex(({type}) => type === 'turn_end') + 1;
  // Prompts that steered the turn come after its first one.
  const prompt = entries.slice(start, end).find((entry) => entry.type === 'user_message');
  return prompt && {id: 'cut-off', text: visibleText(prompt.content), content: prompt.content};
}
