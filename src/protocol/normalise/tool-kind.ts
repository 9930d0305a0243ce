import {TOOL_KINDS} from '../../session/tool-kinds.ts';
import type {Deviation} from './deviation.ts';

/** A kind that the schema does not know. Never guessed: what is approved without asking hangs on it. */
export const toolKind: Deviation = {
  name: 'tool-kind',
  mend: (toolCall) =>
    typeof toolCall['kind'] === 'string' && !Object.hasOwn(TOOL_KINDS, toolCall['kind'])
      ? {...toolCall, kind: 'other'}
      : toolCall,
};
