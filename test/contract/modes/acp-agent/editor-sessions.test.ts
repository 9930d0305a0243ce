import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test, vi} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {commonOptions, runSchema} from '../../../../src/cli/options.ts';
import {sessionFile} from '../../../../src/storage/sessions/event-file.ts';
import {lastAgent} from '../../../../src/storage/last-agent.ts';
import {asks, orThrow, says} from '../../service/open-service.ts';
import {openHome, scenario, scripted} from './open-editor.ts';

/** An agent that answers, and that can load its sessions without replaying them. */
const LOADS = scripted({
  initialize: {agentCapabilities: {loadSession: true}},
  turns: [[says('one')], [says('two')]],
});

test('a session is listed, loaded with its transcript, and goes on', async () => {
  const {editor, cwd, restartService} = await openHome();
  const first = await editor({args: ['--agent', LOADS]});
  const {sessionId} = await first.open();
  await first.prompt(sessionId, 'the first prompt');
  await first.close();
  // It is stored, and does not run.
  await restartService();
  const {agent, text, prompt, updates} = await editor();
  const {sessions} = await agent.request('session/list', {cwd});
  expect(sessions).toMatchObject([{sessionId, cwd, title: 'the first prompt'}]);
  expect(await agent.request('session/list', {cwd: join(cwd, 'elsewhere')})).toEqual({sessions: []});
  await agent.request('session/load', {sessionId, cwd, mcpServers: []});
  expect([text('user_message_chunk'), text('agent_message_chunk')]).toEqual(['the first prompt', 'one']);
  expect(updates.every((update) => update.sessionId === sessionId)).toBe(true);
  await prompt(sessionId, 'more');
  expect(text('agent_message_chunk')).toBe('oneone');
});

test('a session that runs is attached to: its transcript, then what goes on, and its request', async () => {
  const {editor, cwd, service, sessions} = await openHome();
  const agent = scripted({turns: [[says('before '), ...asks('one'), says('after')]]});
  const given = {...commonOptions(runSchema.parse({})), agent, cwd};
  const {id: sessionId} = orThrow(
    await (await service()).start({given, prompt: 'go', environment: process.env}),
  );
  await expect.poll(sessions).toMatchObject([{doing: 'waiting'}]);
  const {
    agent: connection,
    text,
    asked,
  } = await editor({
    permit: ({options}) => ({outcome: {outcome: 'selected', optionId: options[0]!.optionId}}),
  });
  expect(await connection.request('session/list', {cwd})).toMatchObject({
    sessions: [{sessionId, title: 'go', _meta: {'acp-tui': {doing: 'waiting'}}}],
  });
  await connection.request('session/load', {sessionId, cwd, mcpServers: []});
  await expect.poll(() => text('agent_message_chunk')).toBe('before after');
  expect(text('user_message_chunk')).toBe('go');
  expect(asked).toHaveLength(1);
});

test('an editor that cannot read the session which it loads does not count as showing it', async () => {
  const {editor, cwd, state, sessions} = await openHome();
  const {open, prompt} = await editor({args: ['--agent', scripted({turns: [[says('one')]]})]});
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const file = sessionFile(state, sessionId);
  rmSync(file);
  mkdirSync(file);
  const {agent} = await editor();
  const loading = agent.request('session/load', {sessionId, cwd, mcpServers: []});
  await expect(loading).rejects.toMatchObject({code: -32603});
  await expect.poll(sessions).toMatchObject([{id: sessionId, windows: 1}]);
});

test('a session is resumed without its transcript', async () => {
  const {editor, cwd} = await openHome();
  const {open, prompt, close} = await editor({args: ['--agent', LOADS]});
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  await close();
  const second = await editor();
  await second.agent.request('session/resume', {sessionId, cwd});
  await second.prompt(sessionId, 'more');
  expect(second.text('agent_message_chunk')).toBe('two');
  expect(second.text('user_message_chunk')).toBe('');
});

test('closing ends a session; one that a window shows goes on, without its turn', async () => {
  const {editor, window, sessions} = await openHome();
  const agent = scripted({turns: [[says('x'), {cancelled: true}, {stop: {stopReason: 'cancelled'}}]]});
  const {open, prompt, agent: connection} = await editor({args: ['--agent', agent]});
  const [alone, shown] = [await open(), await open()];
  await connection.request('session/close', {sessionId: alone.sessionId});
  expect(await sessions()).toMatchObject([{id: shown.sessionId}]);
  const response = prompt(shown.sessionId, 'go');
  const seen = await window(shown.sessionId);
  await seen.until(({turn}) => turn.kind === 'running');
  await connection.request('session/close', {sessionId: shown.sessionId});
  await seen.until(({turn}) => turn.kind === 'idle');
  expect(seen.state().connection.kind).toBe('ready');
  expect(await sessions()).toMatchObject([{id: shown.sessionId, windows: 1}]);
  expect(await response).toEqual({stopReason: 'cancelled'});
  await expect(prompt(shown.sessionId, 'again')).rejects.toMatchObject({code: -32002});
});

test.each(['session/close', 'session/detach'] as const)(
  'closing a session is answered if %s comes meanwhile',
  async (meanwhile) => {
    const {editor} = await openHome();
    const {open, agent} = await editor({args: ['--agent', LOADS]});
    const {sessionId} = await open();
    const closing = [agent.request('session/close', {sessionId}), agent.request(meanwhile, {sessionId})];
    expect(await Promise.all(closing)).toEqual([{}, {}]);
  },
);

test('closing also ends a session that is stored under another id since a window opened another one in it', async () => {
  const {editor, window, sessions} = await openHome();
  const agent = scripted({turns: [[says('one')], [says('two')]]});
  const {open, prompt, agent: connection} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const seen = await window(sessionId);
  await seen.actions.openSession({kind: 'new'});
  await prompt(sessionId, 'more');
  expect((await sessions())[0]?.id).not.toBe(sessionId);
  seen.leave();
  await expect.poll(sessions).toMatchObject([{windows: 1}]);
  await connection.request('session/close', {sessionId});
  expect(await sessions()).toEqual([]);
});

const SAID: readonly ScriptStep[] = [
  {update: {sessionUpdate: 'notice', severity: 'info', title: 'Limit near', description: 'Two left.'}},
  {update: {sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Look around'}},
  {update: {sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 'child', content: []}},
  {update: {sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress'}},
  {update: {sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed'}},
];

test.each<[string, acp.ClientCapabilities, readonly string[], string]>([
  [
    'as they are to an editor that takes them',
    {session: {notices: {}, compaction: {}}, subagents: {}},
    ['notice', 'subagent_update', 'session_message', 'compaction_update', 'compaction_update'],
    '',
  ],
  [
    'as text to one that does not',
    {},
    [],
    'Limit near Two left. Subagent: Look around The conversation was compacted.',
  ],
])('notices, subagents and compactions are sent and loaded %s', async (_, capabilities, kinds, text) => {
  const {editor, cwd} = await openHome();
  const {open, prompt, ...got} = await editor({args: ['--agent', scripted({turns: [SAID]})], capabilities});
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  const drafts = /^(?:notice|subagent_|session_message|compaction_)/;
  const sentTo = ({updates, text: said}: Pick<typeof got, 'updates' | 'text'>) => [
    updates.map(({update}) => update.sessionUpdate as string).filter((kind) => drafts.test(kind)),
    said('agent_message_chunk').trim().replaceAll(/\s+/g, ' '),
  ];
  expect(sentTo(got)).toEqual([kinds, text]);
  const other = await editor({capabilities});
  await other.agent.request('session/load', {sessionId, cwd, mcpServers: []});
  // A compaction is replayed as it is now.
  expect(sentTo(other)).toEqual([[...new Set(kinds)], text]);
});

test('modes, and options of either kind, are passed through both ways', async () => {
  const {editor, window} = await openHome();
  const {agent, open, sent} = await editor({
    args: ['--agent', scenario('config-options')],
    capabilities: {session: {configOptions: {boolean: {}}}},
  });
  const {sessionId, modes, configOptions} = await open();
  const ids = configOptions?.map(({id}) => id) ?? [];
  expect(ids.at(-1)).toBe('agent');
  expect(ids).toContain('mode');
  const other = modes!.availableModes.find(({id}) => id !== modes!.currentModeId)!.id;
  await agent.request('session/set_mode', {sessionId, modeId: other});
  await expect.poll(() => sent('current_mode_update').at(-1)).toMatchObject({currentModeId: other});
  expect(sent('current_mode_update')).toHaveLength(1);
  const set = await agent.request('session/set_config_option', {
    sessionId,
    configId: 'model',
    value: 'small',
  });
  const modelOf = (options: readonly acp.SessionConfigOption[] = []) =>
    options.find(({id}) => id === 'model');
  expect([modelOf(configOptions ?? [])?.currentValue, modelOf(set.configOptions)?.currentValue]).toEqual([
    'large',
    'small',
  ]);
  const web: acp.SetSessionConfigOptionRequest = {
    sessionId,
    configId: 'web',
    type: 'boolean',
    value: true,
  };
  const {configOptions: withWeb} = await agent.request('session/set_config_option', web);
  expect(withWeb.find(({id}) => id === 'web')).toMatchObject({currentValue: true});
  const shown = await window(sessionId);
  await shown.actions.setModel('large');
  await expect
    .poll(() => sent('config_option_update').at(-1))
    .toSatisfy(
      (update: acp.SessionUpdate) =>
        'configOptions' in update && modelOf(update.configOptions)?.currentValue === 'large',
    );
});

test.each([
  ['modes', 'session/set_mode', 'modeId'],
  ['legacy-models', 'session/set_model', 'modelId'],
])('an agent without options has some of its %s', async (name, method, field) => {
  const {editor} = await openHome();
  const {agent, open} = await editor({args: ['--agent', scenario(name)]});
  const {sessionId, configOptions, ...others} = await open();
  const [option] = configOptions ?? [];
  const values =
    option?.type === 'select' ? option.options.map((each) => ('value' in each ? each.value : '')) : [];
  const other = values.find((value) => value !== option?.currentValue)!;
  expect(JSON.stringify(others)).toContain(other);
  const set = await agent.request('session/set_config_option', {
    sessionId,
    configId: option!.id,
    value: other,
  });
  expect(set.configOptions[0]).toMatchObject({currentValue: other});
  await agent.request(method, {sessionId, [field]: option!.currentValue});
  await expect(agent.request(method, {sessionId, [field]: 'none of them'})).rejects.toMatchObject({
    code: -32602,
  });
});

test('modes beside options of other categories are an option, too', async () => {
  const {editor} = await openHome();
  const {agent, open} = await editor({
    args: ['--agent', scripted({session: withoutModeOption, results: SET})],
  });
  const {sessionId, modes, configOptions} = await open();
  expect(modes).toMatchObject(withoutModeOption.modes);
  expect(configOptions?.map(({id}) => id)).toEqual(['mode', 'model', 'agent']);
  const set = (configId: string, value: string) =>
    agent.request('session/set_config_option', {sessionId, configId, value});
  const {configOptions: after} = await set('mode', 'code');
  expect(after.map(({currentValue}) => currentValue).slice(0, 2)).toEqual(['code', 'small']);
  await expect(set('model', 'none of them')).rejects.toMatchObject({code: -32602});
});

const withoutModeOption = {
  modes: {currentModeId: 'ask', availableModes: ['ask', 'code'].map((id) => ({id, name: id}))},
  configOptions: [
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: 'small',
      options: ['small', 'large'].map((value) => ({value, name: value})),
    },
  ],
};
const SET = {
  'session/set_mode': {},
  'session/set_config_option': {configOptions: withoutModeOption.configOptions},
};

test('the agent can be changed until the first prompt, and the session keeps its id', async () => {
  const words = (text: string) => [
    process.execPath,
    ...scripted({turns: [[says(text)]]})
      .split(' ')
      .slice(1),
  ];
  const agents = {one: {command: words('I am one').join(' ')}, two: {command: words('I am two').join(' ')}};
  const {editor, window} = await openHome({agents, agent: 'one'});
  const {agent, open, prompt, text} = await editor();
  const {sessionId, configOptions} = await open();
  expect(configOptions?.at(-1)).toMatchObject({id: 'agent', category: '_agent', currentValue: 'one'});
  const set = await agent.request('session/set_config_option', {sessionId, configId: 'agent', value: 'two'});
  expect(set.configOptions.at(-1)).toMatchObject({currentValue: 'two'});
  await prompt(sessionId, 'go');
  expect(text('agent_message_chunk')).toBe('I am two');
  expect((await window(sessionId)).said()).toBe('I am two');
  const change = (value: string) =>
    agent.request('session/set_config_option', {sessionId, configId: 'agent', value});
  await expect(change('one')).rejects.toMatchObject({code: -32602});
});

test('without an agent that was selected, no session is opened, until one is in the settings', async () => {
  const {editor, env} = await openHome();
  lastAgent.write(env['ACP_TUI_STATE_DIR'] ?? '', 'demo');
  const {open, prompt, text} = await editor();
  await expect(open()).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('No agent is selected. Pass one with --agent') as string,
  });
  const agents = {one: {command: scripted({turns: [[says('I am one')]]})}};
  const config = join(env['ACP_TUI_CONFIG_DIR'] ?? '', 'config.json');
  writeFileSync(config, JSON.stringify({agents, agent: 'one'}));
  await prompt((await open()).sessionId, 'go');
  expect(text('agent_message_chunk')).toBe('I am one');
});

test('an agent that does not answer session/new is given up, and nothing is left of it', async () => {
  vi.stubEnv('ACP_TUI_START_SECONDS', '1');
  const {editor, cwd, sessions} = await openHome();
  const {agent} = await editor({args: ['--agent', scripted({opening: [{received: 'never'}]})]});
  await expect(agent.request('session/new', {cwd, mcpServers: []})).rejects.toThrow(
    'did not answer session/new within 1 second',
  );
  expect(await sessions()).toEqual([]);
});

test('an agent that does not start leaves the one there is', async () => {
  const agents = {one: {command: scripted({turns: [[says('I am one')]]})}, two: {command: '/no/such/agent'}};
  const {editor} = await openHome({agents, agent: 'one'});
  const {agent, open, prompt, text} = await editor();
  const {sessionId} = await open();
  const change = (value: string) =>
    agent.request('session/set_config_option', {sessionId, configId: 'agent', value});
  await expect(change('two')).rejects.toThrow('/no/such/agent');
  await expect(change('nobody')).rejects.toMatchObject({code: -32602});
  await prompt(sessionId, 'go');
  expect(text('agent_message_chunk')).toBe('I am one');
});

test('the folders and MCP servers of the editor are those of the session', async () => {
  const {editor, cwd} = await openHome();
  const more = join(cwd, 'more');
  mkdirSync(more);
  const {agent, prompt, text} = await editor({args: ['--agent', scenario('servers')]});
  const server: acp.McpServer = {
    name: 'files',
    command: '/bin/true',
    args: ['a'],
    env: [{name: 'KEY', value: 'v'}],
  };
  const {sessionId} = await agent.request('session/new', {
    cwd,
    additionalDirectories: [more],
    mcpServers: [server],
  });
  await prompt(sessionId, 'go');
  expect(text('agent_message_chunk')).toContain('files');
});
