import {compactionUpsert} from '../compactions.ts';
import type {UpdateOf} from '../events.ts';
import {patch} from '../patch.ts';
import type {SessionState} from '../state.ts';
import {upsertEntry} from '../transcript.ts';

export function compactionUpdate(
  state: SessionState,
  {compactionId, status, summary, error}: UpdateOf<'compaction_update'>,
  at: number,
): SessionState {
  const upsert = compactionUpsert(compactionId, (told) => ({
    ...told,
    status,
    summary: patch(told.summary, summary) ?? [],
    error: patch(told.error, error),
  }));
  return upsertEntry(state, upsert, at);
}
