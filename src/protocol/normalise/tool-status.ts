import type {ToolCallStatus} from '@agentclientprotocol/sdk/unstable';
import type {Deviation} from './deviation.ts';

const NEAREST: Readonly<Record<string, ToolCallStatus>> = {
  pending: 'pending',
  queued: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  success: 'completed',
  succeeded: 'completed',
  failed: 'failed',
  error: 'failed',
  errored: 'failed',
  rejected: 'failed',
  denied: 'failed',
  aborted: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
};

/** A status that the schema does not know; the SDK would drop it, and the call would look as if it had none. */
export const toolStatus: Deviation = {
  name: 'tool-status',
  mend(toolCall) {
    const {status} = toolCall;
    if (typeof status !== 'string') return toolCall;
    const nearest = Object.hasOwn(NEAREST, status) ? NEAREST[status] : 'in_progress';
    return nearest === status ? toolCall : {...toolCall, status: nearest};
  },
};
