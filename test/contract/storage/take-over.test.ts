import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openJournal} from '../../../src/storage/drafts/journal.ts';
import {ownIdentity} from '../../../src/storage/process-identity.ts';
import {openHistory} from '../../../src/storage/drafts/prompt-history.ts';
import {takeOverFiles} from '../../../src/storage/drafts/take-over.ts';
import {databaseIn} from './stores.ts';
import {temporaryFolder} from './temporary-folder.ts';

const onProblem = (problem: unknown) => expect.unreachable(JSON.stringify(problem));

test('the files of earlier versions come into the database, once, and go', () => {
  const folder = temporaryFolder();
  const line = (text: string, cwd = '/project') => `${JSON.stringify({at: 1, cwd, text})}\n`;
  writeFileSync(
    join(folder, 'history.jsonl'),
    `${line('one')}${line('two')}{"torn\n${line('one')}${line('x', '/o')}`,
  );
  mkdirSync(join(folder, 'journal'));
  const {pid, started} = ownIdentity();
  const draft = JSON.stringify({v: 1, cwd: '/project', draft: 'unsent', queue: ['and queued']});
  for (const name of ['999999999-1.json', `${pid}-${started}.json`, 'notes.json'])
    writeFileSync(join(folder, 'journal', name), draft);
  const database = databaseIn(folder);
  for (let times = 0; times < 2; times++) takeOverFiles(folder, database);
  expect(openHistory(database, {cwd: '/project', now: () => 1, onProblem}).read()).toEqual({
    project: ['two', 'one'],
    everywhere: ['x'],
  });
  const orphans = openJournal(database, {cwd: '/project', onProblem}).orphans();
  expect(orphans.map(({state}) => state)).toEqual([{draft: 'unsent', queue: ['and queued']}]);
  expect(existsSync(join(folder, 'history.jsonl'))).toBe(false);
  // Those of a process that runs, and what is no draft, are left alone.
  expect(readdirSync(join(folder, 'journal')).sort()).toEqual(
    [`${pid}-${started}.json`, 'notes.json'].sort(),
  );
});
