import {resolve} from 'node:path';
import {quoteAgentText} from '../../../shared/agent-text.ts';
import {UNTITLED_SESSION, type SessionFacts} from '../../../export/document.ts';
import type {Mask} from '../../../export/mask.ts';
import type {Failure} from '../../../shared/failure.ts';
import {isWithin} from '../../../shared/files/folders.ts';
import type {SessionStore} from '../../../storage/sessions/session-store.ts';
import {stateOf} from '../../../session/labels/session-states.ts';
import type {StoredSession} from '../../../storage/sessions/stored-session.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {NO_SUCH_SESSION} from '../../../cli/exit-codes.ts';
import {printFailure, type SubcommandIo} from '../../../cli/terminal-io.ts';
import type {SessionsFilter} from './sessions-arguments.ts';

const USAGE = 2;

/** Returns the session with this id, prefix or name, or the exit code after printing why it was not found. */
export async function findSession(
  id: string,
  {store, stderr, cwd}: Pick<SessionsContext, 'store' | 'stderr' | 'cwd'>,
): Promise<{readonly session: StoredSession} | {readonly exitCode: number}> {
  const found = await store.locate(id, cwd);
  if (found.ok) return {session: found.value};
  const {failure} = found;
  if (failure.kind !== 'unknown_value') return {exitCode: reportFailure(failure, stderr)};
  const known = failure.valid.join(', ');
  const [problem, exitCode] =
    known === ''
      ? [`No session "${quoteAgentText(id)}". List sessions with: acp-tui sessions.`, NO_SUCH_SESSION]
      : [`Several sessions are "${quoteAgentText(id)}": ${known}. Type one of these IDs.`, USAGE];
  return {exitCode: printFailure(stderr, problem, exitCode)};
}

/** Prints a failure; returns the exit code. */
export function reportFailure(failure: Failure, stderr: SessionsContext['stderr']): number {
  return printFailure(stderr, failure, failure.kind === 'file' || failure.kind === 'not_offered' ? 1 : USAGE);
}

/** True if a session matches the filter. */
export function matchesFilter(
  {agent, cwd, newerThanMs, olderThanMs}: SessionsFilter,
  context: Pick<SessionsContext, 'now' | 'cwd'>,
): (session: StoredSession) => boolean {
  const folder = cwd === undefined ? undefined : resolve(context.cwd, cwd);
  const wanted = agent?.toLowerCase();
  const now = context.now();
  return (session) => {
    const names = [session.agent.label, session.agent.name ?? ''];
    const ago = now - session.updatedAt;
    return (
      (wanted === undefined || names.some((name) => name.toLowerCase().includes(wanted))) &&
      (folder === undefined || isWithin(session.cwd, folder)) &&
      (newerThanMs === undefined || ago <= newerThanMs) &&
      (olderThanMs === undefined || ago >= olderThanMs)
    );
  };
}

/** Returns a session for printing, with apparent credentials masked. */
export function maskedSession(session: StoredSession, mask: Mask): StoredSession {
  const {title, firstPrompt, branch, cwd, additionalDirectories, asks, says} = session;
  const masked = (text: string | undefined) => (text === undefined ? undefined : mask(text));
  return {
    ...session,
    title: masked(title),
    firstPrompt: masked(firstPrompt),
    branch: masked(branch),
    asks: masked(asks),
    says: masked(says),
    cwd: mask(cwd),
    additionalDirectories: additionalDirectories.map(mask),
  };
}

/** Returns the name of a session: its title, or its first prompt. */
export function sessionDisplayName({title, firstPrompt}: StoredSession): string {
  return sanitizeLine(title ?? firstPrompt ?? '') || UNTITLED_SESSION;
}

/** Returns what an open session waits for. */
export function askedBy(session: StoredSession): string | undefined {
  return stateOf(session) === 'waiting' ? session.asks : undefined;
}

export function agentOf({agent}: StoredSession): string {
  return sanitizeLine(agent.name ?? agent.label);
}

/** Returns the header of an export. */
export function exportFacts(session: StoredSession): SessionFacts {
  const {agent, cwd, additionalDirectories, branch, createdAt, updatedAt} = session;
  return {
    title: sessionDisplayName(session),
    agent: {label: agent.label, ...(agent.name !== undefined && {name: agent.name})},
    cwd,
    additionalDirectories,
    ...(branch !== undefined && {branch}),
    createdAt,
    updatedAt,
  };
}

/** A session in `--json` output, without the agent's command, which may contain secrets. */
export function sessionJson(session: StoredSession) {
  const {agent, openBy: _, ...rest} = session;
  const {label, name} = agent;
  return {...rest, state: stateOf(session), agent: {label, name}, name: sessionDisplayName(session)};
}

/** Dependencies of the `sessions` subcommands. */
export interface SessionsContext extends Pick<SubcommandIo, 'stdout' | 'stderr' | 'confirm' | 'onClosed'> {
  /** The state folder. */
  readonly state: string;
  readonly store: SessionStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The current folder. */
  readonly cwd: string;
  readonly mask: Mask;
}
