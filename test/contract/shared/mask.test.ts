import {expect, test} from 'vitest';
import {createMask, createMaskDeep, createSecrets} from '../../../src/shared/mask.ts';

test.each(['a', 'token', '"', 'eyJ-', 'a.', 'sk-', 'token ', '"token', 'a://a:', 'bearer ', '-----BEGIN '])(
  'a long text of nothing but starts of credentials is masked quickly: %j',
  (beginning) => {
    const mask = createMask({});
    const started = performance.now();
    mask(beginning.repeat(400_000 / beginning.length));
    // If each start scanned everything after it, this would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  },
);

test('values passed to MCP servers are masked whole, whatever their names', () => {
  const mask = createMaskDeep({});
  const server = (env: object[], headers: object[]) => ({
    method: 'session/new',
    params: {cwd: '/home', mcpServers: [{name: 'a', command: '/bin/a', args: ['x'], env, headers}]},
  });
  expect(mask(server([{name: 'PLAIN', value: 'hunter2'}], [{name: 'X-Any', value: 'hunter2'}]))).toEqual(
    server([{name: 'PLAIN', value: '[masked]'}], [{name: 'X-Any', value: '[masked]'}]),
  );
  const nothing = server([], []);
  expect(mask(nothing)).toBe(nothing);
});

test('a value that becomes secret later is masked from then on, if it is long enough and no path', () => {
  const secrets = createSecrets();
  const mask = createMask({}, secrets);
  expect(mask('see hunter2hunter2')).toBe('see hunter2hunter2');
  for (const value of ['hunter2hunter2', 'short', '/home/user']) secrets.add(value);
  expect(mask('see hunter2hunter2, short, /home/user')).toBe('see [masked], short, /home/user');
});
