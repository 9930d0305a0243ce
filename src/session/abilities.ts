import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionState} from './state.ts';

/** What an agent may or may not be able to do with sessions, beyond opening new ones. */
export type SessionAbility = 'load' | 'resume' | 'fork' | 'list' | 'close' | 'delete' | 'archive' | 'title';

/** Whether the agent said that it can ("Initialization"); unsaid means no. */
export function isAble(capabilities: acp.AgentCapabilities | undefined, ability: SessionAbility): boolean {
  if (ability === 'load') return capabilities?.loadSession === true;
  const told = capabilities?.sessionCapabilities?.[ability];
  return told !== undefined && told !== null;
}

/** The same of the agent of a session; false before it has said anything. */
export function agentCan({agent}: Pick<SessionState, 'agent'>, ability: SessionAbility): boolean {
  return isAble(agent?.capabilities, ability);
}
