import {expect, test} from 'vitest';
import {
  clientCapabilities,
  takesAdditionalDirectories,
  takesInPrompt,
} from '../../../src/protocol/capabilities.ts';

test('what the user switches off is not offered', () => {
  expect(clientCapabilities({fs: true, terminal: false})).toMatchObject({
    fs: {readTextFile: true, writeTextFile: true},
    terminal: false,
  });
  expect(clientCapabilities({fs: false, terminal: true})).toMatchObject({
    fs: {readTextFile: false, writeTextFile: false},
    terminal: true,
  });
});

test('a prompt may hold text and links always, the rest as advertised', () => {
  const types = ['text', 'resource_link', 'image', 'audio', 'resource'] as const;
  const taken = (capabilities: Parameters<typeof takesInPrompt>[0]) =>
    types.filter((type) => takesInPrompt(capabilities, type));
  expect(taken(undefined)).toEqual(['text', 'resource_link']);
  expect(taken({promptCapabilities: {image: true, embeddedContext: true}})).toEqual([
    'text',
    'resource_link',
    'image',
    'resource',
  ]);
  expect(taken({promptCapabilities: {audio: true}})).toEqual(['text', 'resource_link', 'audio']);
});

test('an empty object is an offer, null is none', () => {
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: {}}})).toBe(true);
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: null}})).toBe(false);
  expect(takesAdditionalDirectories({sessionCapabilities: {}})).toBe(false);
  expect(takesAdditionalDirectories(undefined)).toBe(false);
});
