import {expect, test} from 'vitest';
import {isNewer} from '../../../src/shared/version.ts';

test.each([
  ['1.0.1', '1.0.0', true],
  ['1.10.0', '1.9.0', true],
  ['2.0.0', '10.0.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.1', true],
  ['1.0.0-beta.1', '1.0.0', false],
  ['1.0.0-beta.10', '1.0.0-beta.9', true],
  ['1.0.0+build.2', '1.0.0+build.1', false],
  ['v1.1.0', '1.0.0', true],
  ['2026.08.11', '2026.8.2', true],
])('%s after %s: %s', (version, than, newer) => {
  expect(isNewer(version, than)).toBe(newer);
});
