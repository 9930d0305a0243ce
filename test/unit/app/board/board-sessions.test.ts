import {expect, test} from 'vitest';
import {createTab, initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {followBoardSessions} from '../../../../src/window/sessions/board-sessions.ts';
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
