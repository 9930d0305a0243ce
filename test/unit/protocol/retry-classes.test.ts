import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {isRepeatable, RETRY_CLASSES} from '../../../src/protocol/retry-classes.ts';

const SDK = '../../../node_modules/@agentclientprotocol/sdk/schema/';

/** The requests to an agent in a schema of the SDK. */
function requestsOf(version: 1 | 2): readonly string[] {
  const file = fileURLToPath(new URL(`${SDK}v${version}/schema.unstable.json`, import.meta.url));
  const {$defs} = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly $defs: Readonly<Record<string, {readonly 'x-side'?: string; readonly 'x-method'?: string}>>;
  };
  return Object.entries($defs).flatMap(([name, {'x-side': side, 'x-method': method}]) =>
    side === 'agent' && method !== undefined && name.endsWith('Request') ? [method] : [],
  );
}

describe.each([1, 2] as const)('in version %d', (version) => {
  test('each request to the agent has a class', () => {
    const requests = requestsOf(version);
    expect(requests.length).toBeGreaterThan(15);
    expect(requests.filter((method) => !Object.hasOwn(RETRY_CLASSES, method))).toEqual([]);
  });

  test.each([
    ['session/load', true],
    ['session/set_config_option', true],
    ['session/new', false],
    ['session/fork', false],
    ['_session/steering', false],
    ['_unknown', false],
    ['session/prompt', version === 2],
  ])('%s may be sent again: %s', (method, expected) => {
    expect(isRepeatable(method, version)).toBe(expected);
  });
});
