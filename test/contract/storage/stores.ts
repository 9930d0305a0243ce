import {expect, onTestFinished} from 'vitest';
import type {Result} from '../../../src/shared/failure.ts';
import {openDatabase, type Database} from '../../../src/storage/database/database.ts';
import type {Recorder} from '../../../src/storage/sessions/recorder.ts';
import type {SessionFileOptions} from '../../../src/storage/sessions/session-file.ts';
import {openSessionStore, type SessionStore} from '../../../src/storage/sessions/session-store.ts';
import type {SessionOrigin} from '../../../src/storage/sessions/stored-session.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';

export const origin: SessionOrigin = {
  agent: {label: 'some-agent', command: 'some-agent', args: ['--acp']},
  cwd: '/project',
  additionalDirectories: [],
};

export function databaseIn(folder: string): Database {
  const database = openDatabase(folder, {onDamaged: (sentence) => expect.unreachable(sentence)});
  onTestFinished(() => database.close());
  return database;
}

export function storeIn(folder: string, options: Partial<SessionFileOptions> = {}): SessionStore {
  return openSessionStore({
    state: folder,
    database: databaseIn(folder),
    onProblem: (problem) => expect.unreachable(JSON.stringify(problem)),
    ...options,
  });
}

/** The value of a successful result. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

/** Runs a conversation: each event is folded and passed to the recorder. */
export function playConversation(
  recorder: Recorder,
  events: readonly SessionEvent[],
  from?: SessionState,
): SessionState {
  const place = {cwd: origin.cwd, additionalDirectories: [], at: events[0]?.at ?? 0};
  let state = from ?? initialSession(place);
  for (const event of events) {
    state = reduce(state, event);
    recorder.follow(event, state);
  }
  return state;
}

/** Stores a conversation; returns its ID. */
export function storeConversation(
  store: SessionStore,
  events: readonly SessionEvent[],
  of: Partial<SessionOrigin> = {},
): string {
  const recorder = valueOf(store.record({...origin, ...of}));
  playConversation(recorder, events);
  recorder.close();
  return recorder.id() ?? '';
}

let clock = 1_000;

/** A conversation of turns, each a prompt and its answer. */
export function conversation(
  turns: readonly (readonly [prompt: string, answer: string])[],
  sessionId = 'agent-session',
): SessionEvent[] {
  const at = () => (clock += 1);
  return [
    {type: 'connection_changed', connection: {kind: 'starting', step: 'launching', since: at()}, at: clock},
    {
      type: 'agent_initialized',
      response: {protocolVersion: 1, agentInfo: {name: 'some', title: 'Some Agent', version: '1'}},
      fallbackName: 'some-agent',
      at: at(),
    },
    {
      type: 'session_opened',
      session: {sessionId, cwd: '/project', additionalDirectories: []},
      how: 'new',
      at: at(),
    },
    {type: 'connection_changed', connection: {kind: 'ready'}, at: at()},
    ...turns.flatMap(([prompt, answer], index) => turn(index + 1, prompt, answer)),
  ];
}

export function turn(number: number, prompt: string, answer: string): SessionEvent[] {
  const at = () => (clock += 1);
  return [
    {type: 'prompt_started', turn: number, content: [{type: 'text', text: prompt}], at: at()},
    ...answer.split(/(?<= )/).map((word): SessionEvent => ({
      type: 'session_update',
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: word}},
      at: at(),
    })),
    {
      type: 'prompt_ended',
      turn: number,
      outcome: {kind: 'stopped', stopReason: 'end_turn'},
      usage: null,
      at: at(),
    },
  ];
}
