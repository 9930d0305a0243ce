import type {Deviation} from './deviation.ts';

/** A number as the id of a tool call; the whole message would be lost. */
export const toolCallId: Deviation = {
  name: 'tool-call-id',
  mend: (toolCall) =>
    typeof toolCall['toolCallId'] === 'number'
      ? {...toolCall, toolCallId: String(toolCall['toolCallId'])}
      : toolCall,
};
