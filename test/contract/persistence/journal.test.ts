import {spawn} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {once} from 'node:events';
import {expect, test, vi} from 'vitest';
import {openJournal, type Journal} from '../../../src/persistence/journal.ts';
import {emptyJournal, type JournalState} from '../../../src/persistence/journal-state.ts';
import {temporaryFolder} from './temporary-folder.ts';

const typed: JournalState = {draft: 'half a sent', queue: ['then this']};

function journal(folder: string, cwd = '/project'): Journal {
  return openJournal(folder, {cwd, onProblem: (problem) => expect.unreachable(String(problem))});
}

/** Another process with a journal in the folder; it is killed as soon as it has written. */
async function killedProcess(folder: string, state: JournalState, cwd = '/project'): Promise<void> {
  const module = new URL('../../../src/persistence/journal.ts', import.meta.url).href;
  const script = `
    const {openJournal} = await import(${JSON.stringify(module)});
    openJournal(${JSON.stringify(folder)}, {cwd: ${JSON.stringify(cwd)}, onProblem: console.error}).write(${JSON.stringify(state)});
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {stdio: 'inherit'});
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

test('what was typed survives a kill right after the key, and is offered to the next process', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, typed);
  const orphans = journal(folder).orphans();
  expect(orphans.map(({state}) => state)).toEqual([typed]);
  expect(orphans[0]?.at).toBeGreaterThan(Date.now() - 60_000);
});

test('an orphan belongs to its working folder', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, typed, '/elsewhere');
  expect(journal(folder).orphans()).toEqual([]);
  expect(journal(folder, '/elsewhere').orphans()).toHaveLength(1);
});

test('one process alone can claim an orphan', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, typed);
  const [one] = journal(folder).orphans();
  const [other] = journal(folder).orphans();
  expect([one?.claim(), other?.claim()]).toEqual([true, false]);
});

test('an orphan is kept until what took it over has written it again', async () => {
  const folder = temporaryFolder();
  await killedProcess(folder, typed);
  const next = journal(folder);
  const [orphan] = next.orphans();
  orphan?.claim();
  const stored = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(stored()).toEqual([expect.stringContaining('half a sent')]);
  next.write({...typed, draft: 'half a sentence'});
  expect(stored()).toEqual([expect.stringContaining('half a sentence')]);
});

test('processes that run do not see or disturb each other', async () => {
  const folder = temporaryFolder();
  const running = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e9)'], {stdio: 'ignore'});
  try {
    const stat = readFileSync(`/proc/${running.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19];
    writeFileSync(
      join(folder, `${running.pid}-${stat}.json`),
      JSON.stringify({v: 1, cwd: '/project', ...typed}),
    );
    expect(journal(folder).orphans()).toEqual([]);
    // The same pid with another start time is another process.
    writeFileSync(join(folder, `${running.pid}-1.json`), JSON.stringify({v: 1, cwd: '/project', ...typed}));
    expect(journal(folder).orphans()).toHaveLength(1);
  } finally {
    running.kill('SIGKILL');
  }
});

test('a broken file is set aside, not lost and not offered', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '999999999-1.json'), '{"v":1,"draft":"hal');
  expect(journal(folder).orphans()).toEqual([]);
  expect(readdirSync(folder)).toEqual(['999999999-1.json.broken']);
});

test('files are for the user alone', () => {
  const folder = join(temporaryFolder(), 'state', 'journal');
  journal(folder).write(typed);
  const [name = ''] = readdirSync(folder);
  expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
});

test('an orderly end with nothing typed leaves nothing behind, and with something leaves that', () => {
  const folder = temporaryFolder();
  const empty = journal(folder);
  empty.write(typed);
  empty.write(emptyJournal);
  empty.close();
  expect(readdirSync(folder)).toEqual([]);
  const unsent = journal(folder);
  unsent.write(typed);
  unsent.close();
  expect(readdirSync(folder)).toHaveLength(1);
});

test('a state that takes long to store is stored a little later, or at the end, in its newest form', () => {
  const folder = temporaryFolder();
  vi.spyOn(performance, 'now').mockImplementation(
    (
      (time) => () =>
        (time += 20)
    )(0),
  );
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    const slow = journal(folder);
    const stored = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const draft of ['a', 'ab', 'abc']) slow.write({draft, queue: []});
    expect(stored()).toEqual([expect.stringContaining('"draft":"a"')]);
    vi.advanceTimersByTime(1000);
    expect(stored()).toEqual([expect.stringContaining('"draft":"abc"')]);
    slow.write({draft: 'abcd', queue: []});
    slow.close();
    expect(stored()).toEqual([expect.stringContaining('"draft":"abcd"')]);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

test('where nothing can be stored, one problem is told and everything goes on', () => {
  const folder = join(temporaryFolder(), 'file');
  writeFileSync(folder, 'in the way');
  const problems: unknown[] = [];
  const broken = openJournal(join(folder, 'journal'), {
    cwd: '/project',
    onProblem: (problem) => problems.push(problem),
  });
  broken.write(typed);
  broken.write(emptyJournal);
  expect(broken.orphans()).toEqual([]);
  broken.close();
  expect(problems).toHaveLength(1);
});

test('files that are no journals are left alone', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '1-1.json'));
  writeFileSync(join(folder, 'notes.json'), 'mine');
  expect(journal(folder).orphans()).toEqual([]);
  expect(readFileSync(join(folder, 'notes.json'), 'utf8')).toBe('mine');
});
