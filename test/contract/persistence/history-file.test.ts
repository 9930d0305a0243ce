import {appendFileSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openHistory, type HistoryFile} from '../../../src/persistence/history-file.ts';
import {temporaryFolder} from './temporary-folder.ts';

function history(folder: string, cwd = '/project'): HistoryFile {
  return openHistory(folder, {
    cwd,
    now: () => 1,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
}

test('prompts come back in their order, each once, those of this project apart', async () => {
  const folder = temporaryFolder();
  for (const text of ['one', 'two\nlines', 'one']) history(folder).add(text);
  history(folder, '/other').add('elsewhere');
  expect(await history(folder).read()).toEqual({project: ['two\nlines', 'one'], everywhere: ['elsewhere']});
  expect(await history(folder, '/other').read()).toEqual({
    project: ['elsewhere'],
    everywhere: ['two\nlines', 'one'],
  });
});

test('is empty where there is none yet', async () => {
  expect(await history(temporaryFolder()).read()).toEqual({project: [], everywhere: []});
});

test('blank prompts and pasted books are not kept', async () => {
  const folder = temporaryFolder();
  for (const text of [' \n', 'x'.repeat(200_000), 'kept']) history(folder).add(text);
  expect((await history(folder).read()).project).toEqual(['kept']);
});

test('a broken line costs only itself', async () => {
  const folder = temporaryFolder();
  history(folder).add('before');
  appendFileSync(join(folder, 'history.jsonl'), '{"at":1,"cwd":"/pro\nnull\n{"text":1}\n');
  history(folder).add('after');
  expect((await history(folder).read()).project).toEqual(['before', 'after']);
});

test('a file that has grown too large keeps its newer half', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'history.jsonl');
  const line = (text: string) => `${JSON.stringify({at: 1, cwd: '/project', text})}\n`;
  const lines = Array.from({length: 300}, (_, index) => line(`${index} ${'x'.repeat(30_000)}`));
  writeFileSync(file, lines.join(''));
  const {project} = await history(folder).read();
  expect(project.at(-1)).toMatch(/^299 x/);
  expect(project[0]).toMatch(/^15\d x/);
  expect(statSync(file).size).toBeLessThan(5_000_000);
  expect((await history(folder).read()).project).toEqual(project);
});

test('is for the user alone', () => {
  const folder = join(temporaryFolder(), 'state');
  history(folder).add('secret');
  expect((statSync(join(folder, 'history.jsonl')).mode & 0o777).toString(8)).toBe('600');
  expect(readFileSync(join(folder, 'history.jsonl'), 'utf8')).toContain('secret');
});

test('where nothing can be stored, one problem is told', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const problems: unknown[] = [];
  const broken = openHistory(join(file, 'state'), {
    cwd: '/project',
    now: () => 1,
    onProblem: (problem) => problems.push(problem),
  });
  broken.add('one');
  broken.add('two');
  expect(problems).toHaveLength(1);
});
