import type {ToolCallEntry, ToolStatus} from '../entries.ts';

/** How a call ended, as it is shown: agents tell one that was not allowed as failed, or let it be. */
export function toolEnding({
  status,
  permission,
}: Pick<ToolCallEntry, 'status' | 'permission'>): ToolStatus | 'rejected' {
  const isUndone = status !== 'completed' && status !== 'in_progress';
  return isUndone && permission?.outcome === 'rejected' ? 'rejected' : status;
}
