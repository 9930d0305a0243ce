import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {createNormalizer} from '../../../src/protocol/normalize/deviation.ts';
import {readPermission} from '../../../src/protocol/normalize/messages.ts';
import {eventsOf, recordings} from '../../support/session/recorded.ts';

const normalize = createNormalizer(() => {});

function inOrder(options: readonly acp.PermissionOption[]): readonly string[] {
  const toolCall = {toolCallId: 'a', title: 'Run ls'};
  const {request} = readPermission({sessionId: 's', toolCall, options}, normalize);
  return request.options.map(({optionId}) => optionId);
}

test('options are listed from the narrowest yes to the widest no', () => {
  const kinds = ['reject_always', 'allow_always', 'reject_once', 'allow_once'] as const;
  const options = kinds.map((kind) => ({optionId: kind, name: kind, kind}));
  expect(inOrder(options)).toEqual(['allow_once', 'allow_always', 'reject_once', 'reject_always']);
});

test('options of one kind keep the order of the agent', () => {
  const options = ['server', 'tool', 'all'].map((optionId) => ({
    optionId,
    name: optionId,
    kind: 'allow_always' as const,
  }));
  const once = {optionId: 'once', name: 'once', kind: 'allow_once' as const};
  expect(inOrder([...options, once])).toEqual(['once', 'server', 'tool', 'all']);
});

test.each(recordings)('the first option of every request in %s allows once', (recording) => {
  for (const event of eventsOf(recording)) {
    if (event.type !== 'permission_requested') continue;
    expect(event.request.options[0]?.kind).toBe('allow_once');
  }
});
