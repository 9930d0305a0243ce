import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {resultSchema, streamEventSchema} from '../../../../../src/modes/print/schema.ts';
import {exactly} from '../../../../support/program/exactly.ts';

const page = readFileSync(new URL('../../../../../docs/scripts.md', import.meta.url), 'utf8');

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/scripts.md has no block of ${language}`);
  return found;
}

test('the json example follows the schema, with every field described', () => {
  const result = exactly(resultSchema, block('json'));
  for (const field of Object.keys(result)) expect(page).toMatch(new RegExp(`^\\| \`${field}\` +\\|`, 'm'));
});

test('the stream-json examples follow the schema, one for each type of event, each described', () => {
  const events = block('ndjson')
    .split('\n')
    .map((line) => exactly(streamEventSchema, line));
  const types = streamEventSchema.def.options.map(({shape}) => shape.type.def.values[0]);
  expect(new Set([...events.map(({type}) => type), 'result'])).toEqual(new Set(types));
  expect(events).toHaveLength(types.length - 1);
  for (const type of types) expect(page).toMatch(new RegExp(`^\\| \`${type}\` +\\|`, 'm'));
});
