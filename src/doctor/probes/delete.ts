import type {Result} from '../../shared/failure.ts';
import {isAble} from '../../session/abilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, told} from '../check.ts';
import type {Probe} from '../examination.ts';
import type {Life} from '../life.ts';
import {openLife} from '../open-life.ts';

/** "Session Delete": only the session that was made here, and copies of it. Where that cannot be done, it stays with the agent. */
export const deletion: Probe = async (examination) => {
  const {session, initialized, forks, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'delete');
  const subject = {id: 'session/delete', name: 'deleting a session', advertised: told(isOffered)} as const;
  if (!isOffered)
    return [
      notTried(
        subject,
        !session || answer === undefined ? '' : `the agent may keep the session ${session.sessionId}`,
      ),
    ];
  if (!session) return [notTried(subject, NO_SESSION)];
  const canList = isAble(initialized.agentCapabilities, 'list');
  const ours = [...forks, session.sessionId];
  const opened = await openLife(examination);
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/delete',
    async work(): Promise<Result<readonly string[]>> {
      if (!opened.ok) return opened;
      for (const id of ours) {
        const deleted = await opened.value.connection.deleteSession(id);
        if (!deleted.ok) return deleted;
      }
      return canList ? listed(opened.value, session.cwd) : {ok: true, value: []};
    },
    judge: (left) => (left.some((id) => ours.includes(id)) ? {wrong: 'it is still listed afterwards'} : {}),
  });
  if (opened.ok) await opened.value.end();
  return [check];
};

async function listed({connection}: Life, cwd: string): Promise<Result<readonly string[]>> {
  const page = await connection.listSessions({cwd});
  return page.ok ? {ok: true, value: page.value.sessions.map(({sessionId}) => sessionId)} : page;
}
