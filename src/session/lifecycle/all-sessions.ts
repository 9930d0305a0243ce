import {DONE, type Result} from '../../shared/failure.ts';
import type {ListedSession, ListedSessionFilter, SessionActions} from '../actions.ts';

/** Limit for agents whose pages never end. */
const MAX_PAGES = 1000;

/** "Session List": passes on all pages as they arrive. */
export async function allSessions(
  agent: Pick<SessionActions, 'listSessions'>,
  filter: ListedSessionFilter,
  onPage: (sessions: readonly ListedSession[]) => void,
): Promise<Result<void>> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await agent.listSessions(filter, cursor);
    if (!listed.ok) return listed;
    const {sessions, next} = listed.value;
    onPage(sessions);
    // A cursor that refers to itself would loop forever.
    if (next === undefined || next === cursor) break;
    cursor = next;
  }
  return DONE;
}
