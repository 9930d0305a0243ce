import type * as acp from '@agentclientprotocol/sdk/unstable';
import {closed, inLine, listed} from './pieces.ts';

/** A plan as a task list, the markdown that it is, or the file that it is in. */
export function planText(plan: acp.PlanUpdateContent): string {
  switch (plan.type) {
    case 'items':
      return listed(
        plan.entries.map(({status, content}) => {
          const box = status === 'completed' ? '[x]' : '[ ]';
          return `${box} ${inLine(content)}${status === 'in_progress' ? ' (in progress)' : ''}`;
        }),
      );
    case 'markdown':
      return closed(plan.content);
    case 'file':
      return inLine(plan.uri);
    default:
      return 'A plan of a kind that cannot be shown.';
  }
}
