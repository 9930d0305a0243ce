import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {withProjectAgents, readProjectSettings} from '../../../src/settings/project-settings.ts';
import {readSettings} from '../../../src/settings/settings.ts';
import {problemTexts} from '../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

function projectWith(settings: object) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.acp-tui.json'), JSON.stringify(settings));
  return readProjectSettings(folder);
}

function userWith(settings: object, env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  return readSettings(folder, env);
}

test('a folder may set which agent to start and how, but not its permissions', () => {
  const project = projectWith({
    agent: 'mine',
    agents: {
      mine: {
        command: 'mine --acp',
        approve: 'all',
        mcpServers: {x: {command: 'y'}},
        permissions: {deny: ['fetch']},
      },
      bad: {command: 7},
    },
    theme: 'light',
  });
  expect(project?.settings).toMatchObject({
    agent: 'mine',
    agents: {mine: {command: 'mine --acp'}, bad: {command: ''}},
  });
  expect(project?.settings.agents?.['mine']).not.toHaveProperty('approve');
  expect(project?.settings.agents?.['mine']).not.toHaveProperty('mcpServers');
  expect(project?.rules).toMatchObject([{text: 'agent=mine fetch', source: 'project', effect: 'deny'}]);
  expect(problemTexts(project?.problems ?? [])).toEqual([
    expect.stringContaining('"theme"'),
    expect.stringMatching(/"agents\.mine\.approve".* is not a folder setting/),
    expect.stringMatching(/"agents\.mine\.mcpServers".* is not a folder setting/),
    expect.stringContaining('"agents.bad.command"'),
  ]);
});

test.each([{statusCommand: 'theirs'}, {statusLine: {command: 'theirs'}}])(
  'a folder names no command for the status line: %j',
  (given) => {
    const project = projectWith(given);
    const [name] = Object.keys(given);
    expect(problemTexts(project?.problems ?? [])).toEqual([
      expect.stringMatching(new RegExp(`"${name}" in .* is not a folder setting`)),
    ]);
    expect(project?.settings).toEqual({});
    const {settings} = withProjectAgents(userWith({statusLine: ['agent']}), project);
    expect(settings.statusLine).toEqual(['agent']);
  },
);

test("its settings override the user's one by one, and the environment overrides them", () => {
  const project = projectWith({
    agent: 'two',
    agents: {one: {mode: 'code', env: {B: 'folder'}}, two: {model: 'm'}},
  });
  const user = {agent: 'one', agents: {one: {mode: 'ask', model: 'x', env: {A: 'user', B: 'user'}}}};
  expect(withProjectAgents(userWith(user), project).settings).toMatchObject({
    agent: 'two',
    agents: {one: {mode: 'code', model: 'x', env: {A: 'user', B: 'folder'}}, two: {model: 'm'}},
  });
  const set = userWith(user, {ACP_TUI_AGENT: 'three'});
  expect(withProjectAgents(set, project).settings.agent).toBe('three');
});

test('what the user set for a program is not passed to another one of the folder', () => {
  const provider = {id: 'main', apiType: 'openai', baseUrl: 'http://localhost', headers: {Key: 'secret'}};
  const user = userWith({agents: {one: {env: {KEY: 'secret'}, provider, mode: 'ask'}}});
  const same = projectWith({agents: {one: {model: 'm'}}});
  expect(withProjectAgents(user, same).settings.agents?.['one']).toMatchObject({provider});
  const other = projectWith({agents: {one: {command: 'theirs'}}});
  expect(withProjectAgents(user, other).settings.agents?.['one']).toEqual({
    command: 'theirs',
    env: {},
    mode: 'ask',
  });
});

test('a folder may make a sandbox tighter, also that of an agent, but not looser', () => {
  const project = projectWith({
    sandbox: 'on',
    network: 'open',
    sandboxSockets: 'none',
    sandboxFolders: ['~'],
    sandboxHidden: ['.env*'],
    agents: {mine: {network: 'open'}},
  });
  expect(problemTexts(project?.problems ?? [])).toEqual([
    expect.stringMatching(/"sandboxFolders".* is not a folder setting/),
    expect.stringMatching(/"agents\.mine\.network".* is not a folder setting/),
  ]);
  const user = userWith({
    network: 'none',
    sandboxSockets: 'all',
    sandboxHidden: ['secrets/'],
    agents: {mine: {sandbox: 'off', network: 'ask', sandboxHidden: ['a']}, other: {network: 'ask'}},
  });
  const {settings} = withProjectAgents(user, project);
  const hidden = ['secrets/', '.env*'];
  expect(settings.sandbox).toEqual({enabled: true, network: 'none', sockets: 'none', hidden});
  expect(settings.agents).toEqual({
    mine: {sandbox: {enabled: true, network: 'ask', hidden: ['a', '.env*']}},
    other: {sandbox: {network: 'ask'}},
  });
});

test.each(['/etc/passwd', '~/.env', '../above', 'a/../../above', ''])(
  'what a sandbox hides is in the workspace, not %j',
  (pattern) => {
    const project = projectWith({sandboxHidden: [pattern]});
    expect(problemTexts(project?.problems ?? [])).toEqual([expect.stringContaining('"sandboxHidden"')]);
    expect(project?.settings.sandbox).toEqual({});
  },
);

test('a folder makes a sandbox no looser than the defaults, if the user has set nothing', () => {
  const project = projectWith({sandbox: 'off', network: 'open', sandboxSockets: 'all'});
  const {settings} = withProjectAgents(userWith({}), project);
  expect(settings.sandbox).toEqual({enabled: false, network: 'ask', sockets: 'none'});
});
