import {compactionUpsert} from '../compactions.ts';
import {appendBlock} from '../content.ts';
import type {UpdateOf} from '../events.ts';
import type {SessionState} from '../state.ts';
import {upsertEntry} from '../transcript.ts';

export function compactionSummaryChunk(
  state: SessionState,
  {compactionId, content}: UpdateOf<'compaction_summary_chunk'>,
  at: number,
): SessionState {
  const upsert = compactionUpsert(compactionId, (told) => ({
    ...told,
    summary: appendBlock(told.summary, content),
  }));
  return upsertEntry(state, upsert, at);
}
