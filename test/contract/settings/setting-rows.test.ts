import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fuzzyFind} from '../../../src/app/completion/fuzzy-find.ts';
import {settingsPicker} from '../../../src/app/settings/settings-picker.ts';
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
  const partsOf = (name: string, field: object) =>
    'fields' in field ? Object.keys(field.fields as object).map((inner) => `${name}.${inner}`) : [name];
  const {agents: _, ...others} = settingFields;
  const names = [
    ...Object.entries(others).flatMap(([name, field]) => partsOf(name, field)),
    ...Object.entries(agentFields).flatMap(([name, field]) => partsOf(`agents.claude.${name}`, field)),
  ];
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
  expect(rowOf('agents.claude.sandbox.enabled', given)).toMatchObject({value: 'true', ...ofFolder});
  expect(rowOf('agents.claude.options', given)).toMatchObject({
    value: '{"effort":"high","fast":true}',
    ...ofFolder,
  });
  expect(rowOf('agents.claude.env', given)).toMatchObject({value: undefined, source: undefined});
  expect(rowOf('agents.claude.sandbox.enabled', {...given, isTrustedFolder: false})).toMatchObject({
    value: 'false',
    source: 'your settings',
  });
});

test('credentials are masked, and editing does not start with them', () => {
  const row = rowOf('agents.claude.env', {user: {agents: {claude: {env: {KEY: 'sesame'}}}}});
  expect(row?.value).toBe('{"KEY":"[masked]"}');
  expect(row?.typed).toBe('');
});

test('a setting is found by its earlier name', () => {
  const rows = settingRows(placesWith({}), {options: {}, agents: ['claude']});
  const {items} = settingsPicker(rows, {filter: ''});
  const found = fuzzyFind(items, 'networkHosts').map(({id}) => id);
  expect(found).toEqual(['sandbox.hosts', 'agents.claude.sandbox.hosts']);
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
  expect(places('sandbox.hidden')).toEqual(['user', 'folder']);
  expect(places('sandbox.folders')).toEqual(['user']);
  expect(places('agents.claude.sandbox.enabled')).toEqual(['user']);
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

test('a change in a folder writes the names of today, and none that is set by two', () => {
  const {state, cwd} = placesWith({folder: {sandbox: 'on', network: 'none'}});
  const file = join(cwd, '.acp-tui.json');
  const change = (name: string, value: string) =>
    changeProjectSetting({state, folder: cwd}, {path: [name], value});
  expect(change('sandboxHidden', '[".env"]').ok).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    sandbox: {enabled: 'on', network: 'none', hidden: ['.env']},
  });
  expect(change('sandboxFolders', '["~/a"]')).toMatchObject({
    failure: {problem: expect.stringContaining('"sandbox.folders" in') as string},
  });
  const twice = placesWith({folder: {network: 'none', sandbox: {network: 'open'}}});
  expect(
    changeProjectSetting({state: twice.state, folder: twice.cwd}, {path: ['agent'], value: 'x'}),
  ).toMatchObject({failure: {problem: expect.stringContaining('are the same setting') as string}});
});

test('a folder cannot get settings that only the user may have', () => {
  const {state, cwd} = placesWith({});
  const refused = changeProjectSetting({state, folder: cwd}, {path: ['approve'], value: 'all'});
  expect(refused).toMatchObject({
    ok: false,
    failure: {problem: expect.stringContaining('not a folder setting')},
  });
});
