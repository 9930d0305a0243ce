import {methods as methods1} from '@agentclientprotocol/sdk/unstable';
import {methods as methods2} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {expect, test} from 'vitest';
import {isRemoved, requestOf} from '../../../src/protocol/agent-side/received-requests.ts';
import {translatedRequest} from '../../../src/protocol/v2/v2-requests.ts';

test.each(namesIn(methods2.agent))('%s is the same method in both directions', (method) => {
  expect(translatedRequest(requestOf(method, {}, false).method).method).toBe(method);
});

test.each(namesIn(methods1.agent))('%s is not found in version 2 if only version 1 has it', (method) => {
  expect(isRemoved(method)).toBe(!namesIn(methods2.agent).includes(method));
});

interface Group {
  readonly [name: string]: string | Group;
}

/** The methods in the SDK's groups of them. */
function namesIn(group: Group): readonly string[] {
  return Object.values(group).flatMap((each) => (typeof each === 'string' ? [each] : namesIn(each)));
}

test('a server without what version 1 requires gets it', () => {
  const [web, program] = [
    {type: 'http', name: 'web', url: 'https://example.com'},
    {name: 'program', command: '/bin/program'},
  ];
  const mcpServers = [web, {type: 'stdio', ...program}];
  expect(requestOf('session/new', {mcpServers}, false).params['mcpServers']).toEqual([
    {...web, headers: []},
    {...program, args: [], env: []},
  ]);
});
