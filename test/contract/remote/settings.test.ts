import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createAgentFinder, resolveAgent} from '../../../src/agents/resolve.ts';
import {createMcpConfig} from '../../../src/conversation/trust/mcp-servers.ts';
import {readServers} from '../../../src/settings/server-config.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {createSecrets} from '../../../src/shared/mask.ts';
import {readProjectSettings} from '../../../src/settings/project-settings.ts';
import type {AgentSettings} from '../../../src/settings/schema/agent-settings.ts';
import {settingsIn} from '../../../src/settings/settings.ts';
import {problemTexts} from '../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {agentAt} from './open-remote.ts';

function resolved(there: AgentSettings) {
  const find = createAgentFinder({configured: {there}, installed: () => undefined, environment: {}});
  return resolveAgent('there', {env: {}, demoCommand: {command: 'node', args: []}, find});
}

test('an agent of the settings has a URL, and none of its secrets is stored', () => {
  const agent = resolved({
    url: 'wss://agents.example/acp?key=hidden',
    token: 'hidden-token',
    headers: {'X-Key': 'hidden-header'},
  });
  expect(agent).toMatchObject({
    ok: true,
    value: {label: 'there', command: 'wss://agents.example/acp', args: []},
  });
  expect(JSON.stringify(agent)).not.toContain('hidden');
});

test('a URL without encryption needs a setting, unless it is local', () => {
  expect(resolved({url: 'ws://agents.example/acp'})).toMatchObject({failure: {kind: 'bad_agent'}});
  expect(resolved({url: 'ws://agents.example/acp', allowUnencrypted: true})).toMatchObject({ok: true});
  expect(resolved({url: 'ws://localhost:8080/acp'})).toMatchObject({ok: true});
  expect(resolved({url: 'http://[::1]:8080/acp'})).toMatchObject({ok: true});
});

test.each([
  [{url: 'nowhere'}, /Its URL is not valid\. Correct it with: acp-tui config edit$/],
  [{url: 'ftp://agents.example'}, /must start with wss:.* Correct it with: acp-tui config edit$/],
  [{url: 'ws://agents.example'}, /or set allowUnencrypted for the agent\.$/],
  [{command: 'a | b'}, /Correct it with: acp-tui config edit$/],
])('an invalid agent of the settings (%j) is reported with what to do about it', (settings, message) => {
  const agent = resolved(settings);
  expect(agent.ok ? '' : failureSentence(agent.failure)).toMatch(message);
});

test.each([
  [{url: 5}, /agents\.there\.url/],
  [{cwd: 'work'}, /agents\.there\.cwd/],
  [{files: 'yes'}, /agents\.there\.files/],
])('%j is reported as invalid', (there, problem) => {
  expect(problemTexts(settingsIn({agents: {there}}, 'config.json').problems)).toEqual([
    expect.stringMatching(problem),
  ]);
});

test('project settings set neither the URL of an agent nor what it gets', () => {
  const folder = temporaryFolder();
  const there = {
    url: 'wss://evil.example/',
    token: 'x',
    headers: {},
    allowUnencrypted: true,
    cwd: '/',
    files: true,
    terminals: true,
    mcpOverAcp: true,
    mode: 'plan',
  };
  writeFileSync(join(folder, '.acp-tui.json'), JSON.stringify({agents: {there}}));
  const read = readProjectSettings(folder);
  expect(read?.settings.agents).toEqual({there: {mode: 'plan'}});
  expect(read?.problems).toHaveLength(8);
});

describe('MCP servers', () => {
  const server = {files: {command: 'no-such-program', args: []}};
  const read = (kind: 'user' | 'agent') => readServers(server, {kind, file: '/config.json'}).servers;
  const prepared = (ofUser: typeof read, kind: 'user' | 'agent') =>
    createMcpConfig({
      state: temporaryFolder(),
      ofUser: kind === 'user' ? ofUser('user') : [],
      ofAgent: () => (kind === 'agent' ? ofUser('agent') : []),
      ofOptions: [],
      secrets: createSecrets(),
      env: {},
    }).prepare({agent: agentAt('ws://localhost/acp'), cwd: '/', capabilities: undefined});

  test('of the user are not sent to a remote agent', () => {
    expect(prepared(read, 'user')).toMatchObject([
      {kind: 'left_out', why: expect.stringContaining('elsewhere')},
    ]);
  });

  test('of that agent are sent, with their commands unchanged', () => {
    expect(prepared(read, 'agent')).toMatchObject([{kind: 'passed', as: {command: 'no-such-program'}}]);
  });
});
