import {expect, test} from 'vitest';
import {agentEnvironment} from '../../../src/agents/environment.ts';

test("npm's variables for starting this program are not passed to the agent", () => {
  const inherited = {
    PATH: '/bin',
    npm_package_name: 'acp-tui',
    npm_lifecycle_event: 'start',
    npm_config_local_prefix: '/opt/acp-tui',
    npm_config_registry: 'https://registry.example',
    ACP_TUI_REEXECUTED: '1',
  };
  expect(agentEnvironment(inherited, {KEY: 'v'})).toEqual({
    PATH: '/bin',
    npm_config_registry: 'https://registry.example',
    KEY: 'v',
  });
});

test('other npm variables are inherited', () => {
  const inherited = {npm_package_name: 'theirs', npm_lifecycle_event: 'dev'};
  expect(agentEnvironment(inherited, {})).toEqual(inherited);
});
