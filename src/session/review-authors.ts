import type {Review, ReviewAuthor, ReviewedFile} from './review.ts';
import type {SessionState} from './state.ts';
import {subagentName} from './subagents/names.ts';
import {namesFile} from './transcript/named-files.ts';

/** Maximum number of files whose author is determined: each is searched for in all tool calls. */
const MAX_FILES = 500;

/**
 * Returns who changed how many of the files: the agent and its subagents where a tool call names a file that changed in a turn, another program or the user where
 * it changed between turns. What no tool call names counts separately: a command of the agent changed it, or something else.
 */
export function reviewAuthors(session: SessionState, files: Review['files']): readonly ReviewAuthor[] {
  if (files.length > MAX_FILES) return [];
  const own = namesFile(session.entries);
  const subagents = Object.keys(session.subagents).map((id) => ({
    name: subagentName(session, id),
    isNamed: namesFile(session.subagents[id]?.session.entries ?? []),
  }));
  const isInTurn = ({changedIn = []}: ReviewedFile) => changedIn.some((where) => where !== 'outside');
  const inTurns = files.filter(isInTurn);
  const isKnown = (path: string) => own(path) || subagents.some(({isNamed}) => isNamed(path));
  const count = (some: readonly ReviewedFile[], isTheirs: (path: string) => boolean) =>
    some.filter(({path, oldPath}) => isTheirs(path) || (oldPath !== undefined && isTheirs(oldPath))).length;
  const agent = session.agent?.title || session.agent?.name || 'the agent';
  const authors: readonly ReviewAuthor[] = [
    {name: agent, kind: 'agent', files: count(inTurns, own)},
    ...subagents.map(({name, isNamed}) => ({
      name,
      kind: 'subagent' as const,
      files: count(inTurns, isNamed),
    })),
    {
      name: 'no known tool call',
      kind: 'unknown',
      files: inTurns.length - count(inTurns, isKnown),
    },
    {
      name: 'between turns',
      kind: 'outside',
      files: files.filter(({changedIn = []}) => changedIn.includes('outside')).length,
    },
  ];
  return authors.filter(({files: counted}) => counted > 0);
}
