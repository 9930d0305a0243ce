import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readProjectSettings} from '../../../src/settings/project-settings.ts';
import {changeProjectSetting, changeUserSetting} from '../../../src/settings/setting-changes.ts';
import {describedSettings, settingRows} from '../../../src/settings/setting-values.ts';
import {isTrusted, trustFolder} from '../../../src/settings/trusted-folders.ts';
import {agentFields} from '../../../src/settings/schema/agent-settings.ts';
import {settingFields} from '../../../src/settings/schema/all-settings.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

interface Given {
  readonly user?: object;
  readonly folder?: object;
  readonly isTrustedFolder?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

function placesWith({user, folder, isTrustedFolder = true, env = {}}: Given) {
  const root = temporaryFolder();
  const [config, state, cwd] = ['config', 'state', 'project'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [config, state, cwd]) mkdirSync(made);
  if (user) writeFileSync(join(config, 'config.json'), JSON.stringify(user));
  if (folder) writeFileSync(join(cwd, '.acp-tui.json'), JSON.stringify(folder));
  if (folder && isTrustedFolder) trustFolder(state, cwd, readProjectSettings(cwd)?.hash ?? '');
  return {config, state, cwd, env};
}

function rowOf(id: string, given: Given, options = {}) {
  const rows = settingRows(placesWith(given), {options, agents: ['claude']});
  return rows.find((row) => row.id === id);
}

test('every setting of the schema is listed with a description, a topic and when it applies', () => {
  const names = Object.entries(settingFields).flatMap(([name, field]) => {
    if (name === 'agents') return Object.keys(agentFields).map((inner) => `agents.claude.${inner}`);
    return 'fields' in field ? Object.keys(field.fields).map((inner) => `${name}.${inner}`) : [name];
  });
  const listed = describedSettings(['claude']);
  expect(listed.map(({path}) => path.join('.')).sort()).toEqual(names.sort());
  for (const {description, topic, applies} of listed) {
    expect(description).toMatch(/^[a-zA-Z].*[^.]$/);
    expect([topic, applies]).not.toContain('');
  }
});

test.each([
  ['a default', {}, {}, {value: 'auto', source: 'default'}],
  ['the user’s file', {user: {theme: 'light'}}, {}, {value: 'light', source: 'your settings', setIn: 'user'}],
  [
    'a variable over the file',
    {user: {theme: 'light'}, env: {ACP_TUI_THEME: 'dark'}},
    {},
    {value: 'dark', source: 'ACP_TUI_THEME'},
  ],
  [
    'an option over a variable',
    {env: {ACP_TUI_THEME: 'dark'}},
    {theme: {option: '--theme', value: 'plain'}},
    {value: 'plain', source: '--theme'},
  ],
] as const)('a value comes from %s', (...[, given, options, expected]) => {
  expect(rowOf('theme', given, options)).toMatchObject(expected);
});

test('a trusted folder overrides the user’s file, an untrusted one is only mentioned', () => {
  const given = {user: {agent: 'mine'}, folder: {agent: 'theirs'}};
  expect(rowOf('agent', given)).toMatchObject({value: 'theirs', source: '.acp-tui.json', setIn: 'folder'});
  expect(rowOf('agent', {...given, isTrustedFolder: false})).toMatchObject({
    value: 'mine',
    source: 'your settings',
    notes: [expect.stringContaining('not trusted')],
  });
});

test('what the user and a trusted folder set for an agent is shown as it applies', () => {
  const given = {
    user: {agents: {claude: {sandbox: 'off', options: {effort: 'high'}}}},
    folder: {sandbox: 'on', agents: {claude: {options: {fast: true}}}},
  };
  const ofFolder = {source: '.acp-tui.json', setIn: 'folder'};
  expect(rowOf('agents.claude.sandbox', given)).toMatchObject({value: 'on', ...ofFolder});
  expect(rowOf('agents.claude.options', given)).toMatchObject({
    value: '{"effort":"high","fast":true}',
    ...ofFolder,
  });
  expect(rowOf('agents.claude.env', given)).toMatchObject({value: undefined, source: undefined});
  expect(rowOf('agents.claude.sandbox', {...given, isTrustedFolder: false})).toMatchObject({
    value: 'off',
    source: 'your settings',
  });
});

test('credentials are masked, and editing does not start with them', () => {
  const row = rowOf('agents.claude.env', {user: {agents: {claude: {env: {KEY: 'sesame'}}}}});
  expect(row?.value).toBe('{"KEY":"[masked]"}');
  expect(row?.typed).toBe('');
});

test('settings with few values offer them, others are typed', () => {
  expect(rowOf('editing', {})?.choices).toEqual(['readline', 'vim']);
  expect(rowOf('sessions.save', {})?.choices).toEqual(['true', 'false']);
  expect(rowOf('sessions.keepDays', {})?.choices).toBeUndefined();
});

test('only what a folder may set can be written there', () => {
  const places = (id: string) => rowOf(id, {})?.places;
  expect(places('agent')).toEqual(['user', 'folder']);
  expect(places('agents.claude.model')).toEqual(['user', 'folder']);
  expect(places('agents.claude.approve')).toEqual(['user']);
  expect(places('approve')).toEqual(['user']);
});

test('an invalid value is rejected with a message, and changes nothing', async () => {
  const {config} = placesWith({user: {theme: 'light'}});
  const changed = await changeUserSetting(config, {path: ['sessions', 'keepDays'], value: 'soon'});
  expect(changed).toMatchObject({
    ok: false,
    failure: {kind: 'invalid_setting', problem: expect.stringMatching(/a number greater than 0, not "soon"/)},
  });
  expect(JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'))).toEqual({theme: 'light'});
});

test('a change in a folder keeps its trust; an untrusted folder is not changed', () => {
  const {state, cwd} = placesWith({folder: {agents: {a: {model: 'x'}}}});
  expect(changeProjectSetting({state, folder: cwd}, {path: ['agent'], value: 'claude'}).ok).toBe(true);
  expect(JSON.parse(readFileSync(join(cwd, '.acp-tui.json'), 'utf8'))).toEqual({
    agents: {a: {model: 'x'}},
    agent: 'claude',
  });
  expect(isTrusted(state, cwd, readProjectSettings(cwd)?.hash ?? '')).toBe(true);

  const hostile = placesWith({folder: {agent: 'x'}, isTrustedFolder: false});
  const refused = changeProjectSetting(
    {state: hostile.state, folder: hostile.cwd},
    {path: ['agent'], value: 'claude'},
  );
  expect(refused).toMatchObject({ok: false, failure: {problem: expect.stringContaining('not trusted')}});
  expect(isTrusted(hostile.state, hostile.cwd, readProjectSettings(hostile.cwd)?.hash ?? '')).toBe(false);
});

test('a folder cannot get settings that only the user may have', () => {
  const {state, cwd} = placesWith({});
  const refused = changeProjectSetting({state, folder: cwd}, {path: ['approve'], value: 'all'});
  expect(refused).toMatchObject({
    ok: false,
    failure: {problem: expect.stringContaining('not a folder setting')},
  });
});
