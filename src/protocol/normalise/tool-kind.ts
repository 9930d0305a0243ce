import type {ToolKind} from '@agentclientprotocol/sdk/unstable';
import type {Deviation} from './deviation.ts';

const KNOWN: Readonly<Record<ToolKind, true>> = {
  read: true,
  edit: true,
  delete: true,
  move: true,
  search: true,
  execute: true,
  think: true,
  fetch: true,
  switch_mode: true,
  other: true,
};

/** A kind that the schema does not know. Never guessed: what is approved without asking hangs on it. */
export const toolKind: Deviation = {
  name: 'tool-kind',
  mend: (toolCall) =>
    typeof toolCall['kind'] === 'string' && !Object.hasOwn(KNOWN, toolCall['kind'])
      ? {...toolCall, kind: 'other'}
      : toolCall,
};
