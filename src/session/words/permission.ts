import type {PermissionDecision} from '../state.ts';

/** How a permission was decided, where that is worth a line: a user who said yes knows it. */
export function decisionWords(permission: PermissionDecision | undefined): string | undefined {
  if (permission === undefined) return undefined;
  const {outcome, option, by} = permission;
  if (by === 'user' && outcome === 'allowed') return undefined;
  const who = by === 'user' ? 'you' : by;
  const words = {
    allowed: `allowed by ${who}`,
    rejected: `rejected by ${who}`,
    cancelled: 'not answered: the turn was cancelled',
    withdrawn: 'the agent took its question back',
  };
  const chosen = option === undefined || outcome === 'cancelled' ? '' : ` (${option})`;
  return words[outcome] + chosen;
}
