import {expect, test} from 'vitest';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {sessions} from './context.ts';
import {storeWith} from './stored.ts';

/* Every command that prints a session masks what looks like a credential, with one function. */

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwx';
const SECRET = 'hunter2hunter2';

function store() {
  return storeWith(temporaryFolder(), {
    said: [
      [`Deploy with ${KEY} please`, `The password: ${SECRET} works for the deployment.`],
      ['And the harmless question?', 'A harmless answer.'],
    ],
    cwd: `/srv/token=${SECRET}/project`,
    title: `Deploy with ${KEY}`,
  }).store;
}

test.each([
  ['list'],
  ['list', '--json'],
  ['search', 'deploy'],
  ['search', 'deploy', '--json'],
  ['search', 'works', '--json'],
  ['search', 'hunter2hunter2'],
  ['search', 'abcdefghijklmnopqrstuvwx'],
  ['search', 'harmless'],
])('sessions %s %s %s prints no credentials', async (...argv) => {
  for (const page of [{}, {columns: 80}]) {
    const {exitCode, stdout, stderr} = await sessions(store(), argv, page);
    expect(exitCode).toBe(0);
    expect(stdout + stderr).not.toMatch(/hunter2|abcdefghij/);
    expect(stdout).toMatch(/masked|harmless/);
  }
});

test('the confirmation of a deletion prints none', async () => {
  const {store: one, ids} = storeWith(temporaryFolder(), {said: [[`Use ${KEY}`, 'Yes.']]});
  const {stderr} = await sessions(one, ['delete', ids[0] ?? ''], {confirm: () => Promise.resolve(false)});
  expect(stderr).toContain('[masked]');
  expect(stderr).not.toContain(KEY);
});

test('a snippet cut inside a credential contains none of it', async () => {
  const words = Array.from({length: 40}, (_, index) => `word${index}`).join(' ');
  const said = `-----BEGIN PRIVATE KEY-----\n${words} needle ${words}\n-----END PRIVATE KEY-----`;
  const {store: one} = storeWith(temporaryFolder(), {said: [[said, 'Yes.']]});
  const {stdout} = await sessions(one, ['search', 'needle']);
  expect(stdout).toContain('[masked]');
  expect(stdout).not.toContain('needle word');
});

test('text without credentials is unchanged, with matches highlighted', async () => {
  const {stdout} = await sessions(store(), ['search', 'harmless'], {marks: true});
  expect(stdout).toContain('<harmless>');
});
