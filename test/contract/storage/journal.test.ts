import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {openDatabase, type Database} from '../../../src/storage/database/database.ts';
import {
  openJournal,
  type Journal,
  emptyJournal,
  type JournalState,
} from '../../../src/storage/drafts/journal.ts';
import {databaseIn, valueOf} from './stores.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const typed: JournalState = {
  draft: 'half a sent',
  queue: ['then this'],
  files: {
    draft: [{path: '/state/c.png', name: 'c.png', kind: 'image', size: 9, isFromClipboard: true}],
    queue: [[{path: '/project/a.ts', name: 'a.ts', kind: 'file', lines: {first: 2, last: 3}}]],
  },
};

function journalOf(database: Database, cwd = '/project'): Journal {
  return openJournal(database, {cwd, onProblem: (problem) => expect.unreachable(JSON.stringify(problem))});
}

const journal = (folder: string, cwd?: string) => journalOf(databaseIn(folder), cwd);

function drafts(database: Database): {readonly pid: number; readonly state: string}[] {
  return valueOf(database.use((sql) => sql.all('SELECT pid, state FROM drafts'))) as never;
}

/** Another process with a journal in the folder. */
function otherProcess(folder: string, {state = typed, cwd = '/project', session = '', afterwards = ''} = {}) {
  const module = (name: string) =>
    JSON.stringify(new URL(`../../../src/storage/${name}`, import.meta.url).href);
  const script = `
    const {openDatabase} = await import(${module('database/database.ts')});
    const {openJournal} = await import(${module('drafts/journal.ts')});
    const database = openDatabase(${JSON.stringify(folder)}, {onDamaged: console.error});
    const session = () => ${JSON.stringify(session)} || undefined;
    openJournal(database, {cwd: ${JSON.stringify(cwd)}, session, onProblem: console.error}).write(${JSON.stringify(state)});
    ${afterwards}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** One that is killed right after it has written. */
async function killedProcess(
  folder: string,
  options: {state?: JournalState; cwd?: string; session?: string} = {},
) {
  const child = otherProcess(folder, {...options, afterwards: "process.kill(process.pid, 'SIGKILL');"});
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

test('typed text survives a kill right after the key, and is offered to the next process', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder);
  const orphans = journal(folder).orphans();
  expect(orphans.map(({state}) => state)).toEqual([typed]);
  expect(orphans[0]?.at).toBeGreaterThan(Date.now() - 60_000);
});

test('an orphan belongs to its working folder', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, {cwd: '/elsewhere'});
  expect(journal(folder).orphans()).toEqual([]);
  expect(journal(folder, '/elsewhere').orphans()).toHaveLength(1);
});

test('only one process can claim an orphan', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder);
  const [one] = journal(folder).orphans();
  const [other] = journal(folder).orphans();
  expect([one?.claim(), other?.claim()]).toEqual([true, false]);
});

test('an orphan is kept until its new owner has stored it again', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder);
  await killedProcess(folder, {state: {draft: 'another', queue: []}});
  const database = databaseIn(folder);
  const next = journalOf(database);
  for (const orphan of next.orphans()) orphan.claim();
  const stored = () => drafts(database).map(({state}) => (JSON.parse(state) as JournalState).draft);
  expect(stored().sort()).toEqual(['another', 'half a sent']);
  next.write({...typed, draft: 'half a sentence'});
  expect(stored()).toEqual(['half a sentence']);
});

test('running processes do not see or disturb each other', async () => {
  const folder = temporaryFolder();
  const running = otherProcess(folder, {afterwards: "console.log('written'); setTimeout(() => {}, 1e9);"});
  try {
    await once(running.stdout, 'data');
    const database = databaseIn(folder);
    expect(journalOf(database).orphans()).toEqual([]);
    // The same PID with another start time is another process.
    valueOf(database.use((sql) => sql.run("UPDATE drafts SET started = '1'")));
    expect(journalOf(database).orphans()).toHaveLength(1);
  } finally {
    running.kill('SIGKILL');
  }
});

test('what is left of a session is for that session only, also while its process goes on', () => {
  const database = databaseIn(temporaryFolder());
  const onProblem = () => expect.unreachable();
  const inBackground = (id: string, slot: number) =>
    openJournal(database, {cwd: '/project', slot, session: () => id, onProblem});
  const [one, other] = [inBackground('one', -1), inBackground('other', -2)];
  one.write(typed);
  other.write({draft: '', queue: ['of the other']});
  one.close();
  const window = journalOf(database);
  expect(window.orphans()).toEqual([]);
  expect(window.ofSession('one')).toEqual(typed);
  expect(window.ofSession('one')).toEqual(typed);
  window.write({draft: 'written again', queue: []});
  expect(window.ofSession('one')).toBeUndefined();
  expect(drafts(database)).toHaveLength(2);
});

test('what is left of a session is found from any folder', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, {cwd: '/elsewhere', session: 'one'});
  expect(journal(folder).ofSession('other')).toBeUndefined();
  expect(journal(folder).ofSession('one')).toEqual(typed);
});

test('what a session has in a running process stays there', async () => {
  const folder = temporaryFolder();
  const afterwards = "console.log('written'); setTimeout(() => {}, 1e9);";
  const running = otherProcess(folder, {session: 'one', afterwards});
  try {
    await once(running.stdout, 'data');
    expect(journal(folder).ofSession('one')).toBeUndefined();
  } finally {
    running.kill('SIGKILL');
  }
  await once(running, 'exit');
  expect(journal(folder).ofSession('one')).toEqual(typed);
});

test('what a window leaves is offered while its process goes on', () => {
  const database = databaseIn(temporaryFolder());
  const closed = journalOf(database);
  closed.write(typed);
  closed.close();
  expect(journalOf(database).orphans()).toMatchObject([{state: typed}]);
});

test('what cannot be parsed is kept, and not offered', () => {
  const database = databaseIn(temporaryFolder());
  const insert =
    "INSERT INTO drafts (pid, started, slot, cwd, at, state) VALUES (999999999, '1', 0, '/project', 1, ?)";
  valueOf(database.use((sql) => sql.run(insert, '{"v":2,"draft":["newer"]}')));
  expect(journalOf(database).orphans()).toEqual([]);
  expect(drafts(database)).toHaveLength(1);
});

test('a clean exit without text leaves nothing behind, and with text keeps it', () => {
  const database = databaseIn(temporaryFolder());
  const empty = journalOf(database);
  empty.write(typed);
  empty.write(emptyJournal);
  empty.close();
  expect(drafts(database)).toEqual([]);
  const unsent = journalOf(database);
  unsent.write(typed);
  unsent.close();
  expect(drafts(database)).toHaveLength(1);
});

test('a state that is slow to store is stored a little later, or at the end, in its newest form', () => {
  const database = databaseIn(temporaryFolder());
  const slow = journalOf(database);
  const stored = () => drafts(database).map(({state}) => (JSON.parse(state) as JournalState).draft);
  vi.spyOn(performance, 'now').mockImplementation(
    (
      (time) => () =>
        (time += 20)
    )(0),
  );
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    for (const draft of ['a', 'ab', 'abc']) slow.write({draft, queue: []});
    expect(stored()).toEqual(['a']);
    vi.advanceTimersByTime(1000);
    expect(stored()).toEqual(['abc']);
    slow.write({draft: 'abcd', queue: []});
    slow.close();
    expect(stored()).toEqual(['abcd']);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

test('what could not be stored is stored a little later, or at the end', () => {
  const database = databaseIn(temporaryFolder());
  const problem = {kind: 'not_offered', what: 'writing', why: 'it is locked'} as const;
  let isLocked = true;
  const use: typeof database.use = (action) =>
    isLocked ? {ok: false, failure: problem} : database.use(action);
  const journal = openJournal({...database, use}, {cwd: '/project', onProblem: () => undefined});
  const stored = () => drafts(database).map(({state}) => (JSON.parse(state) as JournalState).draft);
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    journal.write({draft: 'a', queue: []});
    isLocked = false;
    vi.advanceTimersByTime(10_000);
    expect(stored()).toEqual(['a']);
    isLocked = true;
    journal.write({draft: 'ab', queue: []});
    isLocked = false;
    journal.close();
    expect(stored()).toEqual(['ab']);
  } finally {
    vi.useRealTimers();
  }
});

test('reports when nothing can be stored, and everything else works', () => {
  const folder = join(temporaryFolder(), 'file');
  writeFileSync(folder, 'in the way');
  const problems: unknown[] = [];
  const broken = openJournal(
    openDatabase(join(folder, 'state'), {onDamaged: (sentence) => expect.unreachable(sentence)}),
    {cwd: '/project', onProblem: (problem) => problems.push(problem)},
  );
  broken.write(typed);
  expect(problems).toEqual([expect.objectContaining({kind: 'file'})]);
  expect(broken.orphans()).toEqual([]);
  broken.close();
});
