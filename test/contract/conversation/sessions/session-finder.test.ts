import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {initialApp} from '../../../../src/app/initial.ts';
import {selectedItem, visibleItems} from '../../../../src/app/pickers/picker.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {defaultKeymap} from '../../../../src/app/keymap/keymap.ts';
import {sessionActions} from '../../../../src/app/pickers/session-actions.ts';
import {sessionPicker} from '../../../../src/app/pickers/session-picker.ts';
import {askAgents, type AgentToAsk, type AgentQueries} from '../../../../src/window/sessions/other-agents.ts';
import {createSessionFinder, searchInThread} from '../../../../src/window/sessions/session-finder.ts';
import type {ListedSession, SessionActions} from '../../../../src/session/actions.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {agentDefaults} from '../conversation-defaults.ts';
import {conversation, playConversation, origin, storeIn, valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';

const listed = (sessionId: string, title?: string): ListedSession => ({
  sessionId,
  cwd: '/project',
  additionalDirectories: [],
  title,
  updatedAt: 5,
});

/** A list with these pages. */
function pagesOf(...pages: readonly (readonly ListedSession[])[]): SessionActions['listSessions'] {
  return async (_filter, cursor = '0') => {
    const at = Number(cursor);
    const next = at + 1 < pages.length ? String(at + 1) : undefined;
    return {ok: true, value: {sessions: pages[at] ?? [], next}};
  };
}

/** A window whose list of sessions is open, and whose agent lists on request of the test. */
function finding(listSessions: SessionActions['listSessions'], others: readonly AgentToAsk[] = []) {
  const sessions = storeIn(temporaryFolder());
  let asking!: AgentQueries;
  const recorder = valueOf(sessions.record(origin));
  playConversation(recorder, conversation([['Why?', 'Because.']]));
  recorder.close();
  const capabilities = {sessionCapabilities: {list: {}, archive: {}}};
  const agent = {
    name: 'some',
    title: 'Some',
    version: undefined,
    capabilities,
    authMethods: [],
    authStatus: undefined,
    steers: false,
    protocolVersion: 1,
  };
  const base = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
  const session = {...base, agent, connection: {kind: 'ready' as const}};
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'some', session, approval: 'none'}, theme: 'dark'}),
  );
  const picker = sessionPicker({scope: 'folder', isGrowing: true, rows: [], at: 0});
  const searching = vi.fn<typeof searchInThread>(searchInThread);
  const finder = createSessionFinder({
    store,
    sessions,
    searchAside: searching,
    worktrees: async () => (cwd) => (cwd === '/project' ? '/source' : undefined),
    current: () => ({listSessions}),
    askOthers: (onChange) => {
      const base = {environment: process.env, cwd: temporaryFolder(), startSeconds: 20, version: '0.0.0'};
      asking = askAgents(others, {base, log: () => {}, onChange, optionsForAgent: () => agentDefaults});
      onTestFinished(() => asking.stop());
      return asking;
    },
  });
  store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});

  function shown() {
    const {overlay} = store.latest();
    return overlay.kind === 'picker' ? overlay.picker : undefined;
  }
  /** Resolves once the list satisfies the condition. */
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
  return {
    store,
    asked: () => asking,
    finder,
    searching,
    sessions,
    shown,
    until,
    labels: () => shown()?.items.map(({label}) => label) ?? [],
  };
}

describe('the sessions to resume', () => {
  test("are acp-tui's at once, even if the agent never answers", async () => {
    const {finder, until, labels, shown} = finding(() => new Promise(() => {}));
    finder.find('folder');
    await until(() => labels().length === 1);
    expect(labels()).toEqual(['Why?']);
    expect(shown()?.title).toContain('(loading…)');
  });

  test('name the folder that the worktree of one was made from', async () => {
    const {finder, store, until, labels, shown} = finding(() => new Promise(() => {}));
    const picker = sessionPicker({scope: 'everywhere', isGrowing: true, rows: [], at: 0});
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
    finder.find('everywhere');
    await until(() => labels().length === 1);
    const [item] = shown()?.items ?? [];
    expect([item?.columns?.at(-2), item?.description]).toEqual([
      '/source',
      expect.stringContaining('worktree of /source · /project'),
    ]);
  });

  test('of a folder are read without all those of other folders', () => {
    const {finder, sessions} = finding(() => new Promise(() => {}));
    const reads = vi.spyOn(sessions, 'list');
    finder.find('folder');
    const read = reads.mock.calls.map(([filter]) => filter);
    expect(read).toEqual([{cwd: '/project'}, {include: 'deleted'}, {include: 'archived_only'}]);
  });

  test('grow page by page, without duplicates', async () => {
    const pages = pagesOf(
      [listed('agent-session', 'Blue sky'), listed('elsewhere')],
      [listed('more', 'More')],
    );
    const {finder, sessions, until, labels, shown} = finding(async (filter, cursor) => {
      expect(filter).toEqual({cwd: '/project'});
      return pages(filter, cursor);
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

  test('are found as they are stored now, also without a list', async () => {
    const {finder, sessions, until, labels} = finding(pagesOf([listed('agent-session', 'Blue sky')]));
    const id = valueOf(sessions.list())[0]?.id ?? '';
    finder.find('folder');
    await until(() => labels().includes('Blue sky'));
    const elsewhere = valueOf(sessions.record({...origin, continues: id}));
    onTestFinished(() => elsewhere.close());
    playConversation(elsewhere, conversation([['And now?', 'Still.']]));
    expect(finder.found(id)).toMatchObject({stored: {status: 'open'}, listed: {title: 'Blue sky'}});
    const other = valueOf(sessions.record(origin));
    playConversation(other, conversation([['Who?', 'Me.']], 'other'));
    other.close();
    expect(finder.found(other.id() ?? '')).toMatchObject({
      row: {firstPrompt: 'Who?'},
      stored: {status: 'closed'},
    });
  });

  test("leave out those of other folders, also if the window's own agent sends them unasked", async () => {
    const keys = {...listed('keys', 'Keys'), cwd: '/home/u/.ssh'};
    const {finder, until, labels, shown} = finding(pagesOf([keys, listed('more', 'More')]));
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 1);
    expect(labels().toSorted()).toEqual(['More', 'Why?']);
  });

  test('show the end of the selected session', async () => {
    const {finder, until, shown} = finding(pagesOf());
    finder.find('folder');
    await until(() => (shown()?.preview?.text ?? '') !== '');
    expect(shown()?.preview?.text).toBe('> Why?\n\nBecause.');
  });

  test('are found by what was said in them, too, by the newest filter', async () => {
    const {finder, searching, store, until, shown} = finding(pagesOf([listed('more', 'More causes')]));
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && shown()?.items.length === 2);
    const visible = () => visibleItems(shown()!).map(({label, description}) => [label, description]);
    for (const filter of ['b', 'be', 'bec', 'because'])
      store.dispatch({type: 'picker_changed', change: {filter}});
    expect(visible()).toEqual([]);
    await until(() => visible().length > 0);
    expect(visible()).toEqual([['Why?', 'Because.']]);
    expect(searching.mock.calls.map(([, query]) => query)).toEqual(['be', 'because']);
    store.dispatch({type: 'picker_changed', change: {filter: 'causes'}});
    expect(visible()[0]?.[0]).toBe('More causes');
  });

  test('omit locally deleted ones that the agent still lists', async () => {
    const {finder, sessions, until, labels, shown} = finding(
      pagesOf([listed('agent-session', 'Blue sky'), listed('more', 'More')]),
    );
    for (const {id} of valueOf(sessions.list())) sessions.delete(id);
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 0);
    expect(labels()).toEqual(['More']);
  });

  test('are only the archived ones in the archive', async () => {
    const {finder, sessions, store, until, labels, shown} = finding(async (filter, cursor) => {
      expect(filter).toEqual({archived: true});
      return pagesOf([listed('put-away', 'Put away')])(filter, cursor);
    });
    const [own] = valueOf(sessions.list());
    const picker = sessionPicker({scope: 'archived', isGrowing: true, rows: [], at: 0});
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}});
    finder.find('archived');
    await until(() => labels().includes('Put away'));
    expect(labels()).toEqual(['Put away']);
    sessions.archive(own?.id ?? '');
    finder.find('archived');
    await until(() => labels().length === 2 && shown()?.title === 'Archived sessions');
    expect(labels().toSorted()).toEqual(['Put away', 'Why?']);
  });

  test("remain acp-tui's when the agent fails", async () => {
    const failure = {kind: 'internal', problem: 'x'} as const;
    const {finder, until, labels, shown} = finding(async () => ({ok: false, failure}));
    finder.find('folder');
    await until(() => shown()?.title === 'Sessions of this folder' && labels().length > 0);
    expect(labels()).toEqual(['Why?']);
  });
});

const agentOf = (label: string, ...args: readonly string[]): AgentToAsk => ({
  label,
  agent: {ok: true, value: {label, command: process.execPath, args: [FAKE_AGENT, ...args], env: {}}},
});

const everywhere = sessionPicker({scope: 'everywhere', isGrowing: true, rows: [], at: 0});

describe('the sessions of all agents', () => {
  test('are added as they arrive, keep the selection, and are independent of each other', async () => {
    const {finder, until, labels, shown, store} = finding(pagesOf(), [
      agentOf('one', 'lists', 'One', '3'),
      agentOf('broken', 'lists', 'Broken', '4', 'crash'),
      agentOf('plain', 'echo'),
      {
        label: 'typo',
        agent: {ok: false, failure: {kind: 'bad_agent', agent: 'typo', problem: 'it is empty'}},
      },
      agentOf('two', 'lists', 'Two', '1'),
      agentOf('missing-program', 'no-such-scenario'),
    ]);
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker: everywhere}});
    finder.find('everywhere');
    await until(() => labels().length === 1);
    finder.askAll();
    const note = () => shown()?.note ?? '';
    await until(
      () => note().includes('One: 3') && note().includes('Two: 1') && !/waiting|loading/.test(note()),
    );
    expect(labels().toSorted()).toEqual(['Broken 0', 'Broken 1', 'One 0', 'One 1', 'One 2', 'Two 0', 'Why?']);
    expect(note().split('\n')[0]).toBe('One: 3 · Fake agent: no list · Two: 1');
    expect(note()).toContain('\nBroken: ');
    expect(note()).toContain('\ntypo: Invalid agent "typo".\n');
    expect(note()).toContain(
      '\nmissing-program: The agent "missing-program" exited before the session started (exit code 2).',
    );
    const picker = store.latest().overlay;
    expect(picker.kind === 'picker' && selectedItem(picker.picker)?.label).toBe('Why?');
    expect(finder.found('One-1')).toMatchObject({
      listed: {cwd: '/other', additionalDirectories: ['/more']},
      lister: {label: 'one'},
    });
  });

  test('are limited to the folder when the list is', async () => {
    const {finder, until, labels, shown} = finding(pagesOf(), [agentOf('one', 'lists', 'One', '4')]);
    finder.find('folder');
    await until(() => labels().length === 1);
    finder.askAll();
    await until(() => shown()?.note === 'One: 4');
    expect(labels().toSorted()).toEqual(['One 0', 'One 2', 'Why?']);
  });

  test('are no longer requested once the list is closed', async () => {
    const {finder, until, shown, store, asked} = finding(pagesOf(), [
      agentOf('one', 'lists', 'One', '4', 'never'),
    ]);
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker: everywhere}});
    finder.find('everywhere');
    finder.askAll();
    await until(() => (shown()?.items.length ?? 0) === 3);
    const menu = sessionActions(everywhere, defaultKeymap);
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker: menu}});
    expect(asked().isOver()).toBe(false);
    store.dispatch({type: 'overlay_closed', at: 1});
    expect(asked().isOver()).toBe(false);
    store.dispatch({type: 'overlay_closed', at: 1});
    expect(asked().isOver()).toBe(true);
  });
});
