import type {SessionRow} from '../../app/pickers/listings.ts';
import type {SessionFilter} from '../../storage/sessions/stored-session.ts';
import type {WindowOptions} from '../effects/effect-context.ts';
import {joinSessions} from './session-rows.ts';

/** Returns the open sessions of the index, with their keys in this window. Runs of print mode are not among them: nobody can answer for them. */
export function openRows(
  {store, storage}: Pick<WindowOptions, 'store' | 'storage'>,
  filter: Pick<SessionFilter, 'openIn'> = {},
): readonly SessionRow[] {
  const listed = storage.sessions.list({status: 'open', ofWindows: true, ...filter});
  if (!listed.ok) return [];
  const keys = new Map(Object.keys(store.latest().sessions).map((key) => [storage.recording.id(key), key]));
  return Array.from(joinSessions(listed.value, []).values(), ({row}) => ({...row, key: keys.get(row.id)}));
}
