import {describe, expect, test} from 'vitest';
import {initialApp} from '../../../src/app/initial.ts';
import {reduceApp} from '../../../src/app/reduce.ts';
import {sessionPicker} from '../../../src/app/session-picker.ts';
import {createSessionFinder} from '../../../src/client/session-finder.ts';
import {joinSessions} from '../../../src/client/session-rows.ts';
import type {StoredSession} from '../../../src/persistence/sessions/stored-session.ts';
import type {ListedSession, SessionActions} from '../../../src/session/actions.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {createStore} from '../../../src/store.ts';
import {conversation, live, origin, storeIn, valueOf} from '../persistence/stores.ts';
import {temporaryFolder} from '../persistence/temporary-folder.ts';

const listed = (sessionId: string, title?: string): ListedSession => ({
  sessionId,
  cwd: '/project',
  additionalDirectories: [],
  title,
  updatedAt: 5,
});

/** A window whose list of sessions is open, and whose agent lists as it is told to. */
function finding(listSessions: SessionActions['listSessions']) {
  const sessions = storeIn(temporaryFolder());
  const recorder = valueOf(sessions.record(origin));
  live(recorder, conversation([['Why?', 'Because.']]));
  recorder.close();
  const capabilities = {sessionCapabilities: {list: {}}};
  const agent = {
    name: 'some',
    title: 'Some',
    version: undefined,
    capabilities,
    authMethods: [],
    authStatus: undefined,
    steers: false,
  };
  const base = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
  const session = {...base, agent, connection: {kind: 'ready' as const}};
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'some', session, approval: 'none'}, theme: 'dark'}),
  );
  const picker = sessionPicker({scope: 'folder', isGrowing: true, rows: [], at: 0});
  const finder = createSessionFinder({
    store,
    sessions,
    actions: () => ({listSessions}) as Pick<SessionActions, 'listSessions'> as SessionActions,
  });
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});

  function shown() {
    const {overlay} = store.current();
    return overlay.kind === 'picker' ? overlay.picker : undefined;
  }
  /** Resolves when the list is so. */
  function until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (holds()) return resolve();
      const stop = store.onEvent(() => {
        if (!holds()) return;
        stop();
        resolve();
      });
    });
  }
  return {finder, sessions, shown, until, labels: () => shown()?.items.map(({label}) => label) ?? []};
}

describe('the sessions to go on with', () => {
  test('are ours at once, though the agent never answers', async () => {
    const {finder, until, labels, shown} = finding(() => new Promise(() => {}));
    finder.find('folder');
    await until(() => labels().length === 1);
    expect(labels()).toEqual(['Why?']);
    expect(shown()?.title).toContain('the agent is asked');
  });

  test('grow page by page; one that both have is one', async () => {
    const {finder, sessions, until, labels, shown} = finding(async (cwd, onPage) => {
      expect(cwd).toBe('/project');
      onPage([listed('agent-session', 'Blue sky'), listed('elsewhere')]);
      onPage([listed('more', 'More')]);
      return {ok: true, value: undefined};
    });
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 0);
    expect(labels().toSorted()).toEqual(['Blue sky', 'More', 'Untitled']);
    const [own] = valueOf(sessions.list());
    expect(finder.found(own?.id ?? '')).toMatchObject({
      stored: {firstPrompt: 'Why?'},
      listed: {title: 'Blue sky'},
    });
  });

  test('show the end of the one that is selected', async () => {
    const {finder, until, shown} = finding(async () => ({ok: true, value: undefined}));
    finder.find('folder');
    await until(() => (shown()?.preview?.text ?? '') !== '');
    expect(shown()?.preview?.text).toBe('> Why?\n\nBecause.');
  });

  test('leave out what was deleted here, though the agent still lists it', async () => {
    const {finder, sessions, until, labels, shown} = finding(async (_cwd, onPage) => {
      onPage([listed('agent-session', 'Blue sky'), listed('more', 'More')]);
      return {ok: true, value: undefined};
    });
    for (const {id} of valueOf(sessions.list())) sessions.delete(id);
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 0);
    expect(labels()).toEqual(['More']);
  });

  test('stay ours where the agent fails', async () => {
    const failure = {kind: 'internal', problem: 'x'} as const;
    const {finder, until, labels, shown} = finding(async () => ({ok: false, failure}));
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 0);
    expect(labels()).toEqual(['Why?']);
  });
});

describe('one list of what we stored and what the agent lists', () => {
  const stored = (id: string, more: Partial<StoredSession>): StoredSession => ({
    id,
    agent: {label: 'a', command: 'a', args: []},
    agentSessionId: 's',
    cwd: '/',
    additionalDirectories: [],
    branch: undefined,
    title: undefined,
    titledBy: undefined,
    firstPrompt: undefined,
    createdAt: 0,
    updatedAt: 0,
    turns: 1,
    bytes: 0,
    archived: false,
    deletedAt: undefined,
    status: 'closed',
    openBy: undefined,
    ...more,
  });

  test('a title of the user counts more than the agent’s', () => {
    const rows = joinSessions([stored('new', {title: 'Mine', titledBy: 'user'})], [listed('s', 'Its')], 'a');
    expect([...rows.values()].map(({row}) => row.title)).toEqual(['Mine']);
  });

  test('an agent that gives the same id in each run hides none of them', () => {
    const rows = joinSessions(
      [stored('new', {}), stored('old', {firstPrompt: 'Why?'})],
      [listed('s', 'Its')],
      'a',
    );
    expect(
      [...rows.values()].map(({row, listed}) => [row.id, row.title ?? row.firstPrompt, listed?.sessionId]),
    ).toEqual([
      ['new', 'Its', 's'],
      ['old', 'Why?', undefined],
    ]);
  });
});
