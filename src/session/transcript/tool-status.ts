import type {ToolStatus} from '../entries.ts';
import type {Update, UpdateOf} from '../events.ts';

/** True for updates that begin or change a tool call. */
export function isCallUpdate(update: Update): update is UpdateOf<'tool_call' | 'tool_call_update'> {
  return update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
}

/** True if a call has come to its own end: it was not cancelled. */
export function hasRun(status: ToolStatus | null | undefined): boolean {
  return status === 'completed' || status === 'failed';
}

/** True if a call has ended, or was cancelled. */
export function isFinished(status: ToolStatus): boolean {
  return hasRun(status) || status === 'cancelled';
}
