import {sanitizeLine} from '../text/sanitize.ts';
import {truncate} from '../text/truncate.ts';
import type {SessionEventOf} from './events.ts';
import type {SessionState} from './state.ts';
import {promptText} from './transcript/content.ts';

/** Maximum length of a title taken from a prompt, in columns. */
const MAX_LENGTH = 80;

/** Returns the user's title if the agent does not store it, else the agent's title, else the beginning of the first prompt. */
export function sessionTitle(session: SessionState): string | undefined {
  return session.ownTitle ?? session.title ?? firstPrompt(session);
}

/** Returns an agent's title of a session; undefined if it only names the folder, as all sessions of the folder would be named. */
export function titleFromAgent(title: string | null | undefined, cwd: string): string | undefined {
  const line = sanitizeLine(title ?? '');
  return line === '' || line === cwd || line === cwd.split(/[/\\]/).findLast(Boolean) ? undefined : line;
}

/** Returns the name of a stored or listed session in lists. */
export function nameOfSession({
  title,
  firstPrompt,
}: {
  readonly title: string | undefined;
  readonly firstPrompt: string | undefined;
}): string {
  return title ?? firstPrompt ?? 'Untitled';
}

function firstPrompt({entries, sessionStart}: SessionState): string | undefined {
  for (let index = sessionStart; index < entries.length; index++) {
    const entry = entries.get(index);
    if (entry?.type === 'user_message') return titleOf(promptText(entry.content));
  }
  return undefined;
}

/** Returns the beginning of a prompt as title; undefined if it has no text. */
function titleOf(prompt: string): string | undefined {
  return truncate(sanitizeLine(prompt.slice(0, 4 * MAX_LENGTH)).trim(), MAX_LENGTH) || undefined;
}

/** An empty title removes the user's title. */
export function renamed(state: SessionState, {title, agentKnows}: SessionEventOf<'renamed'>): SessionState {
  const newTitle = sanitizeLine(title).trim() || undefined;
  return agentKnows ? {...state, title: newTitle, ownTitle: undefined} : {...state, ownTitle: newTitle};
}
