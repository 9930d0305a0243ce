import type {UpdateOf} from '../events.ts';
import {patch} from '../patch.ts';
import type {SessionState} from '../state.ts';
import {type Upsert, upsertEntry} from '../transcript.ts';

/** A subagent of this session (draft protocol). */
export function subagentUpdate(
  state: SessionState,
  update: UpdateOf<'subagent_update'>,
  at: number,
): SessionState {
  const {sessionId, title, description} = update;
  const activity = update.state === null ? null : update.state?.state;
  const upsert: Upsert<'subagent'> = {
    type: 'subagent',
    id: sessionId,
    unseen: {type: 'subagent', sessionId, title: undefined, description: undefined, state: undefined},
    change: (told) => ({
      ...told,
      title: patch(told.title, title),
      description: patch(told.description, description),
      state: patch(told.state, activity),
    }),
  };
  return upsertEntry(state, upsert, at);
}
