import {isAble} from './abilities.ts';
import type {Opening} from './opening-kinds.ts';
import type {SessionState} from './state.ts';

/**
 * How the same session is opened again, so that the agent hears what only the requests that open one can tell it; undefined
 * where the agent cannot go on with one. Agents do not keep a session in which nothing was said: a new one is the same.
 */
export function openingAgain({
  agent,
  sessionId,
  unused,
}: Pick<SessionState, 'agent' | 'sessionId' | 'unused'>): Exclude<Opening, {kind: 'later'}> | undefined {
  const capabilities = agent?.capabilities;
  if (sessionId === undefined) return undefined;
  if (unused) return {kind: 'new'};
  const canContinue = isAble(capabilities, 'resume') || isAble(capabilities, 'load');
  return canContinue ? {kind: 'continue', sessionId, isHere: true} : undefined;
}
