import {readdirSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {snapshotFolder} from '../../../support/folders/snapshot-folder.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** Takes a snapshot of many new files; returns how many packs and loose objects it has made. */
async function takeMany() {
  const {repository, write, take, changes} = await snapshotFolder();
  const before = await take();
  const names = Array.from({length: 1000}, (_, index) => `${index % 10}/${index}.txt`);
  for (const name of names) write({[name]: `The text of ${name}`});
  const id = await take();
  expect(new Set(await changes(before, id))).toEqual(new Set(names.map((name) => `A ${name}`)));
  const blob = await repository.git(['cat-file', 'blob', `${id}:files/7/7.txt`]);
  expect(String(blob)).toBe('The text of 7/7.txt');
  write({'7/7.txt': 'changed'});
  expect(await changes(id, await take())).toEqual(['M 7/7.txt']);
  const stored = readdirSync(join(repository.gitDir, 'objects'), {recursive: true, encoding: 'utf8'});
  const count = (name: RegExp) => stored.filter((each) => name.test(each)).length;
  return {packs: count(/\.pack$/), loose: count(/^..\/.{38}$/)};
}

test('many new files are stored in one pack', async () => {
  const {packs, loose} = await takeMany();
  expect(packs).toBe(1);
  expect(loose).toBeLessThan(100);
});

test('a git that would make a pack of each file stores loose objects', async () => {
  const bin = temporaryFolder();
  const real = process.env['PATH'] ?? '';
  const script = `#!/bin/sh\nfor last; do :; done\n[ "$last" = version ] && echo git version 2.36.9 && exit\nPATH='${real}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, {mode: 0o755});
  vi.stubEnv('PATH', [bin, real].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  const {packs, loose} = await takeMany();
  expect(packs).toBe(0);
  expect(loose).toBeGreaterThan(1000);
});
