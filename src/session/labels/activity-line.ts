import {plainWords} from '../../text/markdown/plain.ts';
import {startOfText} from '../../text/truncate.ts';
import {isAgentBusy} from '../lifecycle/live.ts';
import {limitWait} from '../queue/provider-limit.ts';
import {messageText, runningTools} from '../selectors.ts';
import type {SessionState} from '../state.ts';

/** Its length, in UTF-16 units. */
const MAX_LENGTH = 200;

/** Returns in one line what a session runs, or else what its agent said last; undefined if it said nothing. */
export function activityLine(session: SessionState): string | undefined {
  const running = runningLine(session);
  if (running !== undefined) return running;
  const last = session.entries.findLast(({type}) => type === 'agent_message' || type === 'user_message');
  return last?.type === 'agent_message'
    ? oneLine(plainWords(startOfText(messageText(last), 2 * MAX_LENGTH))) || undefined
    : undefined;
}

/** Returns the tool that runs, or what is waited for; undefined without one. */
export function runningLine(session: SessionState): string | undefined {
  const {limit} = session.queue;
  if (limit?.isAwaited) return limitWait(limit);
  if (!isAgentBusy(session)) return undefined;
  const tool = runningTools(session).at(-1);
  return tool && (oneLine(tool.title) || undefined);
}

/** Returns a text of the state in one short line; what is exact stays exact. Cut before processing: it may have megabytes. */
export function oneLine(text: string): string {
  const line = startOfText(text, 2 * MAX_LENGTH)
    .trim()
    .replaceAll(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${startOfText(line, MAX_LENGTH)}…` : line;
}
