import {expect, test} from 'vitest';
import {emptyDraft} from '../../../../src/app/editor/draft.ts';
import {insertText} from '../../../../src/app/editor/insert.ts';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {sessionEffects} from '../../../../src/window/effects/session-effects.ts';
import type {EffectContext} from '../../../../src/window/effects/effect-context.ts';
import type {Result} from '../../../../src/shared/failure.ts';
import {joinSessions} from '../../../../src/window/sessions/session-rows.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {conversation, playConversation, origin, storeIn, valueOf} from '../../storage/stores.ts';
import {chooseFromList} from '../../../support/window/chosen.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const KEY = 'one';
const DONE: Result<void> = {ok: true, value: undefined};

/** A window with a stored session whose agent has these capabilities for it. */
function opened(abilities: Readonly<Record<string, object>>) {
  const sessions = storeIn(temporaryFolder());
  const recorder = valueOf(sessions.record(origin));
  const said = playConversation(recorder, conversation([['Why?', 'Because.']]));
  recorder.close();
  const id = recorder.id() ?? '';
  const agent = {
    name: 'some',
    title: 'Some',
    version: undefined,
    capabilities: {sessionCapabilities: abilities},
    authMethods: [],
    steers: false,
    protocolVersion: 1,
    authStatus: undefined,
  };
  const session = {...said, agent};
  const store = createStore(
    reduceApp,
    initialApp({
      session: {key: KEY, agentLabel: origin.agent.label, session, approval: 'none'},
      theme: 'dark',
    }),
  );
  const happened: string[] = [];
  const listed = {sessionId: 'agent-session', cwd: origin.cwd};
  const unknown = {additionalDirectories: [], title: undefined, updatedAt: undefined};
  const listing = {name: 'Some', agent: undefined, sessions: [{...listed, ...unknown}]};
  const effectContext = {
    store,
    get began() {
      return store.latest();
    },
    sessions: {
      finder: {found: () => joinSessions(valueOf(sessions.list({include: 'archived'})), [listing]).get(id)},
      close: async (key: string) => void happened.push(`close ${key}`),
      clientOf: () => ({
        close: async () => void happened.push('end in the background'),
        renameSession: async (title: string) => (happened.push(`rename to ${title}`), DONE),
        changeSession: async (change: string, session: string) => {
          happened.push(`${change} ${session} at the agent`);
          return DONE;
        },
      }),
    },
    storage: {sessions, recording: {id: () => id}},
  } as unknown as EffectContext;
  const ask = (how: 'close' | 'delete' | 'archive', sure = false) =>
    sessionEffects.remove_open({kind: 'remove_open', session: KEY, how, sure}, effectContext);
  const hint = () => store.latest().toast?.text;
  return {id, sessions, store, effectContext, happened, ask, hint};
}

test('a session of which nothing is lost is closed at once', async () => {
  const {sessions, happened, ask} = opened({delete: {}});
  await ask('close');
  expect(happened).toEqual(['close one']);
  expect(valueOf(sessions.list())).toHaveLength(1);
});

test('deleting the open session closes it first, and it can be restored', async () => {
  const {id, sessions, happened, ask, hint} = opened({});
  await ask('delete');
  expect(happened).toEqual(['close one']);
  expect(hint()).toBe('Deleted; /resume restores it (→).');
  expect(valueOf(sessions.list())).toEqual([]);
  expect(valueOf(sessions.list({include: 'deleted'})).map((found) => found.id)).toEqual([id]);
});

test('a session in the background has ended before it is deleted', async () => {
  const {sessions, store, effectContext, happened, ask} = opened({});
  const {[KEY]: tab} = store.latest().sessions;
  const latest = () => ({...store.latest(), sessions: {[KEY]: {...tab!, isAttached: true}}});
  Object.assign(effectContext, {store: {...store, latest}});
  await ask('delete');
  expect(happened).toEqual(['end in the background', 'close one']);
  expect(valueOf(sessions.list())).toEqual([]);
});

test('asks before the agent deletes for good, and Enter alone keeps the session', async () => {
  const {sessions, store, happened, ask, effectContext} = opened({delete: {}});
  await ask('delete');
  expect(happened).toEqual([]);
  const {overlay} = store.latest();
  if (overlay.kind !== 'picker') throw new Error('nothing is asked');
  const {items, selected} = overlay.picker;
  expect(items[selected]?.id).toBe('keep');
  const [effect] = chooseFromList(store.latest(), 'delete').effects;
  if (effect?.kind !== 'remove_open') throw new Error('nothing is deleted');
  await sessionEffects.remove_open(effect, effectContext);
  expect(happened).toEqual(['delete agent-session at the agent', 'close one']);
  expect(valueOf(sessions.list())).toEqual([]);
});

test('a session is renamed where it runs, and in its file if it runs nowhere', async () => {
  const {id, sessions, store, happened, effectContext, hint} = opened({});
  const rename = (title: string) =>
    sessionEffects.rename_session({kind: 'rename_session', row: id, title}, effectContext);
  await rename('Here');
  expect(happened).toEqual(['rename to Here']);
  const event = {type: 'connection_changed', connection: {kind: 'closed'}, at: 0} as const;
  store.dispatch({type: 'session', key: KEY, event, at: 0});
  await rename('Stored');
  expect(valueOf(sessions.find(id)).title).toBe('Stored');
  const elsewhere = valueOf(sessions.record({...origin, continues: id}));
  expect(await rename('Refused')).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  elsewhere.close();
  expect([valueOf(sessions.find(id)).title, hint()]).toEqual(['Stored', undefined]);
});

test('an archived session leaves the list, and is restored, at its agent too', async () => {
  const {id, sessions, happened, ask, effectContext, hint} = opened({archive: {}});
  await ask('archive');
  expect(valueOf(sessions.list())).toEqual([]);
  await sessionEffects.unarchive_session({kind: 'unarchive_session', row: id}, effectContext);
  expect(valueOf(sessions.list())).toHaveLength(1);
  expect(hint()).toBe('Restored "Why?"; /resume lists it.');
  expect(happened).toEqual([
    'archive agent-session at the agent',
    'close one',
    'unarchive agent-session at the agent',
  ]);
});

test.each(['close', 'delete', 'archive'] as const)(
  'asks before it loses what runs, is queued and is typed: %s',
  async (how) => {
    const {id, sessions, store, happened, ask, effectContext} = opened({});
    const change = {kind: 'submit', prompt: {text: 'and then', content: []}, place: 'last'} as const;
    store.dispatch({type: 'session', key: KEY, event: {type: 'queue_changed', change, at: 0}, at: 0});
    store.dispatch({type: 'draft_changed', key: KEY, draft: insertText(emptyDraft, 'a long draft'), at: 0});
    const event = {
      type: 'terminal_created',
      terminalId: 't',
      command: 'npm run dev',
      cwd: '/',
      pty: true,
      at: 0,
    } as const;
    store.dispatch({type: 'session', key: KEY, event, at: 0});
    const asked = {
      close: () => ask('close'),
      delete: () =>
        sessionEffects.delete_session({kind: 'delete_session', row: id, sure: false}, effectContext),
      archive: () => sessionEffects.archive_session({kind: 'archive_session', row: id}, effectContext),
    };
    await asked[how]();
    expect(happened).toEqual([]);
    expect(valueOf(sessions.list())).toHaveLength(1);
    expect(store.latest().overlay).toMatchObject({
      picker: {
        note: 'Lost with it: 1 running task, 1 queued prompt, what is typed in it.',
        items: [{id: 'keep'}, {id: how}],
      },
    });
  },
);
