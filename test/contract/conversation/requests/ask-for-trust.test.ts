import {expect, test} from 'vitest';
import {initialApp, createTab} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {submitPrompt} from '../../../../src/app/queue/queue.ts';
import {askForTrust, type FolderTrust} from '../../../../src/window/trust/folder-trust.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {nextToSend} from '../../../../src/session/queue/next-to-send.ts';
import type {ConnectionState} from '../../../../src/session/state.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {queueOf} from '../../../support/window/queue-of-store.ts';

const FOLDER = '/project';

const starting: ConnectionState = {kind: 'starting', step: 'opening_session', since: 1};
const ready: ConnectionState = {kind: 'ready'};
const lost: ConnectionState = {
  kind: 'lost',
  failure: {kind: 'connection_lost', exit: {code: 1, signal: null}, stderrTail: ''},
};

/** A window in a folder whose settings wait to be trusted; `asked` are the open questions by session. */
function openWindow({hasServers = false} = {}) {
  const start = (key: string, cwd: string) => ({
    key,
    agentLabel: 'demo',
    session: initialSession({cwd, additionalDirectories: [], at: 1}),
    approval: 'none' as const,
  });
  const store = createStore(reduceApp, initialApp({session: start('one', FOLDER), theme: 'dark'}));
  const asked = new Map<string, (answer: boolean | undefined) => void>();
  const accepted: boolean[] = [];
  let question: FolderTrust['question'] = {title: 'Use them?', text: '', yes: 'Yes', no: 'No'};
  const decline = () => void (question = undefined);
  const trust: FolderTrust = {
    isOf: (folder) => folder === FOLDER,
    hasServers,
    get question() {
      return question;
    },
    accept() {
      decline();
      accepted.push(true);
      return {ok: true, value: undefined};
    },
    decline,
    problems: [],
  };
  const sent: string[] = [];
  const queue = queueOf(store);
  store.onEvent(() =>
    queueMicrotask(() => {
      for (const {key, session} of Object.values(store.latest().sessions)) {
        const next = nextToSend(session);
        if (next?.kind !== 'prompt') continue;
        queue.change(key, {kind: 'taken', id: next.prompt.id});
        sent.push(`${key}: ${next.prompt.text}`);
      }
    }),
  );
  const opened: string[] = [];
  let finishOpening: ((opened: boolean) => void) | undefined;
  askForTrust(trust, {
    store,
    windowSessions: {
      clientOf: (key) => ({
        async changeQueue(change) {
          queue.change(key, change);
          return {ok: true, value: undefined};
        },
        askUser: () =>
          new Promise((resolve) =>
            asked.set(key, (answer) => {
              asked.delete(key);
              resolve(answer);
            }),
          ),
        async openSession(opening) {
          opened.push(`${key}: ${opening.kind}`);
          const isOpened = await new Promise<boolean>((resolve) => (finishOpening = resolve));
          return isOpened
            ? {ok: true, value: undefined}
            : {ok: false, failure: {kind: 'internal', problem: 'no'}};
        },
      }),
    },
  });
  return {
    sent,
    opened,
    finishOpening: async (isOpened: boolean) => {
      finishOpening?.(isOpened);
      await settled();
    },
    reported: (key: string) =>
      [...(store.latest().sessions[key]?.session.entries ?? [])].flatMap((entry) =>
        entry.type === 'notice' ? [entry.text] : [],
      ),
    opens: async (key: string, sessionId: string) => {
      const session = {sessionId, cwd: FOLDER, additionalDirectories: []};
      store.dispatch({
        type: 'session',
        key,
        event: {type: 'session_opened', session, how: 'new', at: 1},
        at: 1,
      });
      await settled();
    },
    accepted,
    asked: () => [...asked.keys()],
    answer: async (key: string, answer: boolean | undefined) => {
      asked.get(key)?.(answer);
      await settled();
    },
    becomes: async (key: string, connection: ConnectionState) => {
      store.dispatch({type: 'session', key, event: {type: 'connection_changed', connection, at: 1}, at: 1});
      await settled();
    },
    submit: async (key: string, text: string) => {
      queue.take(submitPrompt(key, {text}));
      await settled();
    },
    add: (key: string, cwd: string) =>
      store.dispatch({type: 'session_added', key, tab: createTab(start(key, cwd))}),
  };
}

/** Runs everything that only waits for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('sends nothing before the answer, and then applies the resulting settings', async () => {
  const {submit, becomes, answer, asked, sent, accepted} = openWindow();
  await submit('one', 'hello');
  await becomes('one', ready);
  expect([asked(), sent]).toEqual([['one'], []]);
  await answer('one', true);
  expect([accepted, sent]).toEqual([[true], ['one: hello']]);
});

test.each([
  ['a crash', [lost, starting]],
  ['a new session', [starting]],
])('asks again before sending anything after the question went away with %s', async (_name, between) => {
  const {submit, becomes, answer, asked, sent} = openWindow();
  await becomes('one', ready);
  await answer('one', undefined);
  for (const connection of between) await becomes('one', connection);
  await submit('one', 'hello');
  await becomes('one', ready);
  expect([asked(), sent]).toEqual([['one'], []]);
  await answer('one', false);
  expect(sent).toEqual(['one: hello']);
  await becomes('one', lost);
  await becomes('one', ready);
  expect(asked()).toEqual([]);
});

test('cancelling the question continues without the settings', async () => {
  const {submit, becomes, answer, sent, accepted} = openWindow();
  await submit('one', 'hello');
  await becomes('one', ready);
  await answer('one', undefined);
  expect([accepted, sent]).toEqual([[], ['one: hello']]);
});

test('another session in the folder waits for the same question; other folders do not', async () => {
  const {add, submit, becomes, answer, asked, sent} = openWindow();
  await becomes('one', ready);
  add('two', FOLDER);
  add('three', '/elsewhere');
  for (const key of ['two', 'three']) {
    await submit(key, 'hello');
    await becomes(key, ready);
  }
  expect([asked(), sent]).toEqual([['one'], ['three: hello']]);
  await answer('one', true);
  expect(sent).toEqual(['three: hello', 'two: hello']);
});

test('the question moves to another session when its session closes', async () => {
  const {add, submit, becomes, answer, asked, sent} = openWindow();
  await becomes('one', ready);
  add('two', FOLDER);
  await submit('two', 'hello');
  await becomes('two', ready);
  await answer('one', undefined);
  expect([asked(), sent]).toEqual([['two'], []]);
  await answer('two', false);
  expect(sent).toEqual(['two: hello']);
});

test('trusting MCP servers reopens the session before the waiting prompts are sent', async () => {
  const {opens, becomes, submit, answer, opened, sent, finishOpening, reported} = openWindow({
    hasServers: true,
  });
  await opens('one', 'first');
  await becomes('one', ready);
  await submit('one', 'hello');
  await answer('one', true);
  expect(opened).toEqual(['one: new']);
  expect(sent).toEqual([]);
  await finishOpening(true);
  expect(sent).toEqual(['one: hello']);
  expect(reported('one')).toContainEqual(expect.stringContaining('Session reopened with the MCP servers'));
});

test('when the session cannot be reopened, says that the MCP servers start with the next one', async () => {
  const {opens, becomes, submit, answer, sent, finishOpening, reported} = openWindow({hasServers: true});
  await opens('one', 'first');
  await becomes('one', ready);
  await submit('one', 'hello');
  await answer('one', true);
  await finishOpening(false);
  expect(sent).toEqual(['one: hello']);
  expect(reported('one')).toContainEqual(expect.stringContaining('start with the next session: /new'));
});

test('distrusting MCP servers reopens nothing', async () => {
  const {opens, becomes, answer, opened} = openWindow({hasServers: true});
  await opens('one', 'first');
  await becomes('one', ready);
  await answer('one', false);
  expect(opened).toEqual([]);
});
