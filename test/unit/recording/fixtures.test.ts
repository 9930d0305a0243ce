import {readdirSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {exchangesOf} from '../../../src/recording/exchanges.ts';
import {readRecording} from '../../../src/recording/format.ts';
import {brokenRules} from '../../../src/recording/rules/index.ts';

const folder = new URL('../../../fixtures/wire/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));

test.each(files)('the wire %s, recorded from a real agent, is a valid recording', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const {lines, unreadable} = readRecording(text);
  expect(unreadable).toBe(0);
  expect(lines).toHaveLength(text.trimEnd().split('\n').length);
});

test('the example of docs/internals/recordings.md follows the schema', () => {
  const page = readFileSync(new URL('../../../docs/internals/recordings.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  expect(readRecording(example)).toMatchObject({lines: {length: 5}, unreadable: 0});
});

test('real agents break no other rule', () => {
  const broken = files.flatMap((file) => {
    const {lines} = readRecording(readFileSync(new URL(file, folder), 'utf8'));
    const found = [...brokenRules(exchangesOf(lines)).values()].flat();
    return found.map(({rule, kind}) => `${file}: ${rule}, ${kind}`);
  });
  expect([...new Set(broken)]).toEqual([
    'cline-run.ndjson: known-values, violation',
    'cline-run.ndjson: known-tool-call, violation',
    'codex-cancelperm-readonly.ndjson: finished-tool-calls, remark',
    'codex-cancelrun.ndjson: within-turn, violation',
    'codex-cancelrun.ndjson: finished-tool-calls, remark',
    'codex-cancelrun.ndjson: known-terminal, remark',
    'codex-fail-minimal.ndjson: known-terminal, violation',
    'codex-fail.ndjson: known-terminal, remark',
    'codex-outside.ndjson: known-terminal, remark',
    'codex-sub.ndjson: within-turn, remark',
    'copilot-write-run-edit.ndjson: absolute-paths, violation',
    'gemini-modes.ndjson: within-turn, remark',
    'kilo-write.ndjson: absolute-paths, violation',
    'nanocoder-failed-subagent.ndjson: permission-choices, remark',
    'opencode-fork.ndjson: open-session, remark',
    'opencode-write-nofs.ndjson: offered-methods, violation',
    'zed-claude-allow.ndjson: line-numbers, violation',
    'zed-claude-edit.ndjson: line-numbers, violation',
  ]);
});
