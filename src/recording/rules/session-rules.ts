import {fieldsOf, textOf, itemsOf} from '../exchanges.ts';
import {sessionIn, updateIn, type ProtocolEvent, type Violation, type Rule} from './rule.ts';

const NAMING = new Set(['session/new', 'session/fork']);
const NAMED = new Set(['session/load', 'session/resume']);

/**
 * Updates of a session are sent while it is open. No page forbids them before the response with the session's id; according to "Slash Commands", commands are
 * sent once it was created.
 */
export const openSession: Rule = {
  name: 'open-session',
  page: 'session-setup#session-id',
  find(events) {
    const open = new Set<string>();
    let unnamed = 0;
    let loading = 0;
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.from === 'client' && protocolEvent.kind === 'request') {
        if (NAMING.has(protocolEvent.method)) unnamed++;
        if (NAMED.has(protocolEvent.method)) open.add(sessionIn(protocolEvent.params));
        if (protocolEvent.method === 'session/load') loading++;
      }
      if (protocolEvent.from === 'agent' && protocolEvent.kind === 'answer') {
        if (NAMING.has(protocolEvent.method)) {
          unnamed--;
          open.add(sessionIn(protocolEvent.result));
        }
        if (protocolEvent.method === 'session/load') loading--;
        if (protocolEvent.method === 'session/close') open.delete(sessionIn(protocolEvent.params));
      }
      const notification = updateIn(protocolEvent);
      if (notification?.kind === 'subagent_update') open.add(sessionIn(notification.update));
      const sessionId = subjectOf(protocolEvent);
      // A replay may contain a subagent's updates before it announces the subagent.
      if (sessionId === undefined || open.has(sessionId) || (notification && loading > 0)) return [];
      const {index} = protocolEvent;
      if (unnamed === 0) return [{index, text: `the session ${JSON.stringify(sessionId)} is not open`}];
      if (notification?.kind === 'available_commands_update') return [];
      return [{index, text: 'it was sent before the answer that names its session', isLegal: true}];
    });
  },
};

/** Returns the session of a message from the agent. */
function subjectOf(protocolEvent: ProtocolEvent): string | undefined {
  if (protocolEvent.from !== 'agent') return undefined;
  if (protocolEvent.kind !== 'notification' && protocolEvent.kind !== 'request') return undefined;
  return /^(?:session|fs|terminal)\//.test(protocolEvent.method)
    ? textOf(fieldsOf(protocolEvent.params)['sessionId'])
    : undefined;
}

/** `session/list` returns only sessions of the requested folder, and its pages end. */
export const listedSessions: Rule = {
  name: 'listed-sessions',
  page: 'session-list',
  find: (events) =>
    events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind !== 'answer' || protocolEvent.method !== 'session/list' || !protocolEvent.result)
        return [];
      const {index, params, result} = protocolEvent;
      const wanted = textOf(params['cwd']);
      const others = itemsOf(result['sessions']).filter(({cwd}) => wanted !== undefined && cwd !== wanted);
      const cursor = textOf(result['nextCursor']);
      return [
        ...(others.length > 0
          ? [{index, text: `${others.length} sessions belong to another folder than requested`}]
          : []),
        ...(cursor !== undefined && cursor === params['cursor']
          ? [{index, text: 'the next page has the cursor of this page'}]
          : []),
      ];
    }),
};

const CONVERSATION = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'plan',
]);

/** Unlike `session/load`, `session/resume` does not replay the conversation. */
export const silentResume: Rule = {
  name: 'silent-resume',
  page: 'session-setup#resuming-a-session',
  find(events) {
    const resuming = new Set<string>();
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind === 'request' && protocolEvent.method === 'session/resume')
        resuming.add(sessionIn(protocolEvent.params));
      if (protocolEvent.kind === 'answer' && protocolEvent.method === 'session/resume')
        resuming.delete(sessionIn(protocolEvent.params));
      const notification = updateIn(protocolEvent);
      return notification && resuming.has(notification.sessionId) && CONVERSATION.has(notification.kind)
        ? [
            {
              index: notification.index,
              text: 'it replays the conversation before the answer to session/resume',
            },
          ]
        : [];
    });
  },
};
