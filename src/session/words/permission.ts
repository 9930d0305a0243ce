import type {PermissionDecision} from '../state.ts';

/** How a permission was decided, where that is worth a line: a user who said yes knows it. */
export function decisionWords(permission: PermissionDecision | undefined): string | undefined {
  if (permission === undefined) return undefined;
  const {outcome, option, by} = permission;
  if (by === 'user' && outcome === 'allowed') return undefined;
  if (by === 'an earlier answer') return 'covered by your earlier approval';
  const who = by === 'user' ? 'you' : named(by);
  const words = {
    allowed: `allowed by ${who}`,
    rejected: `rejected by ${who}`,
    cancelled: 'not answered: the turn was cancelled',
    withdrawn: 'the agent took its question back',
  };
  const chosen = option === undefined || outcome === 'cancelled' ? '' : ` (${option})`;
  return words[outcome] + chosen;
}

/** Rules with the file that they stand in: `rule: edit ** (user)` becomes `rule edit ** in config.json`. */
function named(by: string): string {
  if (!/^rules?: /.test(by)) return by;
  return by
    .replace(': ', ' ')
    .replaceAll(/ \((?:user|agent)\)(?=,|$)/g, ' in config.json')
    .replaceAll(/ \(project\)(?=,|$)/g, ' in .acp-tui.json');
}
