import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test, vi} from 'vitest';
import {interpret} from '../../../../src/cli/program.ts';
import {readSettings} from '../../../../src/settings/settings.ts';
import {runOptions} from '../../../../src/modes/start/run-options.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const demoCommand = {command: '/usr/bin/node', args: ['demo.js']};
const stored = {label: 'mine', command: '/old/mine', args: ['--acp'], env: {}};

beforeEach(() => {
  vi.stubEnv('ACP_TUI_DATA_DIR', temporaryFolder());
  vi.stubEnv('ACP_TUI_STATE_DIR', temporaryFolder());
  return () => vi.unstubAllEnvs();
});

/** The launch with which a stored session of the agent `mine` resumes, with these settings. */
async function goneOnWith(
  settings: object,
  env: NodeJS.ProcessEnv = {},
  argv: readonly string[] = [],
  agent = stored,
) {
  const config = temporaryFolder();
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const parsed = interpret(argv, {stdinIsTty: true, stdoutIsTty: true});
  if (parsed.kind !== 'interactive') throw new Error(JSON.stringify(parsed));
  const opening = {kind: 'continue', sessionId: 'x', fork: false} as const;
  const options = await runOptions({given: parsed.options, agent, opening}, readSettings(config, env), {
    hasUser: true,
    demoCommand,
  });
  if (!options.ok) throw new Error(JSON.stringify(options.failure));
  return options.value;
}

test('a session resumes with its agent as it was started then', async () => {
  expect(await goneOnWith({})).toMatchObject({agent: stored, approval: 'none', settings: {options: []}});
});

test('an agent that was started by a name still has it, unless it was started in another way', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'gemini'), '', {mode: 0o755});
  vi.stubEnv('PATH', folder);
  const gemini = {label: 'gemini', command: 'gemini', args: ['--acp'], env: {}};
  expect((await goneOnWith({}, {}, [], gemini)).agent).toMatchObject({...gemini, byName: true});
  const other = {...gemini, args: ['--acp', '--sandbox']};
  expect((await goneOnWith({}, {}, [], other)).agent).not.toHaveProperty('byName');
});

test('a session resumes with its agent as currently configured, and with its own model', async () => {
  const agents = {mine: {command: 'new --acp', env: {KEY: '1'}, model: 'm', approve: 'edits'}};
  const options = await goneOnWith({approve: 'reads', agents});
  expect(options.agent).toMatchObject({label: 'mine', command: 'new', args: ['--acp'], env: {KEY: '1'}});
  expect(options.approval).toBe('edits');
  expect([options.settings.model, options.newSettings?.model]).toEqual([undefined, 'm']);
});

test('sessions of an agent share a process unless the settings disable it', async () => {
  const withSetting = (process: string) => goneOnWith({agents: {mine: {command: 'mine', process}}});
  expect((await withSetting('own')).agent).toMatchObject({command: 'mine', ownProcess: true});
  expect((await withSetting('shared')).agent).not.toHaveProperty('ownProcess');
  expect((await goneOnWith({agents: {mine: {process: 'own'}}})).agent).toMatchObject({
    command: '/old/mine',
    ownProcess: true,
  });
});

test('environment and options override the settings of an agent', async () => {
  const settings = {agents: {mine: {env: {KEY: '1'}, approve: 'edits'}}};
  const env = {ACP_TUI_APPROVE: 'all'};
  expect(await goneOnWith(settings, env, ['--env', 'KEY=2'])).toMatchObject({
    agent: {command: '/old/mine', env: {KEY: '2'}},
    approval: 'all',
  });
  expect(await goneOnWith(settings, env, ['--approve', 'none'])).toMatchObject({approval: 'none'});
});

test.each([
  [{}, [], undefined],
  [{protocol: '2'}, [], 2],
  [{protocol: 'auto'}, [], undefined],
  [{protocol: '2', agents: {mine: {protocol: '1'}}}, [], undefined],
  [{protocol: '1', agents: {mine: {protocol: '2'}}}, [], 2],
  [{protocol: '2', agents: {mine: {protocol: '2'}}}, ['--protocol', '1'], undefined],
  [{}, ['--protocol', '2'], 2],
])(
  'the settings %j and the options %j offer an agent version %s of the protocol',
  async (settings, argv, version) => {
    expect((await goneOnWith(settings, {}, argv)).agent.protocolVersion).toBe(version);
  },
);
