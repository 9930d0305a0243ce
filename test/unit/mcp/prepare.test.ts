import {expect, test} from 'vitest';
import {prepareServer} from '../../../src/mcp/prepare.ts';
import {readServers} from '../../../src/settings/server-config.ts';

test.each([
  ['a file', {}, {url: 'http://localhost/me', value: 'me'}],
  [
    'an editor, which has expanded its own',
    {isLiteral: true},
    {url: 'http://localhost/${NAME}', value: '${NAME}'},
  ],
] as const)('variables in a server of %s', (_what, how, {url, value}) => {
  const config = {web: {type: 'http', url: 'http://localhost/${NAME}', headers: {Authorization: '${NAME}'}}};
  const [server] = readServers(config, {kind: 'option', file: 'x', ...how}).servers;
  expect(
    prepareServer(server!, {variables: {NAME: 'me'}, onValue: () => undefined, capabilities: undefined}),
  ).toMatchObject({as: {url, headers: [{name: 'Authorization', value}]}});
});
