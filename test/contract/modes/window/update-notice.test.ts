import {expect, test} from 'vitest';
import type {InstalledVersion} from '../../../../src/agents/catalog.ts';
import type {Registry} from '../../../../src/agents/registry.ts';
import {updatesToReport} from '../../../../src/modes/window/update-notice.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

function agentsWith(installed: string, known: string | undefined) {
  const goose = {id: 'goose', name: 'Goose', version: installed} as InstalledVersion;
  const entry = {
    id: 'goose',
    name: 'Goose',
    version: known ?? '',
    description: 'Does it',
    authors: [],
    distribution: {},
  };
  const registry: Registry = {
    shownUrl: '',
    cached: () => (known === undefined ? undefined : {entries: [entry], left: [], checkedAt: 0}),
    fetch: () => expect.fail('the registry was asked'),
  };
  return {registry, local: () => ({configured: {}, programs: [], installed: [goose]})};
}

test('a newer version in the cached registry is reported once a day, without a request', () => {
  const state = temporaryFolder();
  const agents = agentsWith('1.0.0', '1.1.0');
  const reported =
    'Updates available: Goose 1.1.0 (1.0.0 is installed). Install them with: acp-tui agents update';
  expect(updatesToReport({agents, state, now: NOW})).toBe(reported);
  expect(updatesToReport({agents, state, now: NOW + DAY - 1})).toBeUndefined();
  expect(updatesToReport({agents, state, now: NOW + DAY})).toBe(reported);
});

test.each([
  ['is up to date', '1.1.0', '1.1.0'],
  ["is newer than the registry's", '1.2.0', '1.1.0'],
  ['is the only known version', '1.0.0', undefined],
])('reports nothing for an agent that %s', (_what, installed, known) => {
  const state = temporaryFolder();
  expect(updatesToReport({agents: agentsWith(installed, known), state, now: NOW})).toBeUndefined();
});

test('reports again if the report cannot be saved', () => {
  const agents = agentsWith('1.0.0', '1.1.0');
  const state = '/dev/null/state';
  expect(updatesToReport({agents, state, now: NOW})).toContain('Goose 1.1.0');
  expect(updatesToReport({agents, state, now: NOW})).toContain('Goose 1.1.0');
});
