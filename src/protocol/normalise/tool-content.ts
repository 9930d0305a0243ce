import {toolCallContent} from '../schema.ts';
import {isFields, mapItems, type Deviation, type Fields} from './deviation.ts';

const BLOCK_TYPES = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

/**
 * Tool content without its wrapper: a bare content block (as the protocol's own page shows plans), a string, or one item
 * instead of a list.
 */
export const toolContent: Deviation = {
  name: 'tool-content',
  mend(toolCall) {
    const {content} = toolCall;
    if (content === undefined || content === null) return toolCall;
    const list = Array.isArray(content) ? content : [content];
    const mended = mapItems(list, wrapped);
    return mended === content ? toolCall : {...toolCall, content: mended};
  },
};

/**
 * Items that the SDK would leave out of the list: shown as JSON text instead. Costs a parse an item, so it is for calls
 * that have lost one.
 */
export const unknownToolContent: Deviation = {
  name: 'unknown-tool-content',
  mend(toolCall) {
    const {content} = toolCall;
    if (!Array.isArray(content)) return toolCall;
    const mended = mapItems(content, (item) =>
      toolCallContent.safeParse(item).success ? item : text(JSON.stringify(item)),
    );
    return mended === content ? toolCall : {...toolCall, content: mended};
  },
};

function wrapped(item: unknown): unknown {
  if (typeof item === 'string') return text(item);
  if (!isFields(item)) return item;
  if (BLOCK_TYPES.has(item['type'])) return {type: 'content', content: item};
  if (item['type'] === 'content' && typeof item['content'] === 'string') return text(item['content']);
  return item;
}

function text(value: string): Fields {
  return {type: 'content', content: {type: 'text', text: value}};
}
