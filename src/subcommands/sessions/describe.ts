import {sanitizeLine} from '../../text/sanitize.ts';
import type {Mask} from '../../export/mask.ts';
import type {StoredSession} from '../../persistence/sessions/stored-session.ts';
import {UNTITLED_SESSION, type SessionFacts} from '../../export/document.ts';

/** A session without what looks like a credential, for whatever prints it. */
export function maskedSession(session: StoredSession, mask: Mask): StoredSession {
  const {title, firstPrompt, branch, cwd, additionalDirectories} = session;
  const masked = (text: string | undefined) => (text === undefined ? undefined : mask(text));
  return {
    ...session,
    title: masked(title),
    firstPrompt: masked(firstPrompt),
    branch: masked(branch),
    cwd: mask(cwd),
    additionalDirectories: additionalDirectories.map(mask),
  };
}

/** What a session is called: its title, or how it began. */
export function nameOf({title, firstPrompt}: StoredSession): string {
  return sanitizeLine(title ?? firstPrompt ?? '') || UNTITLED_SESSION;
}

export function agentOf({agent}: StoredSession): string {
  return sanitizeLine(agent.name ?? agent.label);
}

/** What heads an export. */
export function factsOf(session: StoredSession): SessionFacts {
  const {agent, cwd, additionalDirectories, branch, createdAt, updatedAt} = session;
  return {
    title: nameOf(session),
    agent: {label: agent.label, ...(agent.name !== undefined && {name: agent.name})},
    cwd,
    additionalDirectories,
    ...(branch !== undefined && {branch}),
    createdAt,
    updatedAt,
  };
}

/** A session as `--json` tells it. How its agent is started stays out: it may hold secrets. */
export function sessionJson(session: StoredSession) {
  const {agent, openBy: _, ...rest} = session;
  return {...rest, agent: {label: agent.label, name: agent.name}, name: nameOf(session)};
}
