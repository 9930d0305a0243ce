import {readdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {databaseFile} from '../../../../src/storage/database/database.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {
  conversation,
  databaseIn,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  turn,
  valueOf,
} from '../stores.ts';

test('a recorded session is listed, found and read back', async () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const recorder = valueOf(store.record(origin));
  recorder.branchChanged('main');
  const lived = playConversation(
    recorder,
    conversation([['Why is the sky blue?\nReally?', 'Because of scattering.']]),
  );
  const id = recorder.id() ?? '';
  expect(valueOf(store.list())).toEqual([
    expect.objectContaining({
      id,
      agent: {label: 'some-agent', command: 'some-agent', args: ['--acp'], name: 'Some Agent'},
      agentSessionId: 'agent-session',
      cwd: '/project',
      branch: 'main',
      title: undefined,
      firstPrompt: 'Why is the sky blue? Really?',
      turns: 1,
      status: 'open',
    }),
  ]);
  recorder.close();
  const [stored] = valueOf(store.list());
  expect(stored).toMatchObject({status: 'closed', openBy: undefined});
  expect(stored?.bytes).toBe(statSync(join(folder, 'sessions', `${id}.ndjson`)).size);
  for (const text of [id, id.slice(0, 4), 'agent-session', 'agent-s']) {
    expect(valueOf(store.find(text)).id).toBe(id);
  }
  expect(store.find('nothing')).toMatchObject({ok: false, failure: {kind: 'unknown_value', valid: []}});
  expect(valueOf(await store.state(id)).entries).toEqual(lived.entries);
});

test.each(['\u2028', '\u2029', '\u0085', '\r', '\v\f\u001c'])(
  'a prompt and an answer with %j are read back, and found',
  async (end) => {
    const folder = temporaryFolder();
    const store = storeIn(folder);
    const recorder = valueOf(store.record(origin));
    const lived = playConversation(recorder, conversation([[`asked${end}question`, `said${end}answer`]]));
    recorder.close();
    const id = recorder.id() ?? '';
    expect(valueOf(await store.state(id)).entries).toEqual(lived.entries);
    expect(valueOf(store.search('answer'))).toHaveLength(1);
    for (const ending of ['', '-wal', '-shm']) rmSync(databaseFile(folder) + ending, {force: true});
    const later = storeIn(folder);
    expect(await later.reindex()).toMatchObject({ok: true});
    expect(valueOf(later.search('question'))).toHaveLength(1);
  },
);

test('an empty window leaves nothing behind', () => {
  const folder = temporaryFolder();
  storeConversation(storeIn(folder), conversation([]));
  expect(readdirSync(folder)).toEqual([]);
});

test('a new session of the agent is a separate session', async () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  const before = playConversation(recorder, conversation([['first', 'one']], 'a'));
  playConversation(recorder, [...conversation([], 'b').slice(2), ...turn(2, 'second', 'two')], before);
  recorder.close();
  const [second, first] = valueOf(store.list());
  expect(first).toMatchObject({agentSessionId: 'a', firstPrompt: 'first', turns: 1, status: 'closed'});
  expect(second).toMatchObject({agentSessionId: 'b', firstPrompt: 'second', turns: 1});
  const read = valueOf(await store.state(second?.id ?? ''));
  expect(read.agent?.name).toBe('some');
  expect(read.entries.map(({type}) => type)).toEqual(['user_message', 'agent_message', 'turn_end']);
});

test('a session is one of print mode until a window opens it, and says what it is doing', () => {
  const folder = temporaryFolder();
  const recorder = valueOf(storeIn(folder, {hasUser: false}).record(origin));
  const asked = playConversation(recorder, conversation([['first', 'one']]));
  const [run] = valueOf(storeIn(folder).list());
  expect(run).toMatchObject({byPrint: true, doing: undefined, says: 'one', readAt: undefined});
  playConversation(recorder, turn(2, 'second', 'two').slice(0, 1), asked);
  expect(valueOf(storeIn(folder).list())).toMatchObject([{byPrint: true, doing: 'working'}]);
  recorder.close();
  expect(valueOf(storeIn(folder).list({ofWindows: true}))).toEqual([]);
  valueOf(storeIn(folder).record({...origin, continues: run?.id ?? ''})).close();
  expect(valueOf(storeIn(folder).list({ofWindows: true}))).toMatchObject([{byPrint: false}]);
});

test('a request in a long turn costs a row of the database, not all that was said', () => {
  const folder = temporaryFolder();
  const recorder = valueOf(storeIn(folder).record(origin));
  const calls = Array.from({length: 300}, (_, index): SessionEvent => ({
    type: 'session_update',
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: `call-${index}`,
      title: `Read part ${index} of the book`,
    },
    at: 2,
  }));
  const begun = playConversation(recorder, [
    ...conversation([]),
    ...turn(1, 'Read', 'ok').slice(0, 1),
    ...calls,
  ]);
  const written = () => statSync(`${databaseFile(folder)}-wal`).size;
  const before = written();
  const request = {sessionId: 'agent-session', toolCall: {toolCallId: 'call-1'}, options: []};
  playConversation(recorder, [{type: 'permission_requested', id: 'asked', request, at: 3}], begun);
  expect(valueOf(storeIn(folder).list())).toMatchObject([
    {doing: 'waiting', asks: 'Allow Read part 1 of the book?'},
  ]);
  expect(written() - before).toBeLessThan(20_000);
  recorder.close();
});

test('messages and titles are found, with matches highlighted', () => {
  const store = storeIn(temporaryFolder());
  const id = storeConversation(
    store,
    conversation([['Find the zebra, please', 'It hides "behind" the café.']]),
  );
  const [hit] = valueOf(store.search('zeb'));
  expect(hit).toMatchObject({
    session: {id},
    entry: 0,
    role: 'user',
    snippet: [
      {text: 'Find the ', found: false},
      {text: 'zebra', found: true},
      {text: ', please', found: false},
    ],
  });
  const roles = (query: string) => valueOf(store.search(query)).map(({role}) => role);
  expect(roles('CAFE hides')).toEqual(['agent']);
  expect(roles('"the café"')).toEqual(['agent']);
  expect(roles('"café the"')).toEqual([]);
  expect(roles('zeb ')).toEqual([]);
  expect(roles('" OR * NEAR( ')).toEqual([]);
  valueOf(store.rename(id, 'Animals in hiding'));
  expect(roles('animals')).toEqual(['title']);
  expect(valueOf(store.search('t', {limit: 1}))).toHaveLength(1);
});

test("the user's title stays when the agent sets another, also from another window", () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const recorder = valueOf(store.record(origin));
  const state = playConversation(recorder, conversation([['hello', 'hi']]));
  const id = recorder.id() ?? '';
  valueOf(storeIn(folder).rename(id, 'Mine'));
  playConversation(
    recorder,
    [
      {type: 'session_update', update: {sessionUpdate: 'session_info_update', title: 'Theirs'}, at: 5},
      ...turn(2, 'more', 'yes'),
    ],
    state,
  );
  expect(valueOf(store.find(id))).toMatchObject({title: 'Mine', titledBy: 'user', turns: 2});
});

test('archived sessions are listed apart, deleted ones can be restored', async () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, conversation([['hello', 'hi']]));
  const id = recorder.id() ?? '';
  expect(store.delete(id)).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  // It is open in this process.
  recorder.close();
  valueOf(store.archive(id));
  expect(valueOf(store.list())).toEqual([]);
  expect(valueOf(store.list({include: 'archived'}))).toHaveLength(1);
  expect(valueOf(store.list({include: 'archived_only'}))).toHaveLength(1);
  valueOf(store.unarchive(id));
  valueOf(store.delete(id));
  expect(valueOf(store.list())).toEqual([]);
  expect(valueOf(store.search('hello'))).toEqual([]);
  expect(valueOf(store.list({include: 'deleted'}))).toHaveLength(1);
  expect((await store.state(id)).ok).toBe(true);
  valueOf(store.restore(id));
  expect(valueOf(store.list())).toHaveLength(1);
  expect(valueOf(store.search('hello'))).toHaveLength(1);
});

test('a title can be reset, in the window and outside', () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  const state = playConversation(recorder, [
    ...conversation([['hello', 'hi']]),
    {type: 'session_update', update: {sessionUpdate: 'session_info_update', title: 'Theirs'}, at: 5},
    {type: 'renamed', title: 'Mine', agentKnows: false, at: 6},
  ]);
  const title = () => {
    const {title, titledBy} = valueOf(store.find(recorder.id() ?? ''));
    return [title, titledBy];
  };
  expect(title()).toEqual(['Mine', 'user']);
  playConversation(recorder, [{type: 'renamed', title: '', agentKnows: false, at: 7}], state);
  expect(title()).toEqual(['Theirs', 'agent']);
  recorder.close();
  valueOf(store.rename(recorder.id() ?? '', ' Mine\x1b[31m again '));
  expect(title()).toEqual(['Mine again', 'user']);
  valueOf(store.rename(recorder.id() ?? '', ''));
  expect(title()).toEqual([undefined, undefined]);
});

test('the transcript of a session known only to its agent is stored, in its own file', async () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  const before = playConversation(recorder, conversation([['hello', 'hi']], 'a'));
  const story: SessionEvent[] = [
    {type: 'replay_started', at: 1},
    {
      type: 'session_update',
      update: {sessionUpdate: 'user_message_chunk', content: {type: 'text', text: 'long ago'}},
      at: 2,
    },
    {
      type: 'session_opened',
      session: {sessionId: 'b', cwd: '/project', additionalDirectories: []},
      how: 'load',
      at: 3,
    },
  ];
  playConversation(recorder, story, before);
  recorder.close();
  const {entries} = valueOf(await store.state(recorder.id() ?? ''));
  expect([...entries]).toEqual([expect.objectContaining({type: 'user_message'})]);
  expect(valueOf(store.find('b'))).toMatchObject({firstPrompt: 'long ago', turns: 1});
  expect(valueOf(store.find('a'))).toMatchObject({firstPrompt: 'hello', turns: 1});
});

/** A conversation whose last turn has this many tool calls. */
function searching(count: number): SessionEvent[] {
  const [start, ...rest] = turn(1, 'search', 'done');
  const calls = Array.from({length: count}, (_, call): SessionEvent => ({
    type: 'session_update',
    update: {sessionUpdate: 'tool_call', toolCallId: `call-${call}`, title: `search number${call}`},
    at: 1,
  }));
  return [...conversation([]), ...(start ? [start] : []), ...calls, ...rest];
}

test('a long turn is indexed in slices, between which keys are handled', async () => {
  const store = storeIn(temporaryFolder());
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, searching(2_000));
  const isFound = () => valueOf(store.search('number1999')).length === 1;
  expect(isFound()).toBe(false);
  let reads = 0;
  for (; !isFound(); reads++) await new Promise(setImmediate);
  expect(reads).toBeGreaterThan(2);
  recorder.close();
});

test('a session that ends while its last turn is indexed is found whole', () => {
  const store = storeIn(temporaryFolder());
  storeConversation(store, searching(2_000));
  expect(valueOf(store.search('number1999'))).toHaveLength(1);
});

test('a process killed while a long turn is indexed leaves a session that is indexed again', async () => {
  const folder = temporaryFolder();
  const recorder = valueOf(storeIn(folder).record(origin));
  playConversation(recorder, searching(2_000));
  const database = databaseIn(folder);
  // Another process, which has exited.
  valueOf(database.use((sql) => sql.run("UPDATE sessions SET open_started = 'long ago'")));
  const [stored] = valueOf(storeIn(folder).list());
  expect(stored?.bytes).not.toBe(statSync(join(folder, 'sessions', `${recorder.id()}.ndjson`)).size);
  expect(valueOf(await storeIn(folder).reindex())).toBe(1);
  expect(valueOf(storeIn(folder).search('number1999'))).toHaveLength(1);
  recorder.close();
});
