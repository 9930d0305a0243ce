import type * as acp from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {supportedContent} from '../../../../src/modes/acp-agent/prompt-blocks.ts';

const agent = (promptCapabilities: acp.PromptCapabilities) => ({
  name: 'agent',
  title: undefined,
  version: undefined,
  capabilities: {promptCapabilities},
  authMethods: [],
  authStatus: undefined,
  steers: false,
  protocolVersion: 1,
});
const embedded = (uri: string): acp.ContentBlock => ({type: 'resource', resource: {uri, text: 'the text'}});
const image: acp.ContentBlock = {type: 'image', data: 'AA==', mimeType: 'image/png'};
const all = [embedded('file:///a/b.ts'), image];

test('what the agent accepts is unchanged', () => {
  expect(supportedContent(all, agent({image: true, embeddedContext: true}))).toEqual(all);
});

test('embedded files become links, and what has no file becomes text', () => {
  expect(supportedContent([embedded('file:///a/b.ts'), embedded('untitled:1')], agent({}))).toEqual([
    {type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts'},
    {type: 'text', text: 'untitled:1:\nthe text'},
  ]);
});

test('an image that the agent does not accept is refused', () => {
  expect(() => supportedContent([image], undefined)).toThrow('does not accept image content');
});
