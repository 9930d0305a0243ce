import {visibleText} from '../../session/content.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Header, Mark} from './event-lines.ts';
import type {SessionFacts} from './rows.ts';

/** How much of the first prompt a list shows, in UTF-16 units. */
const FIRST_PROMPT_LENGTH = 200;

/** What the index tells of a session in which nothing happened yet. */
export function factsOf({id, created, agent, cwd, additionalDirectories}: Header): SessionFacts {
  return {
    id,
    agent,
    agentSessionId: undefined,
    cwd,
    additionalDirectories,
    branch: undefined,
    title: undefined,
    titledBy: undefined,
    firstPrompt: undefined,
    createdAt: created,
    updatedAt: created,
    turns: 0,
    bytes: 0,
    archived: false,
    deletedAt: undefined,
    openBy: undefined,
  };
}

export function withMark(facts: SessionFacts, mark: Mark): SessionFacts {
  switch (mark.mark) {
    case 'opened':
      return {...facts, openBy: mark.by};
    case 'closed':
      return {...facts, openBy: undefined};
    case 'branch':
      return {...facts, branch: mark.branch};
    case 'archived':
      return {...facts, archived: mark.archived};
    case 'continued':
    case 'recorded':
    case 'lost':
      return facts;
  }
}

/** What shows that the conversation goes on. */
export function isTurn(line: SessionEvent | Mark): boolean {
  return 'type' in line && (line.type === 'prompt_started' || line.type === 'prompt_ended');
}

/** With what the session's state tells now; its own entries are those from `firstEntry` on. */
export function withState(facts: SessionFacts, state: SessionState, firstEntry: number): SessionFacts {
  const {agent, title, ownTitle} = state;
  const prompts = state.entries.slice(firstEntry).filter((entry) => entry.type === 'user_message');
  const [first] = prompts;
  return {
    ...facts,
    agent: agent ? {...facts.agent, name: agent.title ?? agent.name} : facts.agent,
    agentSessionId: state.sessionId ?? facts.agentSessionId,
    cwd: state.cwd,
    additionalDirectories: state.additionalDirectories,
    title: ownTitle ?? title,
    titledBy: ownTitle !== undefined ? 'user' : title !== undefined ? 'agent' : undefined,
    firstPrompt: first ? beginningOf(visibleText(first.content)) : facts.firstPrompt,
    turns: prompts.length,
  };
}

/** What is far longer is cut before it is looked at: a prompt may hold megabytes. */
function beginningOf(prompt: string): string {
  const line = prompt
    .slice(0, 10 * FIRST_PROMPT_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return sanitizeLine(line).slice(0, FIRST_PROMPT_LENGTH);
}
