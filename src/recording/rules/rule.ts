import {type Exchange, type Message, messageOf, fieldsOf, textOf} from '../exchanges.ts';

/** A rule of the protocol about several messages, or about a value that the schema accepts. */
export interface Rule {
  readonly name: string;
  /** The page that states it, with its section; relative to `PAGES`. */
  readonly page: string;
  /** True for a rule that version 2 does not have. */
  readonly isOfVersion1?: true;
  /** `events` are those of one agent process from its `initialize` on, in order. */
  readonly find: (events: readonly ProtocolEvent[]) => readonly Violation[];
}

export interface Violation {
  /** The line that shows it. */
  readonly index: number;
  readonly text: string;
  /** True if the protocol allows it, but clients may fail on it. */
  readonly isLegal?: boolean;
}

/** A line of a recording: a message by type, or another event. `from` is its sender. */
export type ProtocolEvent = {
  readonly index: number;
  readonly t: number;
  readonly from: 'agent' | 'client';
} & (
  | {
      readonly kind: 'request' | 'notification';
      readonly method: string;
      readonly id: unknown;
      readonly params: Message;
      /** True if it has a response later on. */
      readonly isAnswered: boolean;
    }
  | {
      readonly kind: 'answer';
      /** The method of its request. */
      readonly method: string;
      readonly params: Message;
      readonly asked: number;
      /** Undefined for an error. */
      readonly result: Message | undefined;
    }
  /** A response without a request; `isBroken` if it reports an unreadable message without an id. */
  | {readonly kind: 'stray_answer'; readonly isBroken: boolean}
  | {readonly kind: 'noise'; readonly what: 'text' | 'batch'}
  | {readonly kind: 'exit'}
);

export type ProtocolEventOf<Kind extends ProtocolEvent['kind']> = ProtocolEvent & {readonly kind: Kind};

/** Returns the lines of one agent process in chronological order, with each response at its own position. */
export function protocolEventsOf(exchanges: readonly Exchange[]): readonly ProtocolEvent[] {
  return exchanges.flatMap(eventsOf).toSorted((a, b) => a.index - b.index);
}

function eventsOf({index, t, from, kind, line, method, answer}: Exchange): readonly ProtocolEvent[] {
  const place = {index, t, from};
  switch (kind) {
    case 'output':
      return [{...place, kind: 'noise', what: 'text'}];
    case 'batch':
      return [{...place, kind: 'noise', what: 'batch'}];
    case 'exit':
      return [{...place, kind: 'exit'}];
    case 'request':
    case 'notification': {
      const message = messageOf(line) ?? {};
      const params = fieldsOf(message['params']);
      const event = {...place, kind, method, id: message['id'], params, isAnswered: answer !== undefined};
      if (!answer) return [event];
      const {latencyMs, message: response} = answer;
      const result = response['error'] ? undefined : fieldsOf(response['result']);
      const other = from === 'agent' ? 'client' : 'agent';
      const answered = {index: answer.index, t: t + latencyMs, from: other, kind: 'answer'} as const;
      return [event, {...answered, method, params, asked: index, result}];
    }
    case 'answer': {
      const {id, error} = messageOf(line) ?? {};
      return [{...place, kind: 'stray_answer', isBroken: id === null && error !== undefined}];
    }
    case 'stderr':
    case 'start':
      return [];
  }
}

/** A `session/update` of the agent. */
interface SessionUpdateEvent {
  readonly index: number;
  readonly sessionId: string;
  readonly kind: string;
  readonly update: Message;
}

/** Returns the `session/update` of an event; undefined for other events. */
export function updateIn(protocolEvent: ProtocolEvent): SessionUpdateEvent | undefined {
  if (protocolEvent.kind !== 'notification' || protocolEvent.method !== 'session/update') return undefined;
  const {index, params} = protocolEvent;
  const update = fieldsOf(params['update']);
  return {index, sessionId: sessionIn(params), kind: textOf(update['sessionUpdate']) ?? '', update};
}

/** Returns the session id in parameters or a result; '' if there is none. */
export function sessionIn(fields: Message | undefined): string {
  return textOf(fields?.['sessionId']) ?? '';
}
