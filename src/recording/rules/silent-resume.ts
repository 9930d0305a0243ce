import {sessionIn, updateIn} from './happenings.ts';
import type {Breach, Rule} from './rule.ts';

const CONVERSATION = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'plan',
]);

/** Unlike `session/load`, `session/resume` does not tell the conversation again. */
export const silentResume: Rule = {
  name: 'silent-resume',
  page: 'session-setup#resuming-a-session',
  find(life) {
    const resuming = new Set<string>();
    return life.flatMap((happening): readonly Breach[] => {
      if (happening.kind === 'request' && happening.method === 'session/resume')
        resuming.add(sessionIn(happening.params));
      if (happening.kind === 'answer' && happening.method === 'session/resume')
        resuming.delete(sessionIn(happening.params));
      const told = updateIn(happening);
      return told && resuming.has(told.sessionId) && CONVERSATION.has(told.kind)
        ? [{index: told.index, text: 'it tells the conversation again before the answer to session/resume'}]
        : [];
    });
  },
};
