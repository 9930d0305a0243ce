import {sessionIn, updateIn} from './happenings.ts';
import type {Breach, Rule} from './rule.ts';

const OF_A_TURN = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
]);

/**
 * What belongs to a turn comes before the answer to its prompt: "Cancellation" demands it. Elsewhere an update outside of a
 * turn is allowed, and easily shown in the wrong place.
 */
export const withinTurn: Rule = {
  name: 'within-turn',
  page: 'prompt-turn#cancellation',
  find(life) {
    /** How many requests that updates belong to are under way, and whether the last turn was cancelled. */
    const sessions = new Map<string, {busy: number; cancelled: boolean}>();
    const of = (sessionId: string) => {
      const known = sessions.get(sessionId) ?? {busy: 0, cancelled: false};
      sessions.set(sessionId, known);
      return known;
    };
    /** Requests whose answer names a session: until then another rule judges what is told of it. */
    let unnamed = 0;
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.from === 'client' && happening.kind === 'request' && isNaming(happening.method))
        unnamed++;
      if (happening.kind === 'answer' && isNaming(happening.method)) unnamed--;
      if (happening.from === 'client' && happening.kind === 'request' && isBusy(happening.method)) {
        of(sessionIn(happening.params)).busy++;
      }
      if (happening.kind === 'answer' && isBusy(happening.method)) {
        const session = of(sessionIn(happening.params));
        session.busy--;
        session.cancelled = happening.result?.['stopReason'] === 'cancelled';
      }
      const told = updateIn(happening);
      if (!told || !OF_A_TURN.has(told.kind)) return [];
      const {busy, cancelled} = of(told.sessionId);
      if (busy > 0 || unnamed > 0) return [];
      return cancelled
        ? [{index: told.index, text: 'it came after the answer to the cancelled prompt'}]
        : [{index: told.index, text: 'it came outside of a turn', isLegal: true}];
    });
  },
};

function isBusy(method: string): boolean {
  return method === 'session/prompt' || method === 'session/load' || method === '_session/steering';
}

function isNaming(method: string): boolean {
  return method === 'session/new' || method === 'session/fork';
}
