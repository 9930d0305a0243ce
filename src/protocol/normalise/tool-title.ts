import {UNTITLED} from '../../session/tool-kinds.ts';
import type {Deviation} from './deviation.ts';

/** A `tool_call` without a title, or with null: the whole update would be lost. Its name or kind has to do. */
export const toolTitle: Deviation = {
  name: 'tool-title',
  mend(toolCall) {
    if (typeof toolCall['title'] === 'string') return toolCall;
    const title = [toolCall['name'], toolCall['kind']].find(
      (text) => typeof text === 'string' && text !== '',
    );
    return {...toolCall, title: title ?? UNTITLED};
  },
};
