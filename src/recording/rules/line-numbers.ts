import {itemsOf} from '../fields.ts';
import type {Rule} from './rule.ts';
import {toolCallIn} from './tool-calls-in.ts';

/** Line numbers count from 1. */
export const lineNumbers: Rule = {
  name: 'line-numbers',
  page: 'overview#argument-requirements',
  find: (life) =>
    life.flatMap((happening) => {
      const lines = itemsOf(toolCallIn(happening)?.['locations']).map(({line}) => line);
      if (
        happening.kind === 'request' &&
        happening.method === 'fs/read_text_file' &&
        happening.from === 'agent'
      )
        lines.push(happening.params['line']);
      return lines.includes(0) ? [{index: happening.index, text: 'there is no line 0'}] : [];
    }),
};
