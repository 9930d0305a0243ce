import type {SessionInfo} from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../../failure.ts';
import {isAble} from '../../session/abilities.ts';
import {attempt} from '../attempt.ts';
import {notTried, told} from '../check.ts';
import {counted} from '../output-checks.ts';
import type {Life} from '../life.ts';
import type {Probe} from '../examination.ts';

/** Nobody has so many; a list that goes on is one that does not end. */
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
    work: async () => {
      const all = await pagesOf(life);
      return all.ok ? withHere(all.value, await life.connection.listSessions({cwd})) : all;
    },
    judge: ({pages, sessions, strangers}) =>
      pages === MAX_PAGES
        ? {wrong: `the list does not end after ${MAX_PAGES} pages`}
        : strangers > 0
          ? {wrong: `asked for one folder, it lists ${counted(strangers, 'session')} of others`}
          : {note: `${counted(sessions, 'session')} on ${counted(pages, 'page')}`},
  });
  return [check];

  type Pages = {readonly pages: number; readonly sessions: number};
  type Here = Result<{readonly sessions: readonly SessionInfo[]}>;
  function withHere(all: Pages, here: Here): Result<Pages & {readonly strangers: number}> {
    if (!here.ok) return here;
    const strangers = here.value.sessions.filter((session) => session.cwd !== cwd).length;
    return {ok: true, value: {...all, strangers}};
  }
};

async function pagesOf({
  connection,
}: Life): Promise<Result<{readonly pages: number; readonly sessions: number}>> {
  let cursor: string | null | undefined;
  let sessions = 0;
  for (let pages = 1; ; pages++) {
    const page = await connection.listSessions(cursor ? {cursor} : {});
    if (!page.ok) return page;
    sessions += page.value.sessions.length;
    cursor = page.value.nextCursor;
    if (!cursor || pages === MAX_PAGES) return {ok: true, value: {pages, sessions}};
  }
}
