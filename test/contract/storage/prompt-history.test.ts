import {mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {databaseFile, openDatabase} from '../../../src/storage/database/database.ts';
import {openHistory, type PromptHistory} from '../../../src/storage/drafts/prompt-history.ts';
import {databaseIn} from './stores.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

function history(folder: string, cwd = '/project'): PromptHistory {
  return openHistory(databaseIn(folder), {
    limit: 10_000,
    cwd,
    now: () => 1,
    onProblem: (problem) => expect.unreachable(JSON.stringify(problem)),
  });
}

test('prompts come back in order, each once, those of this project apart', () => {
  const folder = temporaryFolder();
  for (const text of ['one', 'two\nlines', 'one']) history(folder).add(text);
  for (const text of ['elsewhere', 'one', 'elsewhere']) history(folder, '/other').add(text);
  history(folder, '/third').add('one');
  expect(history(folder).read()).toEqual({project: ['two\nlines', 'one'], everywhere: ['elsewhere', 'one']});
  expect(history(folder, '/other').read()).toEqual({
    project: ['one', 'elsewhere'],
    everywhere: ['two\nlines', 'one'],
  });
});

test('is empty at first', () => {
  expect(history(temporaryFolder()).read()).toEqual({project: [], everywhere: []});
});

test('blank and huge prompts are not kept', () => {
  const folder = temporaryFolder();
  for (const text of [' \n', 'x'.repeat(200_000), 'kept']) history(folder).add(text);
  expect(history(folder).read().project).toEqual(['kept']);
});

test('is private', () => {
  const folder = join(temporaryFolder(), 'state');
  history(folder).add('secret');
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  for (const ending of ['', '-wal', '-shm']) {
    expect((statSync(databaseFile(folder) + ending).mode & 0o777).toString(8)).toBe('600');
  }
});

test('reports when nothing can be stored, and reading still works', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const problems: unknown[] = [];
  const database = openDatabase(join(file, 'state'), {onDamaged: (sentence) => expect.unreachable(sentence)});
  const broken = openHistory(database, {
    limit: 10_000,
    cwd: '/project',
    now: () => 1,
    onProblem: (problem) => problems.push(problem),
  });
  broken.add('one');
  expect(problems).toEqual([expect.objectContaining({kind: 'file'})]);
  expect(broken.read()).toEqual({project: [], everywhere: []});
});

test('stores again as soon as possible', () => {
  const folder = join(temporaryFolder(), 'state');
  writeFileSync(folder, 'in the way');
  const problems: unknown[] = [];
  const database = openDatabase(join(folder, 'deeper'), {
    onDamaged: (sentence) => expect.unreachable(sentence),
  });
  const prompts = openHistory(database, {
    limit: 10_000,
    cwd: '/project',
    now: () => 1,
    onProblem: (problem) => problems.push(problem),
  });
  prompts.add('lost');
  rmSync(folder);
  mkdirSync(folder);
  prompts.add('kept');
  expect(prompts.read().project).toEqual(['kept']);
  expect(problems).toHaveLength(1);
});
