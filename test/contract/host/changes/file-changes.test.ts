import {writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {createNormalizer} from '../../../../src/protocol/normalize/deviation.ts';
import {readPermission} from '../../../../src/protocol/normalize/messages.ts';
import {DENIED, diff, OPTIONS, rules, useHosts} from '../hosts.ts';
import {type Call, outcome, wired} from './wired.ts';

const {setUp, at} = useHosts();

const gone = (path: string, oldText = 'one\n') => ({type: 'diff', path, oldText, newText: '', deleted: true});

const DELETED = [
  ['a diff that says so', () => ({kind: 'edit', content: [gone(at('gone.txt'))]})],
  ['one of another kind', () => ({kind: 'other', content: [gone(at('gone.txt'))]})],
  ['one without the old text', () => ({kind: 'edit', content: [{...gone(at('gone.txt')), oldText: null}]})],
  [
    'a hint of the agent',
    () => ({kind: 'edit', content: [{...diff(at('gone.txt'), '', 'one\n'), _meta: {kind: 'delete'}}]}),
  ],
  ['the kind alone', () => ({kind: 'delete', content: [diff(at('gone.txt'), '', 'one\n')]})],
] as const;

describe.each(DELETED)('a deletion in %s', (_, call) => {
  test('is none that --approve edits allows, and is offered as one', async () => {
    await writeFile(at('gone.txt'), 'one\n');
    const under = setUp({approval: 'edits'});
    expect(await outcome(under, wired(under, call()))).toBe('asked');
    expect(under.asked[0]).toMatchObject({rule: 'delete ./gone.txt', outdated: undefined});
    expect(under.records[0]).toMatchObject({kind: 'delete'});
  });

  test.each([
    ['allow edit **', 'asked'],
    ['allow delete **', 'x-once'],
    ['deny delete gone.*', 'x-no'],
    ['deny delete', 'x-no'],
    ['deny any gone.*', 'x-no'],
    ['deny move', 'asked'],
  ])('is decided by %s: %s', async (rule, expected) => {
    await writeFile(at('gone.txt'), 'one\n');
    const under = setUp({rules: rules(rule)});
    expect(await outcome(under, wired(under, call()))).toBe(expected);
  });

  test('covers no write of an empty file', async () => {
    await writeFile(at('gone.txt'), 'one\n');
    const under = setUp();
    const answered = wired(under, call());
    await under.answer('allow_once');
    expect(await answered).toBe('x-once');
    const writing = under.write(at('gone.txt'), '');
    await under.answer('reject_once');
    expect(await writing).toBe(DENIED);
  });
});

test('what a deny rule says of the kind that a deletion claims holds, too', async () => {
  const under = setUp({rules: rules('deny edit gone.txt')});
  expect(await outcome(under, wired(under, {kind: 'edit', content: [gone(at('gone.txt'))]}))).toBe('x-no');
});

test('a change that claims to be a deletion is allowed by no rule for deletions', async () => {
  await writeFile(at('a'), 'old');
  const under = setUp({rules: rules('allow delete **')});
  const content = [{...diff(at('a'), 'new', 'old'), deleted: true}, diff(at('b'), 'new')];
  for (const each of content)
    expect(await outcome(under, wired(under, {kind: 'delete', content: [each]}))).toBe('asked');
});

test('a deletion beside an edit is decided as both', async () => {
  const content = [diff(at('src'), 'x'), gone(at('gone.txt'))];
  const deletes = setUp({approval: 'edits', rules: rules('allow delete **')});
  expect(await outcome(deletes, wired(deletes, {kind: 'edit', content}))).toBe('asked');
  const denied = setUp({approval: 'all', rules: rules('deny delete src')});
  expect(await outcome(denied, wired(denied, {kind: 'other', content}))).toBe('x-once');
});

test.each([
  ['*** Begin Patch\n*** Delete File: a.txt\n*** End Patch', 'delete'],
  ['--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n', 'delete'],
  ['*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n*** End Patch', 'move'],
  ['diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n', 'move'],
  ['--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n', 'edit'],
  ['diff --git a/a.txt b/a.txt\ndeleted file mode 100644\nindex e69de29..0000000\n', 'delete'],
])('a patch in the input, %j, is decided as %s', async (patch, kind) => {
  const under = setUp({approval: 'edits'});
  const call = {kind: 'edit', locations: [{path: at('a.txt')}], rawInput: {patch}};
  expect(await outcome(under, wired(under, call))).toBe(kind === 'edit' ? 'x-once' : 'asked');
  expect(under.records[0]).toMatchObject({kind});
});

// As GitHub Copilot names files (copilot-write-run-edit.ndjson).
test.each([
  ['a new file', (file: string) => `--- a/dev/null\n+++ b${file}\n@@ -1,0 +1 @@\n+x\n`, 'x-once'],
  ['an edit', (file: string) => `--- a${file}\n+++ b${file}\n@@ -1 +1 @@\n-x\n+y\n`, 'x-once'],
  ['a deletion', (file: string) => `--- a${file}\n+++ b/dev/null\n@@ -1 +0,0 @@\n-x\n`, 'asked'],
])(
  'a patch of absolute paths is allowed by a rule for the files that it names: %s',
  async (_, patch, how) => {
    const under = setUp({rules: rules('allow edit notes/**')});
    const file = at('notes/a.md');
    const call = {kind: 'edit', locations: [{path: file}], rawInput: {fileName: file, diff: patch(file)}};
    expect(await outcome(under, wired(under, call))).toBe(how);
  },
);

test.each([
  ['edit', 'x-once'],
  ['delete', 'asked'],
])(
  'the folder around a file that an input names may be what is deleted, but not what is edited: %s',
  async (kind, how) => {
    const under = setUp({rules: rules(`allow ${kind} notes/**`)});
    const call = {kind, locations: [{path: at('notes/a.md')}], rawInput: {path: 'notes/a.md', cwd: at('')}};
    expect(await outcome(under, wired(under, call))).toBe(how);
  },
);

const RENAMED = 'diff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n';

describe('a move', () => {
  test('to a name that no file has loses nothing', async () => {
    await writeFile(at('old.txt'), 'one\n');
    const under = setUp({approval: 'edits'});
    const content = [diff(at('new.txt'), 'two\n', 'one\n')];
    const locations = [{path: at('old.txt')}];
    expect(await outcome(under, wired(under, {kind: 'move', content, locations}))).toBe('asked');
    expect(under.asked[0]!.outdated).toBeUndefined();
  });

  test('to one that a file has says that it may be lost', async () => {
    await writeFile(at('new.txt'), 'mine\n');
    const under = setUp();
    const content = [diff(at('new.txt'), 'two\n', 'one\n')];
    expect(await outcome(under, wired(under, {kind: 'move', content}))).toBe('asked');
    expect(under.asked[0]!.outdated).toEqual([{path: at('new.txt'), why: 'differs'}]);
  });
});

test('a diff that cannot be read is decided by its path', async () => {
  const {host} = setUp({rules: rules('deny any .env*')});
  const toolCall = {
    toolCallId: 't',
    kind: 'edit',
    content: [{type: 'diff', path: at('.env'), newText: null}],
  };
  const asked = readPermission(
    {sessionId: 's', options: OPTIONS, toolCall},
    createNormalizer(() => {}),
  );
  const {outcome} = await host.requestPermission(asked, new AbortController().signal);
  expect(outcome).toEqual({outcome: 'selected', optionId: 'x-no'});
});

const PATCH = '*** Begin Patch\n*** Update File: src/a\n@@\n-x\n+y\n*** End Patch';
const EDITS = [
  ['a diff', () => ({content: [diff(at('src/a'), 'new')]})],
  ['a patch in the input', () => ({rawInput: {patch: PATCH}})],
] as const;

describe.each(EDITS)('an edit in %s', (_, edit) => {
  test.each([undefined, 'other', 'execute', 'fetch', 'switch_mode'])(
    'is one for rules, whatever kind the request claims: %s',
    async (kind) => {
      const under = setUp({approval: 'all', rules: rules('deny edit src/**')});
      expect(await outcome(under, wired(under, {kind, ...edit()}))).toBe('x-no');
      const careful = setUp({rules: rules(`allow ${kind ?? 'other'}`)});
      expect(await outcome(careful, wired(careful, {kind, ...edit()}))).toBe('asked');
    },
  );

  test('beside a command is not allowed by a rule for the command, and no such rule is offered', async () => {
    const {rawInput = {}, ...others}: Call = edit();
    const call = {kind: 'execute', rawInput: {command: 'npm test', ...Object(rawInput)}, ...others};
    const under = setUp({rules: rules('allow execute npm test')});
    expect(await outcome(under, wired(under, call))).toBe('asked');
    under.setRules([]);
    expect(await outcome(under, wired(under, call))).toBe('asked');
    expect(under.asked.map(({rule}) => rule)).toEqual([undefined, undefined]);
  });
});

test.each([
  [{patch: PATCH}, 'x-once'],
  [{patch: PATCH.replace('src/a', 'package.json')}, 'asked'],
  [{patch: `${PATCH}\n*** Delete File: src/b`}, 'asked'],
  [{file_path: 'src/b'}, 'x-once'],
  [{file_path: 'package.json'}, 'asked'],
])('a rule has to match every file in the input, too: %j', async (rawInput, expected) => {
  const under = setUp({rules: rules('allow edit src/**')});
  const call = {kind: 'edit', locations: [{path: at('src/a')}], rawInput};
  expect(await outcome(under, wired(under, call))).toBe(expected);
});

test.each([
  ['deny read old.txt', 'copy from old.txt\ncopy to new.txt\n', 'x-no'],
  ['deny read new.txt', 'copy from old.txt\ncopy to new.txt\n', 'x-once'],
  ['deny delete old.txt', RENAMED, 'x-no'],
  ['deny delete new.txt', RENAMED, 'x-once'],
  ['deny edit new.txt', RENAMED, 'x-no'],
  ['deny delete a.txt', '*** Update File: a.txt\n*** Move to: b.txt\n', 'x-no'],
  ['deny delete b.txt', '*** Update File: a.txt\n*** Move to: b.txt\n', 'x-once'],
  ['deny edit a.txt', 'diff --git a/a.txt b/a.txt\nnew file mode 100644\n', 'x-no'],
  ['deny edit é', '--- "a/\\303\\251"\n+++ "b/\\303\\251"\n@@ -1 +1 @@\n-x\n+y\n', 'x-no'],
])('%s decides about what a patch in the input does: %j', async (rule, patch, expected) => {
  const under = setUp({approval: 'all', rules: rules(rule)});
  expect(await outcome(under, wired(under, {kind: 'other', rawInput: {patch}}))).toBe(expected);
});

test.each([
  ['a', 'x-once'],
  ['b', 'asked'],
])(
  'a rule about what is done to one file allows nothing of a file that is only named: %s',
  async (name, expected) => {
    const under = setUp({rules: rules('allow delete **')});
    const call = {kind: 'edit', content: [gone(at('a'))], locations: [{path: at(name)}]};
    expect(await outcome(under, wired(under, call))).toBe(expected);
  },
);

test.each([
  ['a file outside', () => ({locations: [{path: '/etc/hosts'}]})],
  ['a change', () => ({content: [diff(at('src'), 'x')]})],
])('an answer for the session covers no command in a request that is also about %s', async (_, more) => {
  const under = setUp();
  const asking = under.permission({kind: 'execute', rawInput: {command: 'make'}, ...more()});
  await under.answer('allow_always');
  await asking;
  expect(under.host.sessionGrants.list()).toEqual([]);
});
