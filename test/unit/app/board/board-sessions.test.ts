import {expect, test} from 'vitest';
import {boardRows} from '../../../../src/app/board/board-rows.ts';
import {emptyBoard} from '../../../../src/app/board/follow-board.ts';
import {createTab, initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {followBoardSessions} from '../../../../src/window/sessions/board-sessions.ts';
import {markRead} from '../../../../src/window/sessions/mark-read.ts';
import {opened, text} from '../../../support/session/build.ts';
import {sessionRow} from '../../../support/session/session-row.ts';

test('a session is left that was reached only after the board was closed', async () => {
  const session = initialSession({cwd: '/p', additionalDirectories: [], at: 0});
  const shown = {agentLabel: 'some', session, approval: 'none'} as const;
  const store = createStore(reduceApp, initialApp({session: {key: 'main', ...shown}, theme: 'dark'}));
  const row = sessionRow('stored', {status: 'waiting'});
  const reached = Promise.withResolvers<void>();
  const left: string[] = [];
  let asked = 0;
  const stop = followBoardSessions({
    store,
    rows: () => [row],
    async peek() {
      asked++;
      await reached.promise;
      const tab = {...createTab({key: 'peeked', ...shown}), isPeeked: true};
      store.dispatch({type: 'session_added', key: 'peeked', tab});
      return {ok: true, value: 'peeked'};
    },
    leave: (key) => left.push(key),
  });
  store.dispatch({type: 'board_opened'});
  await expect.poll(() => asked).toBe(1);
  store.dispatch({type: 'board_closed'});
  reached.resolve();
  await expect.poll(() => left).toEqual(['peeked']);
  stop();
});

test('a session whose turn ends below the board is read when that is closed', () => {
  const shown = {agentLabel: 'some', session: opened, approval: 'none'} as const;
  const store = createStore(reduceApp, initialApp({session: {key: 'main', ...shown}, theme: 'dark'}));
  const read: string[] = [];
  const sessions = {markRead: (id: string) => (read.push(id), {ok: true, value: undefined} as const)};
  markRead({store, storage: {recording: {id: (key) => `id of ${key}`}, sessions}});
  const state = () => boardRows(store.latest(), store.latest().board ?? emptyBoard)[0]?.state;
  const say = (event: SessionEvent) => store.dispatch({type: 'session', key: 'main', event, at: 0});
  const turn = (number: number) => {
    say({type: 'prompt_started', turn: number, content: [text('go')], at: number});
    say({type: 'prompt_ended', turn: number, outcome: {kind: 'stopped', stopReason: 'end_turn'}, at: number});
  };
  turn(1);
  expect([state(), read]).toEqual(['idle', ['id of main', 'id of main']]);
  store.dispatch({type: 'board_opened'});
  turn(2);
  expect([state(), read]).toEqual(['done', ['id of main', 'id of main']]);
  store.dispatch({type: 'board_closed'});
  expect([state(), read.length]).toEqual(['idle', 3]);
  // What is left unread on the board stays so in its session.
  store.dispatch({type: 'board_opened'});
  turn(3);
  store.dispatch({type: 'session_added', key: 'other', tab: createTab({key: 'other', ...shown})});
  store.dispatch({type: 'session_activated', key: 'other'});
  expect([state(), read.slice(3)]).toEqual(['done', ['id of other']]);
});
