import {mkdir, writeFile} from 'node:fs/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {permission} from '../../../../src/protocol/v2/v2-shapes.ts';
import {diff, OPTIONS, rules, useHosts} from '../hosts.ts';
import {changes, outcome, read} from './wired.ts';

const {setUp, at} = useHosts();

const RENAMED = 'diff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n';

test.each([
  ['a deletion', 'gone.txt', '--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n', 'delete'],
  ['a deletion beside it', 'src', '--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n', 'delete'],
  ['a move', 'new.txt', RENAMED, 'move'],
  ['a move with changes', 'new.txt', `${RENAMED}--- a/old.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-x\n+y\n`, 'move'],
  ['a move without a word of it', 'new.txt', '--- a/old.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-x\n+y\n', 'move'],
  ['an edit', 'src', '--- a/src\n+++ b/src\n@@ -1 +1 @@\n-x\n+y\n', 'edit'],
])('the patch of a request of version 2 that says less is decided, too: %s', async (_, name, patch, kind) => {
  const under = setUp({approval: 'edits'});
  const all = [{operation: 'modify', path: at(name)}];
  expect(await outcome(under, changes(under, all, patch))).toBe(kind === 'edit' ? 'x-once' : 'asked');
  expect(under.records[0]).toMatchObject({kind});
});

test.each([
  ['a deletion of an empty file', 'diff --git a/.env b/.env\ndeleted file mode 100644\n', 'Deleted .env'],
  ['a new empty file', 'diff --git a/.env b/.env\nnew file mode 100644\nindex 0..1\n', 'Modified .env'],
  [
    'a binary file',
    'diff --git a/.env b/.env\nindex 1..2 100644\nGIT binary patch\nliteral 0\n',
    'Modified .env',
  ],
  ['a copy', 'diff --git a/src/a b/.env\ncopy from src/a\ncopy to .env\n', 'Copied src/a to .env'],
  ['a move', 'diff --git a/.env b/b\nrename from .env\nrename to b\n', 'Moved .env to b'],
])(
  '%s in the patch of a request of version 2 that does not say it is shown, and denied by its name',
  async (_, more, shown) => {
    const edited = '--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-x\n+y\n';
    const said = [{operation: 'modify', path: at('src/a')}];
    const under = setUp({approval: 'all'});
    expect(await outcome(under, changes(under, said, edited + more))).toBe('asked');
    expect(under.asked[0]!.request.toolCall.content).toMatchObject([
      {type: 'diff', path: at('src/a')},
      {type: 'content', content: {text: shown}},
    ]);
    const denied = setUp({approval: 'all', rules: rules('deny any .env*')});
    expect(await outcome(denied, changes(denied, said, edited + more))).toBe('x-no');
  },
);

describe('changes of version 2 without a patch', () => {
  const move = (oldPath: string, path: string) => ({operation: 'move', oldPath, path});

  test.each<[string, () => object, string, string]>([
    ['a move to a denied name', () => move(at('notes.txt'), at('.env.local')), 'deny any .env*', 'x-no'],
    ['a move away from one', () => move(at('.env.local'), at('notes.txt')), 'deny any .env*', 'x-no'],
    ['a move, with a rule for edits', () => move(at('a'), at('b')), 'allow edit **', 'asked'],
    ['a move, with a rule for moves', () => move(at('a'), at('b')), 'allow move **', 'x-once'],
    ['a move, with one that denies its deletion', () => move(at('a'), at('b')), 'deny delete a', 'x-no'],
    ['a move, with one that denies its new file', () => move(at('a'), at('b')), 'deny edit b', 'x-no'],
    ['a copy', () => ({operation: 'copy', oldPath: at('a'), path: at('b')}), 'deny read a', 'x-no'],
    ['an addition', () => ({operation: 'add', path: at('a')}), 'deny edit a', 'x-no'],
    ['an addition', () => ({operation: 'add', path: at('a')}), 'allow edit a', 'x-once'],
    ['a change', () => ({operation: 'modify', path: at('a')}), 'deny edit a', 'x-no'],
    ['a deletion', () => ({operation: 'delete', path: at('a')}), 'deny delete a', 'x-no'],
    ['a deletion', () => ({operation: 'delete', path: at('a')}), 'allow edit a', 'asked'],
    ['another operation', () => ({operation: '_melt', path: at('a')}), 'deny any a', 'x-no'],
    ['another operation', () => ({operation: '_melt', path: at('a')}), 'allow edit **', 'asked'],
  ])('%s is decided by rules', async (_, change, rule, expected) => {
    const under = setUp({rules: rules(rule)});
    expect(await outcome(under, changes(under, [change()]))).toBe(expected);
  });

  test.each<[string, () => object]>([
    ['a deletion outside the workspace', () => ({operation: 'delete', path: '/etc/hostname'})],
    ['a move from outside', () => move('/etc/hostname', at('a'))],
    ['a move to outside', () => move(at('a'), '/etc/hostname')],
    ['a copy from outside', () => ({operation: 'copy', oldPath: '/etc/hostname', path: at('a')})],
    ['a change of a protected path', () => ({operation: 'modify', path: at('.envrc')})],
    ['a copy of a protected path', () => ({operation: 'copy', oldPath: at('.env'), path: at('a')})],
    ['an operation without a path', () => ({operation: '_melt'})],
  ])('%s is asked about at --approve all', async (_, change) => {
    const under = setUp({approval: 'all', rules: rules('allow any')});
    expect(await outcome(under, changes(under, [{operation: 'modify', path: at('a')}, change()]))).toBe(
      'asked',
    );
  });

  test.each([
    ['add', 'x-once'],
    ['modify', 'x-once'],
    ['delete', 'asked'],
    ['move', 'asked'],
    ['_melt', 'asked'],
  ])('%s at --approve edits: %s', async (operation, expected) => {
    const under = setUp({approval: 'edits'});
    expect(await outcome(under, changes(under, [{operation, path: at('a'), oldPath: at('b')}]))).toBe(
      expected,
    );
  });
});

describe('changes of version 2 with a patch', () => {
  const hunk = '@@ -1 +1 @@\n-one\n+two\n';

  test('name what is moved, and are compared with what is there', async () => {
    await mkdir(at('src'));
    await writeFile(at('src/a'), 'one\n');
    const under = setUp();
    const moved = [{operation: 'move', oldPath: at('src/a'), path: at('src/b')}];
    const patch = `rename from src/a\nrename to src/b\n--- a/src/a\n+++ b/src/b\n${hunk}`;
    expect(await outcome(under, changes(under, moved, patch))).toBe('asked');
    const [{request, outdated} = {request: undefined, outdated: undefined}] = under.asked;
    const said = {does: 'move', path: at('src/b'), oldPath: at('src/a')};
    expect(request!.toolCall.content).toMatchObject([
      {path: at('src/b'), oldText: 'one\n', _meta: {change: said}},
    ]);
    expect(outdated).toBeUndefined();
    const denied = setUp({rules: rules('deny any src/a')});
    expect(await outcome(denied, changes(denied, moved, patch))).toBe('x-no');
  });

  test('delete what they say', async () => {
    const under = setUp({approval: 'edits'});
    const patch = `--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n`;
    expect(await outcome(under, changes(under, [{operation: 'delete', path: at('a')}], patch))).toBe('asked');
    expect(under.records[0]).toMatchObject({kind: 'delete', paths: [at('a')]});
  });

  test('are not hidden by a patch for another file', async () => {
    const under = setUp();
    const patch = `--- a/other\n+++ b/other\n${hunk}`;
    expect(await outcome(under, changes(under, [{operation: 'modify', path: at('a')}], patch))).toBe('asked');
    const content = under.asked[0]!.request.toolCall.content as acp.ToolCallContent[];
    expect(content).toMatchObject([{type: 'diff', path: 'other'}, {content: {text: `Modified ${at('a')}`}}]);
    expect(under.records[0]!.paths).toEqual([at('other'), at('a')]);
  });
});

describe('a request of version 2', () => {
  const asked = {sessionId: 's', title: 'Update settings', options: OPTIONS};
  const known = {callOf: () => ({title: 'Edit it'}), id: 'p'};

  test.each<[name: string, what: object]>([
    ['with a title and a description', {description: 'As you asked.'}],
    ['of a kind that is not known', {subject: {type: '_moon'}}],
  ])('%s is decided by the tool call of version 1 in it', async (_, what) => {
    const toolCall = {toolCallId: 't', kind: 'edit', content: [diff(at('.env'), 'A=1\n', 'A=2\n')]};
    const under = setUp({approval: 'all'});
    expect(await outcome(under, read(under, permission({...asked, ...what, toolCall}, known)))).toBe('asked');
  });

  test('shows nothing but a title with another title than its call', async () => {
    const under = setUp({approval: 'all'});
    const request = {...asked, subject: {type: 'tool_call', toolCall: {toolCallId: 't', kind: 'think'}}};
    expect(await outcome(under, read(under, permission(request, known)))).toBe('asked');
    const {title, content} = under.asked[0]!.request.toolCall;
    expect([title, content]).toMatchObject(['Edit it', [{content: {text: 'Update settings'}}]]);
  });
});
