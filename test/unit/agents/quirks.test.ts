import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {quirksOf} from '../../../src/agents/quirks/index.ts';

/** The name in the answer to `initialize` of a recording. */
function nameIn(file: string): string {
  const lines = readFileSync(join(import.meta.dirname, '../../../fixtures/wire', file), 'utf8').split('\n');
  const {m} = JSON.parse(lines[1] ?? '') as {m: {result: {agentInfo: {name: string}}}};
  return m.result.agentInfo.name;
}

test('Gemini CLI reads missing files as empty ones and tells commands as titles, known by the name that it tells', () => {
  for (const file of ['gemini-write-missingempty.ndjson', 'gemini-run.ndjson'])
    expect(quirksOf(nameIn(file))).toEqual({emptyFileWhenMissing: true, commandAsTitle: true});
});

test('others have no quirks', () => {
  expect(quirksOf(nameIn('codex-write.ndjson'))).toEqual({});
  expect(quirksOf('toString')).toEqual({});
  expect(quirksOf(undefined)).toEqual({});
});
