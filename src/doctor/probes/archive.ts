import type {Result} from '../../shared/failure.ts';
import {hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, reported, type Probe} from '../examination.ts';
import {openAgentRun} from '../agent-process.ts';

/** `session/archive` and `session/unarchive`, only for the session created here. */
export const archive: Probe = async (examination) => {
  const {session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = hasCapability(initialized.agentCapabilities, 'archive');
  const subject = {
    id: 'session/archive',
    name: 'archiving a session',
    advertised: reported(isOffered),
  } as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'the session has no messages')];
  const opened = await openAgentRun(examination);
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/archive',
    async work(): Promise<Result<void>> {
      if (!opened.ok) return opened;
      const {connection} = opened.value;
      const archived = await connection.archiveSession(session.sessionId);
      return archived.ok ? connection.unarchiveSession(session.sessionId) : archived;
    },
  });
  if (opened.ok) await opened.value.end();
  return [check];
};
