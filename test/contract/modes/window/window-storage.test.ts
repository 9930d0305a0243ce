import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, onTestFinished, test} from 'vitest';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {databaseFile} from '../../../../src/storage/database/database.ts';
import type {ResumeOrigin} from '../../../../src/storage/sessions/stored-session.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {restoredSession} from '../../../../src/session/lifecycle/opening.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {createWindowStorage} from '../../../../src/modes/window/window-storage.ts';
import {storedElsewhereNotice} from '../../../../src/window/sessions/storage-notices.ts';
import {
  conversation,
  databaseIn,
  playConversation,
  origin,
  storeIn,
  turn,
  valueOf,
} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const KEY = 'one';

/** A window with that state folder, and its notices. */
function openWindow(state: string, session?: SessionState, before: ResumeOrigin = {}) {
  const {cwd, additionalDirectories, agent} = origin;
  const shown = session ?? initialSession({cwd, additionalDirectories, at: 1});
  const start = {key: KEY, agentLabel: agent.label, session: shown, approval: 'none'} as const;
  const store = createStore(reduceApp, initialApp({session: start, theme: 'dark'}));
  const reported: string[] = [];
  const client = {cwd, additionalDirectories, agent: {...agent, env: {}}} as never;
  const report = (text: string) => void reported.push(text);
  const storage = createWindowStorage(store, {
    cwd,
    state,
    save: true,
    limits: {},
    warn: report,
  });
  const elsewhere = storedElsewhereNotice(storage.recording.begin(KEY, client, before));
  if (elsewhere !== undefined) report(elsewhere);
  onTestFinished(() => storage.close());
  return {
    storage,
    reported,
    say: (events: readonly SessionEvent[]) => {
      for (const event of events) store.dispatch({type: 'session', key: KEY, event, at: event.at});
      storage.recording.flush();
    },
  };
}

test('the second window of a session shows a notice, and its transcript is stored as a copy', async () => {
  const state = temporaryFolder();
  const store = storeIn(state);
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, conversation([['hello', 'hi']]));
  recorder.close();
  const id = recorder.id() ?? '';
  const pid = process.ppid;
  const started = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19] ?? '';
  const take = 'UPDATE sessions SET open_pid = ?, open_started = ?';
  valueOf(databaseIn(state).use((sql) => sql.run(take, pid, started)));

  const session = restoredSession(valueOf(await store.state(id)), 77);
  const {storage, reported, say} = openWindow(state, session, {continues: id});
  expect(reported).toEqual([expect.stringMatching(/open twice: .*process \d+.*stored as a copy/)]);
  say(turn(2, 'and now?', 'still here'));
  const copy = storage.recording.id(KEY) ?? '';
  expect(copy).not.toBe(id);
  const said = ({entries}: SessionState) => JSON.stringify(entries);
  expect(said(valueOf(await store.state(copy)))).toMatch(/hello.*and now\?/);
  expect(said(valueOf(await store.state(id)))).not.toContain('and now?');
});

test('with a database of a newer version the chat continues, is stored in its file, and lists what is not', async () => {
  const state = temporaryFolder();
  mkdirSync(state, {recursive: true});
  const newer = new DatabaseSync(databaseFile(state));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  const {storage, reported, say} = openWindow(state);
  storage.load(() => {});
  say(conversation([['hello', 'hi']]));
  storage.close();
  await Promise.resolve();
  expect(reported).toEqual([expect.stringMatching(/^Drafts and the prompt history .* newer version/)]);
  const [file = ''] = readdirSync(join(state, 'sessions'));
  expect(readFileSync(join(state, 'sessions', file), 'utf8')).toContain('hello');
});

test('reports both losses once where nothing can be written', async () => {
  const state = join(temporaryFolder(), 'file');
  writeFileSync(state, '');
  const {storage, reported, say} = openWindow(state);
  storage.load(() => {});
  say(conversation([['hello', 'hi']]));
  say(turn(2, 'more', 'yes'));
  storage.close();
  await Promise.resolve();
  expect(reported.map((text) => text.split('. ')[0])).toEqual([
    'Drafts and the prompt history are not stored, and stored sessions are not listed',
    'This session is not stored: it is lost when acp-tui quits',
  ]);
});
