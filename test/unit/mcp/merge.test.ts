import {expect, test} from 'vitest';
import {readServers, type McpSource, mergeServers} from '../../../src/settings/server-config.ts';

function from(kind: McpSource['kind'], servers: Record<string, string>) {
  const entries = Object.entries(servers).map(([name, command]) => [name, {command}]);
  return readServers(Object.fromEntries(entries), {kind, file: `/${kind}.json`}).servers;
}

test('the last of several servers with one name wins, and reports what it replaces', () => {
  const merged = mergeServers([
    from('user', {a: 'user-a', b: 'user-b'}),
    from('folder', {b: 'folder-b', c: 'folder-c'}),
    from('option', {b: 'option-b'}),
  ]);
  expect(merged.map((server) => [server.name, server.source.kind, server.insteadOf?.kind])).toEqual([
    ['a', 'user', undefined],
    ['b', 'option', 'folder'],
    ['c', 'folder', undefined],
  ]);
});

test('names of built-in properties are ordinary names', () => {
  const servers = readServers(JSON.parse('{"__proto__":{"command":"x"},"constructor":{"command":"y"}}'), {
    kind: 'user',
    file: '/user.json',
  }).servers;
  expect(mergeServers([servers]).map(({name}) => name)).toEqual(['__proto__', 'constructor']);
});
