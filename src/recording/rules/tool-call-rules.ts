import {textOf, type Message, fieldsOf, itemsOf} from '../exchanges.ts';
import {updateIn, type Rule, sessionIn, type Violation, type ProtocolEvent} from './rule.ts';

/** A `tool_call_update` refers to a known tool call, possibly from a permission request. */
export const knownToolCall: Rule = {
  name: 'known-tool-call',
  page: 'tool-calls#updating',
  isOfVersion1: true,
  find(events) {
    const known = new Set<string>();
    return events.flatMap((protocolEvent) => {
      const id = textOf(toolCallIn(protocolEvent)?.['toolCallId']);
      if (id === undefined || known.has(id)) return [];
      known.add(id);
      if (updateIn(protocolEvent)?.kind !== 'tool_call_update') return [];
      return [{index: protocolEvent.index, text: `unknown tool call ${JSON.stringify(id)}`}];
    });
  },
};

/** Tool calls that are still running at the end of a turn: a client has to end them itself. */
export const finishedToolCalls: Rule = {
  name: 'finished-tool-calls',
  page: 'tool-calls#status',
  find(events) {
    const running = new Map<string, Set<string>>();
    return events.flatMap((protocolEvent) => {
      const notification = updateIn(protocolEvent);
      const id = textOf(notification?.update['toolCallId']);
      if (notification && id !== undefined) {
        const ofSession = running.get(notification.sessionId) ?? new Set();
        running.set(notification.sessionId, ofSession);
        const status = notification.update['status'];
        if (status === 'completed' || status === 'failed') ofSession.delete(id);
        else if (notification.kind === 'tool_call') ofSession.add(id);
      }
      if (protocolEvent.kind !== 'answer' || protocolEvent.method !== 'session/prompt') return [];
      const left = [...(running.get(sessionIn(protocolEvent.params)) ?? [])];
      running.delete(sessionIn(protocolEvent.params));
      if (left.length === 0) return [];
      const which = left.map((id) => JSON.stringify(id)).join(', ');
      return [
        {
          index: protocolEvent.index,
          text: `the turn ended with unfinished tool calls: ${which}`,
          isLegal: true,
        },
      ];
    });
  },
};

/** A terminal in a tool call was created by the client. Some agents run commands themselves, for clients that support that. */
export const knownTerminal: Rule = {
  name: 'known-terminal',
  page: 'terminals#embedding-in-tool-calls',
  isOfVersion1: true,
  find(events) {
    const made = new Set<unknown>();
    let offered: Message = {};
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind === 'request' && protocolEvent.method === 'initialize')
        offered = fieldsOf(fieldsOf(protocolEvent.params['clientCapabilities'])['_meta']);
      if (protocolEvent.kind === 'answer' && protocolEvent.method === 'terminal/create')
        made.add(protocolEvent.result?.['terminalId']);
      const unknown = contentOf(toolCallIn(protocolEvent), 'terminal')
        .flatMap(({terminalId}) => textOf(terminalId) ?? [])
        .filter((id) => !made.has(id));
      for (const id of unknown) made.add(id);
      const isLegal = offered['terminal_output'] === true;
      return unknown.map((id) => {
        const text = `unknown terminal ${JSON.stringify(id)}`;
        return {index: protocolEvent.index, text, isLegal};
      });
    });
  },
};

/** Returns the tool call of an update or a permission request; undefined for everything else. */
export function toolCallIn(protocolEvent: ProtocolEvent): Message | undefined {
  const notification = updateIn(protocolEvent);
  if (notification)
    return notification.kind === 'tool_call' || notification.kind === 'tool_call_update'
      ? notification.update
      : undefined;
  if (protocolEvent.kind !== 'request' || protocolEvent.method !== 'session/request_permission')
    return undefined;
  return fieldsOf(protocolEvent.params['toolCall']);
}

/** Returns the content items of a type. */
export function contentOf(toolCall: Message | undefined, type: string): readonly Message[] {
  return itemsOf(toolCall?.['content']).filter((content) => content['type'] === type);
}
