import {expect, test} from 'vitest';
import {clientCapabilities, takesAdditionalDirectories} from '../../../src/protocol/capabilities.ts';

test('capabilities disabled by the user are not advertised', () => {
  expect(clientCapabilities({fs: true, terminal: false})).toMatchObject({
    fs: {readTextFile: true, writeTextFile: true},
    terminal: false,
  });
  expect(clientCapabilities({fs: false, terminal: true})).toMatchObject({
    fs: {readTextFile: false, writeTextFile: false},
    terminal: true,
  });
});

test('an empty object is a capability, null is none', () => {
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: {}}})).toBe(true);
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: null}})).toBe(false);
  expect(takesAdditionalDirectories({sessionCapabilities: {}})).toBe(false);
  expect(takesAdditionalDirectories(undefined)).toBe(false);
});
