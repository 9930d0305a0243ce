import {fieldsOf, textOf} from '../fields.ts';
import {sessionIn, updateIn, type Happening} from './happenings.ts';
import type {Breach, Rule} from './rule.ts';

const NAMING = new Set(['session/new', 'session/fork']);
const NAMED = new Set(['session/load', 'session/resume']);

/**
 * What the agent says about a session comes while that session is open. No page forbids to tell of a session before the answer that
 * names it, and "Slash Commands" has commands told of once it was created.
 */
export const openSession: Rule = {
  name: 'open-session',
  page: 'session-setup#session-id',
  find(life) {
    const open = new Set<string>();
    let unnamed = 0;
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.from === 'client' && happening.kind === 'request') {
        if (NAMING.has(happening.method)) unnamed++;
        if (NAMED.has(happening.method)) open.add(sessionIn(happening.params));
      }
      if (happening.from === 'agent' && happening.kind === 'answer') {
        if (NAMING.has(happening.method)) {
          unnamed--;
          open.add(sessionIn(happening.result));
        }
        if (happening.method === 'session/close') open.delete(sessionIn(happening.params));
      }
      const told = updateIn(happening);
      if (told?.kind === 'subagent_update') open.add(sessionIn(told.update));
      const sessionId = subjectOf(happening);
      if (sessionId === undefined || open.has(sessionId)) return [];
      const {index} = happening;
      if (unnamed === 0) return [{index, text: `the session ${JSON.stringify(sessionId)} is not open`}];
      if (told?.kind === 'available_commands_update') return [];
      return [{index, text: 'it came before the answer that names its session', isLegal: true}];
    });
  },
};

/** The session that a message of the agent is about. */
function subjectOf(happening: Happening): string | undefined {
  if (happening.from !== 'agent') return undefined;
  if (happening.kind !== 'notification' && happening.kind !== 'request') return undefined;
  return /^(?:session|fs|terminal)\//.test(happening.method)
    ? textOf(fieldsOf(happening.params)['sessionId'])
    : undefined;
}
