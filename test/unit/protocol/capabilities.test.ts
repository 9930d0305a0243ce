import {expect, test} from 'vitest';
import {clientCapabilities, takesAdditionalDirectories} from '../../../src/protocol/capabilities.ts';

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

test('an empty object is an offer, null is none', () => {
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: {}}})).toBe(true);
  expect(takesAdditionalDirectories({sessionCapabilities: {additionalDirectories: null}})).toBe(false);
  expect(takesAdditionalDirectories({sessionCapabilities: {}})).toBe(false);
  expect(takesAdditionalDirectories(undefined)).toBe(false);
});
