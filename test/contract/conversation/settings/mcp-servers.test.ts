import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createMcpConfig} from '../../../../src/conversation/trust/mcp-servers.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {readServers} from '../../../../src/settings/server-config.ts';
import {createSecrets} from '../../../../src/shared/mask.ts';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {makeConversation, notices, openScripted, type OpenedConversation} from '../open-conversation.ts';

/** A folder with a program in it, and the MCP configuration of these servers in a file there. */
function bookOf(servers: object, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'server');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'bin', 'readme'), 'no program');
  const state = temporaryFolder();
  const secrets = createSecrets();
  const read = readServers(servers, {kind: 'user', file: join(folder, 'config.json')});
  const mcp = createMcpConfig({
    state,
    ofUser: read.servers,
    ofAgent: () => [],
    ofOptions: [],
    secrets,
    env: {PATH: `/nowhere:${join(folder, 'bin')}`, ...env},
  });
  return {mcp, program, folder, state, secrets};
}

const sentWith = ({sent}: OpenedConversation, method: string) =>
  sent().find((message) => message.method === method)?.params?.['mcpServers'];
const agentWith = (agentCapabilities: object): Script => ({initialize: {agentCapabilities}});

function continuing(
  script: Script,
  mcp: ConversationOptions['mcp'] & object,
  fork = false,
): OpenedConversation {
  const opening = {kind: 'continue', sessionId: 'old', fork} as const;
  return makeConversation(['script', JSON.stringify(script)], {opening, mcp});
}

describe('MCP servers on the wire', () => {
  const servers = {
    files: {command: 'server', args: ['--root', '${ROOT:-/}'], env: {TOKEN: '${MY_TOKEN}'}},
    docs: {type: 'http', url: 'https://${HOST}/mcp', headers: {Authorization: 'Bearer ${MY_TOKEN}'}},
    events: {type: 'sse', url: 'http://events.example/'},
  };
  const env = {MY_TOKEN: 'hunter2hunter2', HOST: 'docs.example'};

  function asSent(program: string) {
    return [
      {
        name: 'files',
        command: program,
        args: ['--root', '/'],
        env: [{name: 'TOKEN', value: 'hunter2hunter2'}],
      },
      {
        type: 'http',
        name: 'docs',
        url: 'https://docs.example/mcp',
        headers: [{name: 'Authorization', value: 'Bearer hunter2hunter2'}],
      },
      {type: 'sse', name: 'events', url: 'http://events.example/', headers: []},
    ];
  }

  test('are sent with new, load, resume and fork alike, with variables filled in and absolute commands', async () => {
    const takesAll = {mcpCapabilities: {http: true, sse: true}};
    const {mcp, program} = bookOf(servers, env);
    const ways = {
      new: await openScripted(agentWith(takesAll), {mcp}),
      load: continuing(
        {...agentWith({...takesAll, loadSession: true}), results: {'session/load': null}},
        mcp,
      ),
      resume: continuing(agentWith({...takesAll, sessionCapabilities: {resume: {}}}), mcp),
      fork: continuing(
        {
          ...agentWith({...takesAll, sessionCapabilities: {fork: {}}}),
          results: {'session/fork': {sessionId: 'copy'}},
        },
        mcp,
        true,
      ),
    };
    for (const [way, opened] of Object.entries(ways)) {
      if (way !== 'new') await opened.conversation.open();
      expect(sentWith(opened, `session/${way}`)).toEqual(asSent(program));
      expect(opened.state().mcpServers).toEqual(['files', 'docs', 'events']);
      expect(notices(opened.state())).not.toContainEqual(expect.stringContaining('left out'));
    }
  });

  test.each([
    [{mcpCapabilities: {http: true}}, ['files', 'docs'], ['sse']],
    [{mcpCapabilities: {http: false, sse: true}}, ['files', 'events'], ['http']],
    [{mcpCapabilities: null}, ['files'], ['http', 'sse']],
    [{}, ['files'], ['http', 'sse']],
  ])(
    'are limited to what an agent with %j supports, and the others are reported',
    async (able, names, lacking) => {
      const {mcp} = bookOf(servers, env);
      const opened = await openScripted(agentWith(able), {mcp});
      expect(sentWith(opened, 'session/new')).toMatchObject(names.map((name) => ({name})));
      expect(notices(opened.state())).toEqual(
        lacking.map((transport) =>
          expect.stringContaining(`does not support MCP servers over ${transport}.`),
        ),
      );
    },
  );

  test('leave out one with an unset variable, naming the variable and the file', async () => {
    const {mcp, folder} = bookOf(servers, {HOST: 'h'});
    const opened = await openScripted({}, {mcp});
    expect(sentWith(opened, 'session/new')).toEqual([]);
    expect(notices(opened.state())[0]).toBe(
      `MCP server "files" (${folder}/config.json) skipped: the variable MY_TOKEN is not set.`,
    );
  });

  test("are reported when omitted for the agent's capabilities, too", async () => {
    const {mcp} = bookOf({files: {command: 'server', env: {TOKEN: '${GIVEN}'}}});
    const opened = makeConversation(['script', '{}'], {mcp});
    await opened.conversation.open();
    expect(notices(opened.state())[0]).toContain('GIVEN is not set');
  });

  test.each([
    ['nobody-has-this', 'program "nobody-has-this" not found on PATH'],
    ['./bin/nothing', 'program "./bin/nothing" not found in '],
    ['./bin/readme', 'program "./bin/readme" not found in '],
    ['./bin', 'program "./bin" not found in '],
  ])('leave out the command %s and say so', async (command, why) => {
    const {mcp} = bookOf({a: {command}});
    const opened = await openScripted({}, {mcp});
    expect(sentWith(opened, 'session/new')).toEqual([]);
    expect(notices(opened.state())).toEqual([expect.stringContaining(why)]);
  });

  test('resolve a relative command from the folder of its file', async () => {
    const {mcp, program} = bookOf({a: {command: './bin/server'}, b: {command: 'bin/../bin/server'}});
    const opened = await openScripted({}, {mcp});
    expect(sentWith(opened, 'session/new')).toMatchObject([{command: program}, {command: program}]);
  });

  test.each([
    ['file:///etc/passwd', {}, 'not an http or https URL'],
    ['nonsense', {}, 'not an http or https URL'],
    ['https://ok', {X: 'a\r\nY: b'}, 'the header "X" contains a line break'],
  ])('leave out the URL %s with %j', async (url, headers, why) => {
    const {mcp} = bookOf({a: {url, headers}});
    const opened = await openScripted(agentWith({mcpCapabilities: {http: true}}), {mcp});
    expect(sentWith(opened, 'session/new')).toEqual([]);
    expect(notices(opened.state())).toEqual([expect.stringContaining(why)]);
  });
});

test("servers are not reported as left out before the agent's capabilities are known", async () => {
  const {mcp} = bookOf({docs: {url: 'https://docs.example'}});
  const opened = makeConversation(['script', '{}'], {mcp});
  expect(await opened.conversation.listMcpServers()).toMatchObject([{next: 'on'}]);
  await opened.conversation.open();
  expect(await opened.conversation.listMcpServers()).toMatchObject([{next: {leftOut: expect.any(String)}}]);
});

describe('switching MCP servers', () => {
  test('applies from the next session on, also in later runs in that folder, and can be undone', async () => {
    const {mcp} = bookOf({a: {command: 'server'}, b: {command: 'server', disabled: true}});
    const opened = await openScripted({}, {mcp});
    const actions = opened.conversation;
    const names = () =>
      opened
        .sent()
        .filter(({method}) => method === 'session/new')
        .map(({params}) => ((params?.['mcpServers'] ?? []) as {name: string}[]).map(({name}) => name));
    await actions.toggleMcpServer('a');
    await actions.toggleMcpServer('b');
    expect(await actions.listMcpServers()).toMatchObject([
      {name: 'a', next: 'off'},
      {name: 'b', next: 'on'},
    ]);
    expect(opened.state().mcpServers).toEqual(['a']);
    await actions.openSession({kind: 'new'});
    await actions.toggleMcpServer('a');
    await actions.openSession({kind: 'new'});
    expect(names()).toEqual([['a'], ['b'], ['a', 'b']]);
  });

  test('does not affect other folders', async () => {
    const {mcp} = bookOf({a: {command: 'server'}});
    const first = await openScripted({}, {mcp});
    await first.conversation.toggleMcpServer('a');
    const second = await openScripted({}, {mcp});
    expect(sentWith(second, 'session/new')).toHaveLength(1);
  });

  test('reports omitted servers once, not for every session', async () => {
    const {mcp} = bookOf({a: {command: 'nobody-has-this'}});
    const opened = await openScripted({}, {mcp});
    await opened.conversation.openSession({kind: 'new'});
    expect(notices(opened.state()).filter((text) => text.includes('skipped'))).toHaveLength(1);
  });

  test('is reported for a resumed session with other servers than before', async () => {
    const {mcp} = bookOf({a: {command: 'server'}, b: {command: 'server'}});
    const opened = await openScripted(agentWith({loadSession: true}), {mcp});
    opened.prompt('hello');
    await opened.until(({lastTurn}) => lastTurn !== undefined, 'the end');
    await opened.conversation.toggleMcpServer('b');
    await opened.conversation.openSession({kind: 'continue', sessionId: 'session-1'});
    expect(notices(opened.state())).toEqual(['The MCP servers of this session have changed: b is removed.']);
  });
});

test('values of variables are secret from then on, whatever their names', async () => {
  const {mcp, secrets} = bookOf(
    {
      a: {
        command: 'server',
        args: ['--at=${PLACE}'],
        env: {X: '${ORDINARY_NAME}', SHORT: '${S}', ROOT: '${R}'},
      },
    },
    {ORDINARY_NAME: 'hunter2hunter2', PLACE: 'somewhere else', S: 'short', R: '/a/long/path'},
  );
  await openScripted({}, {mcp});
  expect([...secrets.values()]).toEqual(['somewhere else', 'hunter2hunter2']);
});
