import type {Result} from '../../shared/failure.ts';
import {isAble} from '../../session/abilities.ts';
import {attempt, type Verdict} from '../attempt.ts';
import {notTried, told} from '../check.ts';
import {counted} from '../output-checks.ts';
import type {Life} from '../life.ts';
import type {Probe} from '../examination.ts';

/** Nobody has so many; a list that goes on is one that does not end, as is one that comes back to a page of before. */
const MAX_PAGES = 100;

/** "Session List": all pages, and those of the folder. */
export const list: Probe = async (examination) => {
  const {life, initialized} = examination.found;
  if (!life || !initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'list');
  const subject = {id: 'session/list', name: 'listing sessions', advertised: told(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  const {cwd} = examination.options;
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/list',
    work: async (): Promise<Result<Listed>> => {
      const all = await pagesOf(life);
      if (!all.ok) return all;
      const here = await life.connection.listSessions({cwd});
      if (!here.ok) return here;
      const strangers = here.value.sessions.filter((session) => session.cwd !== cwd).length;
      return {ok: true, value: {...all.value, strangers}};
    },
    judge: verdictOn,
  });
  return [check];
};

interface Pages {
  readonly pages: number;
  readonly sessions: number;
  /** False where the last page that was asked for still named a next one, or one of before. */
  readonly ends: boolean;
}

/** `strangers` are sessions of other folders in the list of one. */
type Listed = Pages & {readonly strangers: number};

async function pagesOf({connection}: Life): Promise<Result<Pages>> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let sessions = 0;
  for (let pages = 1; ; pages++) {
    const page = await connection.listSessions(cursor === undefined ? {} : {cursor});
    if (!page.ok) return page;
    sessions += page.value.sessions.length;
    // Some agents have an empty one where there is none.
    cursor = page.value.nextCursor || undefined;
    if (cursor === undefined) return {ok: true, value: {pages, sessions, ends: true}};
    if (cursors.has(cursor) || pages === MAX_PAGES) return {ok: true, value: {pages, sessions, ends: false}};
    cursors.add(cursor);
  }
}

function verdictOn({pages, sessions, ends, strangers}: Listed): Verdict {
  if (!ends) return {wrong: `the list does not end after ${counted(pages, 'page')}`};
  if (strangers > 0)
    return {wrong: `asked for one folder, it lists ${counted(strangers, 'session')} of others`};
  return {note: `${counted(sessions, 'session')} on ${counted(pages, 'page')}`};
}
