import {textOf} from '../fields.ts';
import {sessionIn, updateIn} from './happenings.ts';
import type {Rule} from './rule.ts';

/** Tool calls that a turn leaves running: a client has to end them by itself. */
export const finishedToolCalls: Rule = {
  name: 'finished-tool-calls',
  page: 'tool-calls#status',
  find(life) {
    const running = new Map<string, Set<string>>();
    return life.flatMap((happening) => {
      const told = updateIn(happening);
      const id = textOf(told?.update['toolCallId']);
      if (told && id !== undefined) {
        const ofSession = running.get(told.sessionId) ?? new Set();
        running.set(told.sessionId, ofSession);
        const status = told.update['status'];
        if (status === 'completed' || status === 'failed') ofSession.delete(id);
        else if (told.kind === 'tool_call') ofSession.add(id);
      }
      if (happening.kind !== 'answer' || happening.method !== 'session/prompt') return [];
      const left = [...(running.get(sessionIn(happening.params)) ?? [])];
      running.delete(sessionIn(happening.params));
      if (left.length === 0) return [];
      const which = left.map((id) => JSON.stringify(id)).join(', ');
      return [
        {index: happening.index, text: `the turn ended with unfinished tool calls: ${which}`, isLegal: true},
      ];
    });
  },
};
