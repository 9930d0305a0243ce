import {hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, reported, type Check, type Probe} from '../examination.ts';

const TITLE = 'Examined by acp-tui doctor';

/** "Session Info Update": the title from the agent; and `session/set_title`, a requested one. */
export const titles: Probe = async (examination) => {
  const {run, session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const own = {id: 'session_info_update', name: 'its own titles', advertised: 'unspecified'} as const;
  const given = run?.updatesLog.title();
  const ownCheck: Check =
    given === undefined
      ? notTried(own, answer === undefined ? 'the session has no messages' : 'it reported none')
      : {...own, result: 'worked', note: given};
  const isOffered = hasCapability(initialized.agentCapabilities, 'title');
  const subject = {
    id: 'session/set_title',
    name: 'setting a title',
    advertised: reported(isOffered),
  } as const;
  if (!isOffered) return [ownCheck, notTried(subject, '')];
  if (!run || !session) return [ownCheck, notTried(subject, NO_SESSION)];
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/set_title',
    work: () => run.connection.setTitle(session.sessionId, TITLE),
    judge: (stored) => (stored === undefined || stored === TITLE ? {} : {note: `it stored ${stored}`}),
  });
  return [ownCheck, check];
};
