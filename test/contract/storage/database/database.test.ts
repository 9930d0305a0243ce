import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {basename, dirname} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {databaseFile, openDatabase} from '../../../../src/storage/database/database.ts';
import {openHistory} from '../../../../src/storage/drafts/prompt-history.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {
  conversation,
  databaseIn,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  valueOf,
} from '../stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {quarantine} from '../../../../src/storage/database/recover.ts';

const onProblem = (problem: unknown) => expect.unreachable(JSON.stringify(problem));

/** A database that reports damage, and its content. */
function opened(folder: string) {
  const reported: string[] = [];
  const database = openDatabase(folder, {onDamaged: (sentence) => reported.push(sentence)});
  const history = openHistory(database, {limit: 10_000, cwd: '/project', now: () => 1, onProblem});
  const store = openSessionStore({state: folder, database, onProblem});
  return {reported, database, history, store};
}

/** A folder with a session and 500 prompts. */
function filled(): string {
  const folder = temporaryFolder();
  const {history, store, database} = opened(folder);
  for (let index = 0; index < 500; index++) history.add(`prompt ${index} ${'x'.repeat(100)}`);
  const id = storeConversation(store, conversation([['hello', 'hi']]));
  valueOf(store.rename(id, 'Mine'));
  valueOf(store.archive(id));
  database.close();
  return folder;
}

test('an invalid database is set aside, and the sessions are indexed again from their files', async () => {
  const folder = filled();
  writeFileSync(databaseFile(folder), 'no database'.repeat(1000));
  const {reported, history, store, database} = opened(folder);
  expect(valueOf(store.list({include: 'archived'}))).toEqual([]);
  expect(reported).toEqual([expect.stringMatching(/was damaged\. .* kept as .*acp-tui\.sqlite\.damaged-/)]);
  expect(valueOf(await store.reindex())).toBe(1);
  const [session] = valueOf(store.list({include: 'archived'}));
  expect(session).toMatchObject({
    title: 'Mine',
    titledBy: 'user',
    archived: true,
    turns: 1,
    status: 'closed',
  });
  expect(valueOf(store.search('hello'))).toHaveLength(1);
  history.add('new');
  expect(history.read().project).toEqual(['new']);
  const kept = readdirSync(folder).find((name) => name.includes('.damaged-')) ?? '';
  expect(readFileSync(`${folder}/${kept}`, 'utf8')).toMatch(/^no database/);
  database.close();
});

test('the write-ahead log of a damaged database is moved away with it: it would damage a new one', () => {
  const file = databaseFile(temporaryFolder());
  for (const ending of ['', '-wal', '-shm']) writeFileSync(file + ending, ending);
  const kept = quarantine(file, undefined) ?? '';
  expect(readdirSync(dirname(file)).toSorted()).toEqual(
    ['', '-shm', '-wal'].map((ending) => basename(kept) + ending),
  );
});

test('readable rows of a damaged database are copied to the new one', () => {
  const folder = filled();
  const file = databaseFile(folder);
  const handle = openSync(file, 'r+');
  // The pages of the sessions, after the schema: those of the history come later.
  writeSync(handle, Buffer.alloc(4096, 0xff), 0, 4096, 4096);
  closeSync(handle);
  const {reported, history, store, database} = opened(folder);
  expect(valueOf(store.list())).toEqual([]);
  expect(reported).toHaveLength(1);
  expect(history.read().project).toHaveLength(500);
  database.close();
});

test('damage found during use is reported once, and the action still succeeds', () => {
  const folder = filled();
  const {reported, history, database} = opened(folder);
  expect(history.read().project).toHaveLength(500);
  database.close();
  const size = statSync(databaseFile(folder)).size;
  const handle = openSync(databaseFile(folder), 'r+');
  for (let at = 8192; at < size; at += 4096) writeSync(handle, Buffer.alloc(2000, 0xa5), 0, 2000, at);
  closeSync(handle);
  history.add('still works');
  history.read();
  history.add('and on');
  expect(history.read().project).toContain('and on');
  expect(reported.length).toBeLessThanOrEqual(1);
  database.close();
});

test('a database of a newer version is kept unchanged and reported', async () => {
  const folder = filled();
  const newer = new DatabaseSync(databaseFile(folder));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  const before = readFileSync(databaseFile(folder));
  const {reported, store} = opened(folder);
  expect(store.list()).toMatchObject({
    ok: false,
    failure: {kind: 'file', problem: expect.stringContaining('newer version of acp-tui')},
  });
  expect(reported).toEqual([]);
  // Sessions are still written to their files, which that version will find.
  const recording = openSessionStore({
    state: folder,
    database: openDatabase(folder, {onDamaged: (sentence) => expect.unreachable(sentence)}),
    onProblem: () => {},
  });
  const recorder = valueOf(recording.record(origin));
  const lived = playConversation(recorder, conversation([['hello', 'hi']]));
  recorder.close();
  expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(lived);
  expect(readFileSync(databaseFile(folder)).equals(before)).toBe(true);
});

test('a database deleted during use is created again', () => {
  const folder = filled();
  const {history, database} = opened(folder);
  history.add('before');
  for (const ending of ['', '-wal', '-shm']) rmSync(databaseFile(folder) + ending, {force: true});
  history.add('after');
  expect(history.read().project).toEqual(['after']);
  expect(databaseIn(folder).use((sql) => sql.get('SELECT count(*) AS count FROM history'))).toEqual({
    ok: true,
    value: {count: 1},
  });
  database.close();
});

test('processes that write at once lose nothing and do not disturb each other', async () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('./write-much.ts', import.meta.url));
  const writers = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, [script, folder, name], {stdio: ['ignore', 'ignore', 'pipe']}),
  );
  const ends = await Promise.all(
    writers.map(async (writer) => {
      let stderr = '';
      writer.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const [code] = (await once(writer, 'close')) as [number];
      return {code, stderr};
    }),
  );
  // Nothing on standard error either: it would appear on the screen.
  expect(ends).toEqual(ends.map(() => ({code: 0, stderr: ''})));
  const store = storeIn(folder);
  const sessions = valueOf(store.list());
  expect(sessions.map(({turns, status}) => ({turns, status}))).toEqual(
    sessions.map(() => ({turns: 30, status: 'closed'})),
  );
  expect(sessions).toHaveLength(3);
  expect(valueOf(store.search('needle', {limit: 1000}))).toHaveLength(90);
  const history = openHistory(databaseIn(folder), {limit: 10_000, cwd: '/project', now: () => 1, onProblem});
  expect(history.read().project).toHaveLength(90);
  expect(valueOf(await store.reindex())).toBe(0);
});
