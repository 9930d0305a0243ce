import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Opening} from '../events.ts';
import type {SessionState} from '../state.ts';

/** What an agent may or may not be able to do with sessions, beyond opening new ones. */
export type SessionCapability =
  'load' | 'resume' | 'fork' | 'list' | 'close' | 'delete' | 'archive' | 'title';

/** Whether the agent said that it can ("Initialization"); unsaid means no. */
export function hasCapability(
  capabilities: acp.AgentCapabilities | undefined,
  ability: SessionCapability,
): boolean {
  if (ability === 'load') return capabilities?.loadSession === true;
  const told = capabilities?.sessionCapabilities?.[ability];
  return told !== undefined && told !== null;
}

/** The same of the agent of a session; false before it has said anything. */
export function agentCan({agent}: Pick<SessionState, 'agent'>, ability: SessionCapability): boolean {
  return hasCapability(agent?.capabilities, ability);
}

/**
 * How the same session is opened again, so that the agent hears what only the requests that open one can tell it; undefined
 * where the agent cannot go on with one. Agents do not keep a session in which nothing was said: a new one is the same.
 */
export function reopening({
  agent,
  sessionId,
  unused,
}: Pick<SessionState, 'agent' | 'sessionId' | 'unused'>): Exclude<Opening, {kind: 'later'}> | undefined {
  const capabilities = agent?.capabilities;
  if (sessionId === undefined) return undefined;
  if (unused) return {kind: 'new'};
  const canContinue = hasCapability(capabilities, 'resume') || hasCapability(capabilities, 'load');
  return canContinue ? {kind: 'continue', sessionId, isHere: true} : undefined;
}
