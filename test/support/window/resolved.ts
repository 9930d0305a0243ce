import type {RequestAnswer} from '../../../src/session/actions.ts';
import type {PendingRequest} from '../../../src/session/state.ts';
import type {UntimedEvent} from '../session/build.ts';

/** What the client reports for an answered request; nothing for an invalid answer. */
export function resolvedEvent(request: PendingRequest, answer: RequestAnswer): UntimedEvent | undefined {
  const {id} = request;
  if (request.kind !== 'permission') {
    if (answer.kind === 'done') return {type: 'elicitation_completed', id};
    if (answer.kind === 'option' || answer.kind === 'rule' || answer.kind === 'edited') return undefined;
    return {type: 'elicitation_resolved', id, outcome: answer.kind, answers: []};
  }
  const {toolCallId, options} = request;
  const reported = {type: 'permission_resolved', id, toolCallId} as const;
  if (answer.kind === 'cancelled')
    return {...reported, decision: {outcome: 'cancelled', option: undefined, by: 'user'}};
  if (answer.kind !== 'option') return undefined;
  const option = options[answer.index];
  const outcome = option?.kind.startsWith('allow') ? 'allowed' : 'rejected';
  return {...reported, decision: {outcome, option: option?.name, by: 'user'}};
}
