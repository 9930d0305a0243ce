import {kindOf, messageOf, methodOf, type Message} from './exchanges.ts';
import type {RecordingLine} from './schema.ts';

/** What is said in a recording, in terms of the client that hears it now. */
export interface Translation {
  /** The client said now what `recorded` had said. */
  readonly said: (recorded: Message, now: Message) => void;
  /** The client did not say it. */
  readonly skipped: (recorded: Message) => void;
  /** What of a recorded message of the agent goes to this client; undefined for an answer to what it did not ask. */
  readonly toClient: (recorded: unknown) => unknown;
  /** The recorded answer for a request that was skipped and comes after all; undefined when there is none left. */
  readonly late: (request: Message) => unknown;
}

/** Requests of the client have ids of its own, and so have its terminals. */
export function createTranslation(life: readonly RecordingLine[]): Translation {
  const ids = new Map<unknown, unknown>();
  const missed = new Map<string, unknown[]>();
  const missedIds = new Set<unknown>();
  const terminals = new Map<unknown, unknown>();

  return {
    said(recorded, now) {
      if (methodOf(recorded) !== '') ids.set(recorded['id'], now['id']);
      const [before, after] = [terminalOf(recorded), terminalOf(now)];
      if (before !== undefined && after !== undefined) terminals.set(before, after);
    },
    skipped({id, method}) {
      if (id === undefined) return;
      missedIds.add(id);
      missed.set(String(method), [...(missed.get(String(method)) ?? []), id]);
    },
    toClient(recorded) {
      if (!isAnswer(recorded)) return withTerminals(recorded, terminals);
      if (missedIds.has(recorded['id'])) return undefined;
      const id = ids.has(recorded['id']) ? ids.get(recorded['id']) : recorded['id'];
      return withTerminals({...recorded, id}, terminals);
    },
    late(request) {
      const [id, ...rest] = missed.get(methodOf(request)) ?? [];
      missed.set(methodOf(request), rest);
      const answers = life.flatMap((line) =>
        line.d === '<' && kindOf(line) === 'answer' ? [messageOf(line)] : [],
      );
      const answer = id === undefined ? undefined : answers.find((answer) => answer?.['id'] === id);
      return answer && {...answer, id: request['id']};
    },
  };
}

function isAnswer(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('method' in value);
}

/** The terminal that an answer names: the client makes up its ids. */
function terminalOf({result}: Message): unknown {
  return typeof result === 'object' && result !== null && 'terminalId' in result
    ? result.terminalId
    : undefined;
}

/** The same with the client's ids of terminals in the place of the recorded ones. */
function withTerminals(value: unknown, terminals: ReadonlyMap<unknown, unknown>): unknown {
  if (terminals.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withTerminals(item, terminals));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'terminalId' && terminals.has(item) ? terminals.get(item) : withTerminals(item, terminals),
    ]),
  );
}
