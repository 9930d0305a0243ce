import {isFields, type Deviation} from './deviation.ts';

/** A message chunk whose content is a bare string, or a text block without its `type`. */
export const chunkContent: Deviation = {
  name: 'chunk-content',
  mend(update) {
    const {content} = update;
    if (typeof content === 'string') return {...update, content: {type: 'text', text: content}};
    if (isFields(content) && content['type'] === undefined && typeof content['text'] === 'string')
      return {...update, content: {...content, type: 'text'}};
    return update;
  },
};
