import {textOfValue, type Message, fieldsOf} from '../exchanges.ts';
import type {ProtocolEventOf, Rule, Violation} from './rule.ts';

/** An agent that was stopped earlier than this had no time to respond. */
const TIMEOUT_MS = 10_000;

/** Every request gets a response. A prompt has no time limit; a cancelled one is checked by another rule. */
export const unansweredRequest: Rule = {
  name: 'answered',
  page: 'overview#communication-model',
  find(events) {
    const exit = events.find(({kind}) => kind === 'exit');
    if (!exit) return [];
    return events
      .filter(
        (one): one is ProtocolEventOf<'request'> =>
          one.kind === 'request' &&
          one.from === 'client' &&
          one.method !== 'session/prompt' &&
          !one.isAnswered &&
          exit.t - one.t >= TIMEOUT_MS,
      )
      .map(({index}) => ({index, text: 'never answered'}));
  },
};

/** A response belongs to a request, once. */
export const strayResponse: Rule = {
  name: 'asked-for',
  page: 'overview#communication-model',
  find: (events) =>
    events.flatMap((protocolEvent) =>
      protocolEvent.kind === 'stray_answer' && !protocolEvent.isBroken
        ? [{index: protocolEvent.index, text: 'it does not answer any request'}]
        : [],
    ),
};

/** An id identifies one request: JSON-RPC matches responses by it. */
export const requestIds: Rule = {
  name: 'request-ids',
  page: 'overview#communication-model',
  find(events) {
    const used = new Map<string, number>();
    const open = new Set<number>();
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind === 'answer') open.delete(protocolEvent.asked);
      if (protocolEvent.kind !== 'request' || protocolEvent.from !== 'agent') return [];
      const {index, id} = protocolEvent;
      const key = `${typeof id} ${textOfValue(id)}`;
      const before = used.get(key);
      used.set(key, index);
      open.add(index);
      if (before === undefined) return [];
      return open.has(before)
        ? [{index, text: `ID ${JSON.stringify(id)} belongs to a request that is still open`}]
        : [{index, text: `ID ${JSON.stringify(id)} was used before`, isLegal: true}];
    });
  },
};

/** An agent prints nothing but messages. */
export const cleanOutput: Rule = {
  name: 'clean-output',
  page: 'transports#stdio',
  find: (events) =>
    events.flatMap((protocolEvent) => {
      if (protocolEvent.kind !== 'noise') return [];
      const text =
        protocolEvent.what === 'text'
          ? 'it is not a message'
          : 'messages must be sent one at a time, not in a list';
      return [{index: protocolEvent.index, text}];
    }),
};

/** The agent only calls methods that the client offered. */
export const offeredMethods: Rule = {
  name: 'offered-methods',
  page: 'initialization#client-capabilities',
  find(events) {
    let offered: Message = {};
    return events.flatMap((protocolEvent): readonly Violation[] => {
      if (protocolEvent.kind !== 'request') return [];
      const {index, from, method, params} = protocolEvent;
      if (from === 'client') {
        if (method === 'initialize') offered = fieldsOf(params['clientCapabilities']);
        return [];
      }
      return isOffered(method, params, offered) ? [] : [{index, text: `the client did not offer ${method}`}];
    });
  },
};

function isOffered(method: string, params: Message, offered: Message): boolean {
  const {readTextFile, writeTextFile} = fieldsOf(offered['fs']);
  if (method === 'fs/read_text_file') return readTextFile === true;
  if (method === 'fs/write_text_file') return writeTextFile === true;
  if (method.startsWith('terminal/')) return offered['terminal'] === true;
  if (method === 'elicitation/create') {
    const mode = params['mode'] === 'url' ? 'url' : 'form';
    return typeof fieldsOf(offered['elicitation'])[mode] === 'object';
  }
  return true;
}
