import {assert, dictionary, jsonValue, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readServers, readServersFile, type McpSource} from '../../../src/settings/server-config.ts';
import {problemTexts} from '../../../src/settings/setting-problems.ts';

const source: McpSource = {kind: 'option', file: '/project/servers.json'};

describe('MCP servers in a file', () => {
  test('are programs or URLs, with what they need', () => {
    const {servers, problems} = readServersFile(
      JSON.stringify({
        mcpServers: {
          files: {command: './server', args: ['--root', '/'], env: {LEVEL: 3, TOKEN: '${TOKEN}'}},
          docs: {type: 'http', url: 'https://docs.example/mcp', headers: {Authorization: 'Bearer x'}},
        },
      }),
      source,
    );
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        name: 'files',
        source,
        disabled: false,
        transport: 'stdio',
        command: './server',
        args: ['--root', '/'],
        env: [
          ['LEVEL', '3'],
          ['TOKEN', '${TOKEN}'],
        ],
        base: '/project',
      },
      {
        name: 'docs',
        source,
        disabled: false,
        transport: 'http',
        url: 'https://docs.example/mcp',
        headers: [['Authorization', 'Bearer x']],
      },
    ]);
  });

  test.each([
    [{command: 'a'}, 'stdio'],
    [{type: 'stdio', command: 'a', alwaysAllow: ['x'], timeout: 3}, 'stdio'],
    [{url: 'https://a'}, 'http'],
    [{type: 'streamable-http', url: 'https://a'}, 'http'],
    [{type: 'streamableHttp', url: 'https://a'}, 'http'],
    [{type: 'sse', url: 'https://a'}, 'sse'],
    [{transport: 'Streamable_HTTP', url: 'https://a'}, 'http'],
    [{type: 'remote', url: 'https://a'}, 'http'],
    [{type: 'local', command: ['a', 'b']}, 'stdio'],
  ])('written as %j use the transport %s', (given, transport) => {
    expect(readServers({a: given}, source)).toMatchObject({servers: [{transport}], problems: []});
  });

  test('may also be under "servers"', () => {
    expect(readServersFile('{"servers":{"a":{"command":"b"}}}', source).servers).toHaveLength(1);
  });

  test('can be switched off', () => {
    expect(readServers({a: {command: 'b', disabled: true}}, source).servers[0]?.disabled).toBe(true);
    expect(readServers({a: {command: 'b', enabled: false}}, source).servers[0]?.disabled).toBe(true);
    expect(readServers({a: {command: 'b', enabled: true}}, source).servers[0]?.disabled).toBe(false);
    const both = {command: 'b', enabled: true, disabled: true};
    expect(readServers({a: both}, source).servers[0]?.disabled).toBe(true);
  });

  test('are read as other clients write them', () => {
    const {servers} = readServers(
      {
        a: {type: 'local', command: ['npx', '-y', 'x'], args: ['z'], environment: {A: 'b'}},
        b: {serverUrl: 'https://b', url: 'https://a', http_headers: {X: 'y'}},
      },
      source,
    );
    expect(servers).toMatchObject([
      {command: 'npx', args: ['-y', 'x', 'z'], env: [['A', 'b']]},
      {url: 'https://a', headers: [['X', 'y']]},
    ]);
  });

  test.each([
    ['transport', {transport: 'sse', url: 'https://a'}, {type: 'sse', url: 'https://a'}],
    ['transportType', {transportType: 'sse', url: 'https://a'}, {type: 'sse', url: 'https://a'}],
    ['httpUrl', {httpUrl: 'https://a'}, {url: 'https://a'}],
    ['serverUrl', {serverUrl: 'https://a'}, {url: 'https://a'}],
    ['uri', {uri: 'https://a'}, {url: 'https://a'}],
    ['cmd', {cmd: 'npx', args: ['a']}, {command: 'npx', args: ['a']}],
    ['environment', {command: 'npx', environment: {A: 'b'}}, {command: 'npx', env: {A: 'b'}}],
    ['envs', {command: 'npx', envs: {A: 'b'}}, {command: 'npx', env: {A: 'b'}}],
    ['http_headers', {url: 'https://a', http_headers: {A: 'b'}}, {url: 'https://a', headers: {A: 'b'}}],
  ])('with %s are those with the usual field', (_name, given, usual) => {
    const {servers, problems} = readServers({a: given}, source);
    expect(problems).toEqual([]);
    expect(servers).toHaveLength(1);
    expect(servers).toEqual(readServers({a: usual}, source).servers);
  });

  test.each([
    ['no command and no URL', {args: ['x']}],
    ['an empty command', {command: ''}],
    ['args that are not strings', {command: 'a', args: [1]}],
    ['a program of type http', {type: 'http', command: 'a'}],
    ['an unknown type', {type: 'carrier-pigeon', url: 'https://a'}],
    ['only a string', 'npx server'],
  ])('with %s are named and left out, and the others stay', (_name, given) => {
    const {servers, problems} = readServers({bad: given, good: {command: 'a'}}, source);
    expect(servers.map(({name}) => name)).toEqual(['good']);
    expect(problemTexts(problems)).toEqual([
      expect.stringMatching(/"bad" in \/project\/servers\.json must be an object/),
    ]);
  });

  test.each(['', 'a\u001b[2Jb', 'a\nb', '\u202eevil', 'x'.repeat(101)])(
    'with the name %j are left out, and the notice has no control characters',
    (name) => {
      const {servers, problems} = readServers({[name]: {command: 'a'}}, source);
      expect(servers).toEqual([]);
      expect(problemTexts(problems)).toEqual([
        expect.stringMatching(/^[^\p{Cc}\u202e]+ has a name with unprintable characters/u),
      ]);
    },
  );

  test('with an unsupported field say so', () => {
    const {servers, problems} = readServers({a: {command: 'b', cwd: '/x'}}, source);
    expect(servers).toHaveLength(1);
    expect(problemTexts(problems)).toEqual([
      expect.stringContaining('has "cwd", which cannot be passed to an agent'),
    ]);
  });

  test.each(['[]', '{}', '{"mcpServers":', 'null', '"x"'])('are not read from %s, which says why', (text) => {
    const {servers, fault} = readServersFile(text, source);
    expect(servers).toEqual([]);
    expect(fault).toMatch(/^it (is not JSON|has no "mcpServers")$/);
  });

  test('that are no object are named with their file', () => {
    expect(problemTexts(readServersFile('{"mcpServers":[]}', source).problems)).toEqual([
      expect.stringContaining('/project/servers.json must be an object'),
    ]);
  });

  test('of any JSON are read without throwing, and no problem repeats a value', () => {
    assert(
      property(dictionary(string(), jsonValue()), (value) => {
        const {problems} = readServers({...value, s: {command: 7, env: {TOKEN: 'hunter2hunter2'}}}, source);
        expect(problemTexts(problems).join('\n')).not.toContain('hunter2');
      }),
    );
  });
});
