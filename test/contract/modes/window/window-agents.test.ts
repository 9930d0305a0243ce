import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {passiveOptions} from '../../../../src/cli/options.ts';
import {optionsForOthers} from '../../../../src/modes/window/window-agents.ts';
import type {RunSetup} from '../../../../src/modes/start/run-setup.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

test('each agent has the provider and the sandbox of its own settings', () => {
  const [config, cwd] = [temporaryFolder(), temporaryFolder()];
  const provider = {id: 'main', apiType: 'openai', baseUrl: 'http://localhost'};
  const agents = {mine: {command: 'mine', provider, sandbox: 'on'}, other: {command: 'other'}};
  writeFileSync(join(config, 'config.json'), JSON.stringify({agents}));
  const setup = {paths: {config}} as RunSetup;
  const of = (label: string) =>
    optionsForOthers(passiveOptions({}), setup)({agent: {label, command: label, args: [], env: {}}, cwd});
  expect(of('mine')).toMatchObject({provider, sandbox: {network: 'ask'}});
  // Named, since it takes the place of that of another agent.
  expect(of('other')).toEqual({provider: undefined});
});
