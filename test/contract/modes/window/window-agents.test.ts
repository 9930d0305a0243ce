import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {AgentCommand} from '../../../../src/agents/resolve.ts';
import {passiveOptions, type CommonOptions} from '../../../../src/cli/options.ts';
import {optionsForOthers, windowAgents} from '../../../../src/modes/window/window-agents.ts';
import type {RunSetup} from '../../../../src/modes/start/run-setup.ts';
import {fail} from '../../../../src/shared/failure.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** What the settings say of an agent that the window was not started with. */
function ofOthers(settings: object, given: Partial<CommonOptions> = {}) {
  const [config, cwd] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const permissions = {of: (label: string) => ({label})};
  const setup = {paths: {config}, permissions} as unknown as RunSetup;
  const of = optionsForOthers({...passiveOptions({}), offer: {fs: true, terminal: true}, ...given}, setup);
  return (label: string, remote?: AgentCommand['remote']) =>
    of({agent: {label, command: label, args: [], env: {}, ...(remote && {remote})}, cwd});
}

test('each agent has the provider and the sandbox of its own settings', () => {
  const provider = {id: 'main', apiType: 'openai', baseUrl: 'http://localhost'};
  const of = ofOthers({
    agents: {mine: {command: 'mine', provider, sandbox: 'on'}, other: {command: 'other'}},
  });
  expect(of('mine')).toMatchObject({provider, sandbox: {network: 'ask'}});
  expect(of('other')).not.toHaveProperty('provider');
  expect(of('other')).not.toHaveProperty('sandbox');
});

test('no agent is started while settings that protect cannot be read', () => {
  const of = ofOthers({sandbox: 'sandbx'});
  expect(of('mine').refusal).toMatchObject({kind: 'invalid_setting'});
  expect(ofOthers({sandbox: 'on'})('mine')).not.toHaveProperty('refusal');
});

test('each agent has the files, commands, level, mode and log of its own, whatever was said for the first', () => {
  const url = 'wss://agents.example';
  const agents = {
    cloud: {url},
    careful: {
      command: 'careful',
      files: false,
      approve: 'reads',
      mode: 'plan',
      appendSystemPrompt: 'Be terse.',
    },
  };
  const of = ofOthers(
    {agents},
    {
      approve: 'all',
      settings: {mode: 'bypass', options: []},
      systemPrompt: {append: 'Dare.'},
    },
  );
  expect(of('cloud', {settings: () => ({url, headers: {}})})).toMatchObject({
    offer: {fs: false, terminal: false},
    approval: 'none',
    newSettings: {options: []},
    permissions: {label: 'cloud'},
  });
  expect(of('cloud')).not.toHaveProperty('systemPrompt');
  expect(of('careful')).toMatchObject({
    offer: {fs: false, terminal: true},
    approval: 'reads',
    newSettings: {mode: 'plan', options: []},
    systemPrompt: {append: 'Be terse.'},
    permissions: {label: 'careful'},
  });
});

test.each([
  [true, true],
  [false, false],
  [undefined, undefined],
])('an agent that is chosen with the sandbox %s is asked for with it', async (isConfined, sandbox) => {
  const asked: CommonOptions[] = [];
  const setup = {
    paths: {config: temporaryFolder(), cache: temporaryFolder(), data: temporaryFolder()},
    settings: {},
    optionsFor: async (wanted: CommonOptions) => (asked.push(wanted), fail({kind: 'no_agent'})),
  } as unknown as RunSetup;
  const {optionsFor} = windowAgents(passiveOptions({}), setup, {});
  await optionsFor('mine', {cwd: '/work', additionalDirectories: [], isConfined});
  expect(asked).toMatchObject([{agent: 'mine', cwd: '/work'}]);
  expect(asked[0]?.sandbox).toBe(sandbox);
});
