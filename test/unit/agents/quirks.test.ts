import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {quirksOf, describeQuirks} from '../../../src/agents/quirks.ts';
import {withKnownVariables} from '../../../src/conversation/sign-in/variables.ts';

/** The name in the `initialize` response of a recording. */
function nameIn(file: string): string {
  const lines = readFileSync(join(import.meta.dirname, '../../../fixtures/wire', file), 'utf8').split('\n');
  const {m} = JSON.parse(lines[1] ?? '') as {m: {result: {agentInfo: {name: string}}}};
  return m.result.agentInfo.name;
}

test('Gemini CLI reads missing files as empty ones, and sends commands as titles and modes as messages', () => {
  for (const file of ['gemini-write-missingempty.ndjson', 'gemini-run.ndjson', 'gemini-modes.ndjson'])
    expect(quirksOf(nameIn(file))).toMatchObject({
      emptyFileWhenMissing: true,
      commandAsTitle: true,
      modeAsMessage: true,
    });
});

test('describes known quirks in sentences, and what acp-tui does about them', () => {
  for (const file of ['codex-write.ndjson', 'gemini-run.ndjson', 'opencode-fork.ndjson']) {
    const quirks = quirksOf(nameIn(file));
    const {notes = [], ...ours} = quirks;
    expect(describeQuirks(quirks)).toHaveLength(Object.keys(ours).length + notes.length);
    expect(describeQuirks(quirks).length).toBeGreaterThan(2);
    for (const words of describeQuirks(quirks)) expect(words).toMatch(/\.$/);
  }
});

test('other agents have no quirks', () => {
  expect(quirksOf('any-agent')).toEqual({});
  expect(quirksOf('toString')).toEqual({});
  expect(quirksOf(undefined)).toEqual({});
  expect(describeQuirks({})).toEqual([]);
});

test('a sign-in that reads environment variables silently asks for them', () => {
  const key = {id: 'gemini-api-key', name: 'Gemini API key'};
  const others = [
    {id: 'oauth-personal', name: 'Log in with Google'},
    {id: 'toString', name: 'Odd'},
  ];
  expect(withKnownVariables([key, ...others], 'gemini-cli')).toEqual([
    {...key, type: 'env_var', vars: [expect.objectContaining({name: 'GEMINI_API_KEY', secret: true})]},
    ...others,
  ]);
  expect(withKnownVariables([key], 'another')).toEqual([key]);
});
