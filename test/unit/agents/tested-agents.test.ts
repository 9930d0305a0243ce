import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {registryEntry} from '../../../src/agents/registry.ts';
import {testedAgent, TESTED_PACKAGES} from '../../../src/agents/tested-agents.ts';

test.each(Object.entries(TESTED_PACKAGES))(
  'what is installed of %s without the registry is what was tested',
  (id, [name, version]) => {
    const page = readFileSync(new URL('../../../docs/internals/tested-agents.md', import.meta.url), 'utf8');
    const row = page
      .split('\n')
      .find((line) => line.includes(`(\`${name}\`)`) && line.includes(` ${version} `));
    expect(row).toBeDefined();
    const entry = testedAgent(id);
    expect(entry && registryEntry.parse(entry)).toMatchObject({
      id,
      version,
      distribution: {npx: {package: `${name}@${version}`}},
    });
  },
);

test('an agent is found by its product, and one that is no package is not installed', () => {
  expect(testedAgent('claude')?.id).toBe('claude-acp');
  expect(testedAgent('goose')).toBeUndefined();
  expect(testedAgent('nonesuch')).toBeUndefined();
});
