import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Told, Upsert} from './transcript.ts';

/** A compaction keeps the place of its first update and is changed there; one that is first heard of is in progress. */
export function compactionUpsert(
  compactionId: acp.CompactionId,
  change: (told: Told<'compaction'>) => Told<'compaction'>,
): Upsert<'compaction'> {
  return {
    type: 'compaction',
    id: compactionId,
    unseen: {type: 'compaction', compactionId, status: 'in_progress', summary: [], error: undefined},
    change,
  };
}
