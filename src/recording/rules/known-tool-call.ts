import {textOf} from '../fields.ts';
import {updateIn} from './happenings.ts';
import type {Rule} from './rule.ts';
import {toolCallIn} from './tool-calls-in.ts';

/** A `tool_call_update` is about a tool call that was told before, be it in a request for permission. */
export const knownToolCall: Rule = {
  name: 'known-tool-call',
  page: 'tool-calls#updating',
  find(life) {
    const known = new Set<string>();
    return life.flatMap((happening) => {
      const id = textOf(toolCallIn(happening)?.['toolCallId']);
      if (id === undefined || known.has(id)) return [];
      known.add(id);
      if (updateIn(happening)?.kind !== 'tool_call_update') return [];
      return [{index: happening.index, text: `no tool call ${JSON.stringify(id)} was told before`}];
    });
  },
};
