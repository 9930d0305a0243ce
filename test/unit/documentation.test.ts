import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {clientCapabilities} from '../../src/protocol/capabilities.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8');

describe('docs/protocol.md', () => {
  const rows = [...page.matchAll(/^\|[^|]+\| `(\S+\.test\.tsx?)`: ([^|]+?) +\|$/gm)].map(
    ([, file = '', name = '']) => [file, name] as const,
  );

  test('names tests that exist', () => {
    expect(rows.length).toBeGreaterThan(50);
    const missing = rows.filter(
      ([file, name]) => !readFileSync(join(root, 'test', file), 'utf8').includes(name),
    );
    expect(missing).toEqual([]);
  });

  test('shows the capabilities that are sent', () => {
    const [, json = ''] = /```json\n([^]*?)\n```/.exec(page) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      clientCapabilities: clientCapabilities({fs: true, terminal: true}),
    });
  });
});

test.each(readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')))(
  'the links of docs/%s lead to files that are there',
  (name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(root, 'docs', target)))).toEqual([]);
  },
);
