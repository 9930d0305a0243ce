import {symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {passiveOptions} from '../../../../src/cli/options.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {optionsOfAttached, optionsOfStart} from '../../../../src/modes/window/background-sessions.ts';
import type {ResumeOrigin} from '../../../../src/storage/sessions/stored-session.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {conversationDefaults} from '../../conversation/conversation-defaults.ts';

const CONFINED = {network: 'ask', networkHosts: [], sandboxSockets: 'none'} as const;

const WANTED = {mode: 'bypassPermissions', options: []};

const agent = {label: 'first', command: 'first', args: [], env: {}};
const first: ConversationOptions = {...conversationDefaults, agent, cwd: '/work', approval: 'all'};
const other = {...first, agent: {...agent, label: 'other', byName: true}};

/** What the service is asked for. */
function asked(
  options: ConversationOptions,
  {sandbox, ...how}: {sandbox?: boolean; before?: ResumeOrigin; isMoved?: boolean} = {},
) {
  const given = {
    ...passiveOptions({}),
    approve: 'all' as const,
    sandbox,
    settings: WANTED,
    authMethod: 'key',
  };
  const setup = {options: {ok: true, value: first}, agentName: 'first'} as const;
  return optionsOfStart(given, setup, {options, before: undefined, ...how});
}

test('a session in the background has the level that it has in the window, whatever the command line says', () => {
  expect(asked({...first, approval: 'none'})).toMatchObject({agent: 'first', approve: 'none'});
  expect(asked({...other, approval: 'edits'})).toMatchObject({agent: 'other', approve: 'edits'});
});

test('it is confined if it is in the window', () => {
  expect(asked({...first, sandbox: CONFINED}, {sandbox: false}).sandbox).toBe(true);
  expect(asked(other, {sandbox: true}).sandbox).toBe(false);
});

test('a new session has the settings of the command line, and one that is resumed those that it has here', () => {
  const before = {continues: 'id'};
  expect(asked(first)).toMatchObject({settings: WANTED, authMethod: 'key'});
  const named = {...first, settings: WANTED, authMethod: 'key'};
  expect(asked(named, {before})).toMatchObject({settings: WANTED, authMethod: 'key'});
  expect(asked(first, {before})).toMatchObject({settings: {options: []}, authMethod: undefined});
});

test('a session that leaves its window keeps what it has now, and is signed in to the new process of its agent', () => {
  const named = {...first, settings: WANTED, authMethod: 'key'};
  const how = {before: {continues: 'id'}, isMoved: true};
  expect(asked(named, how)).toMatchObject({settings: {options: []}, authMethod: 'key'});
  expect(asked(first, how).authMethod).toBeUndefined();
});

test('a window that attaches starts sessions with what is still there of the folders and MCP servers of the one that it shows', async () => {
  const [cwd, instead] = [temporaryFolder(), temporaryFolder()];
  const [servers, linked, broken, gone] = [join(cwd, '1'), join(cwd, '2'), join(cwd, '3'), join(cwd, '4')];
  writeFileSync(servers, '{"mcpServers": {"tracker": {"command": "true"}}}');
  symlinkSync(servers, linked);
  writeFileSync(broken, '{"mcpServers"');
  const given = {...passiveOptions({}), cwd, additionalDirectories: [instead, gone]};
  const mcpConfig = [gone, broken, cwd, linked, servers];
  expect(await optionsOfAttached({...given, mcpConfig}, instead)).toMatchObject({
    options: {cwd, additionalDirectories: [instead], mcpConfig: [linked, servers]},
    problems: [expect.stringContaining(gone)],
  });
  expect(await optionsOfAttached({...given, cwd: gone}, instead)).toMatchObject({
    options: {cwd: instead},
    problems: [expect.stringContaining(`using ${instead}`), expect.stringContaining(gone)],
  });
});
