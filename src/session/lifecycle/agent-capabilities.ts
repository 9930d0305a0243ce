import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {NextOpening} from '../events.ts';
import type {SessionState} from '../state.ts';

/** Optional session capabilities of an agent. */
export type SessionCapability =
  'load' | 'resume' | 'fork' | 'list' | 'close' | 'delete' | 'archive' | 'title' | 'status';

/** True if the agent advertises the capability ("Initialization"). */
export function hasCapability(
  capabilities: acp.AgentCapabilities | undefined,
  ability: SessionCapability,
): boolean {
  if (ability === 'load') return capabilities?.loadSession === true;
  const reported = capabilities?.sessionCapabilities?.[ability];
  return reported !== undefined && reported !== null;
}

/** True if the agent lets its LLM providers be configured (`providers/*`, a draft). */
export function hasProviders({agent}: Pick<SessionState, 'agent'>): boolean {
  const reported = agent?.capabilities.providers;
  return reported !== undefined && reported !== null;
}

/** True if the agent of a session has the capability; false before it is initialized. */
export function agentCan({agent}: Pick<SessionState, 'agent'>, ability: SessionCapability): boolean {
  return hasCapability(agent?.capabilities, ability);
}

/**
 * Returns how to reopen the session, for parameters that only an opening request has; undefined if the agent cannot. An empty session is replaced by a new
 * one, since agents do not keep it.
 */
export function howToReopen({
  agent,
  sessionId,
  unused,
}: Pick<SessionState, 'agent' | 'sessionId' | 'unused'>): NextOpening | undefined {
  const capabilities = agent?.capabilities;
  if (sessionId === undefined) return undefined;
  if (unused) return {kind: 'new'};
  const canContinue = hasCapability(capabilities, 'resume') || hasCapability(capabilities, 'load');
  return canContinue ? {kind: 'continue', sessionId, isHere: true} : undefined;
}
