import {stateWord} from '../labels/session-states.ts';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {compactNumber, pluralize, duration} from '../../text/format.ts';
import {plainWords} from '../../text/markdown/plain.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';
import type {Entry, SessionMessageEntry, SubagentEntry} from '../entries.ts';
import {displayAgentName} from '../labels/labels.ts';
import {messageText} from '../selectors.ts';
import type {SessionState} from '../state.ts';
import {findSubagent} from './tree.ts';
import {isFinished} from '../transcript/tool-status.ts';

/** In columns; a name shares its line with other text. */
const MAX_NAME_LENGTH = 80;
const MAX_ASKER_LENGTH = 40;

/** Returns the name of a subagent, in one short line: its title, else its purpose, else its id. */
export function subagentName(state: Parameters<typeof findSubagent>[0], id: acp.SessionId): string {
  const name = sanitizeLine(findSubagent(state, id)?.session.title ?? '') || sanitizeLine(id) || 'unnamed';
  return truncate(name, MAX_NAME_LENGTH);
}

/** Returns the name of an asking subagent: "Reviewer, a subagent of Claude". */
export function subagentAsker(state: SessionState, id: acp.SessionId): string {
  const parent = findSubagent(state, id)?.parent;
  const above =
    parent === undefined
      ? displayAgentName(state.agent?.title || state.agent?.name || 'the agent')
      : displayAgentName(subagentName(state, parent));
  // The names are untrusted: the text after them must stay on the screen.
  const [asker, parentName] = [displayAgentName(subagentName(state, id)), above].map((name) =>
    truncate(name, MAX_ASKER_LENGTH),
  );
  return `${asker}, a subagent of ${parentName}`;
}

/** Returns sender and recipient of a message between sessions, as far as known; the other side of a subagent is the agent. */
export function participants(
  {sender, recipient}: Pick<SessionMessageEntry, 'sender' | 'recipient'>,
  titleOf: (subagent: acp.SessionId) => string | undefined,
): {readonly from: string | undefined; readonly to: string | undefined} {
  const isOfSubagent = [sender, recipient].some((id) => id !== undefined && titleOf(id) !== undefined);
  const nameOf = (id: acp.SessionId | undefined) =>
    id === undefined ? undefined : (titleOf(id) ?? (isOfSubagent ? 'the agent' : sanitizeLine(id)));
  return {from: nameOf(sender), to: nameOf(recipient)};
}

const STATES: Readonly<Record<string, string>> = {
  running: stateWord('working'),
  requires_action: stateWord('waiting'),
  idle: 'done',
  unknown: 'state unknown',
};

const ENDS: Readonly<Record<string, string>> = {
  end_turn: 'done',
  cancelled: 'cancelled',
  error: 'failed',
  refusal: 'refused',
  max_tokens: 'stopped: too many tokens',
  max_turn_requests: 'stopped: too many requests',
};

/** Returns a subagent's current activity in a word or two; undefined if unknown. */
export function activityLabel({state, stopReason}: SubagentEntry): string | undefined {
  if (state === undefined) return undefined;
  const end = stopReason === undefined ? undefined : (ENDS[stopReason] ?? stopReason.replaceAll('_', ' '));
  return sanitizeLine(end ?? STATES[state] ?? state.replaceAll('_', ' '));
}

/** Returns a one-line status of a subagent: activity, duration and usage. */
export function subagentFacts(entry: SubagentEntry, session: SessionState | undefined): readonly string[] {
  const {usage} = entry;
  const worked = workedMs(entry, session);
  const tokens = usage?.totalTokens ?? session?.usage?.used;
  const calls = session ? session.entries.filter(({type}) => type === 'tool_call').length : 0;
  return [
    activityLabel(entry),
    worked < 1000 ? undefined : duration(worked),
    tokens === undefined ? undefined : `${compactNumber(tokens)} tokens`,
    calls === 0 ? undefined : pluralize(calls, 'tool call'),
  ].filter((fact) => fact !== undefined);
}

/** Returns how long a subagent has worked, in milliseconds; while it works, up to its last activity. */
export function workedMs(
  {since, workedMs = 0}: SubagentEntry,
  session: Pick<SessionState, 'entries'> | undefined,
): number {
  const last = session?.entries.at(-1)?.at;
  return workedMs + (since === undefined || last === undefined ? 0 : Math.max(0, last - since));
}

/** Number of newest entries that are searched for running work. */
const NEAR = 50;

/** Returns what a session is doing, or its last message, in one line; undefined before it has done anything. */
export function currentActivity({entries}: SessionState): string | undefined {
  const near = entries.slice(-NEAR);
  const running = near.findLast((entry) => entry.type === 'tool_call' && !isFinished(entry.status));
  const last = running ?? near.findLast((entry) => wordsOf(entry) !== undefined);
  return last && wordsOf(last);
}

/** In characters: more than fit on a line. */
const MAX_WORDS = 500;

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

function wordsOf(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'tool_call':
      return sanitizeLine(entry.title);
    case 'agent_message':
      return plainWords(lastLine(messageText(entry)).slice(0, MAX_WORDS)) || undefined;
    case 'agent_thought':
      return entry.complete ? undefined : 'Thinking';
    default:
      return undefined;
  }
}
