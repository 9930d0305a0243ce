import {isFields, type Deviation} from './deviation.ts';

/** A permission request that does not say for which tool call: it is asked all the same, and the user sees its JSON. */
export const permissionToolCall: Deviation = {
  name: 'permission-tool-call',
  mend(request) {
    const toolCall = isFields(request['toolCall']) ? request['toolCall'] : {};
    const {toolCallId} = toolCall;
    if (typeof toolCallId === 'string' || typeof toolCallId === 'number') return request;
    return {...request, toolCall: {...toolCall, toolCallId: 'unnamed'}};
  },
};
