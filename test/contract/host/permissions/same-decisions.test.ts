import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createNormalizer} from '../../../../src/protocol/normalize/deviation.ts';
import {readPermission} from '../../../../src/protocol/normalize/messages.ts';
import {permission} from '../../../../src/protocol/v2/v2-shapes.ts';
import {OPTIONS, rules, useHosts} from '../hosts.ts';

const {setUp, at} = useHosts();

/** A change of a file: what it does, and to which file. */
interface Change {
  readonly does: 'add' | 'modify' | 'delete' | 'move' | 'copy';
  readonly path: string;
  /** The file that is moved or copied. */
  readonly oldPath: string;
}

const PATHS = ['a.ts', 'src/deep/b.ts', '.git/hooks/pre-commit', '.env', '../outside.ts', '.acp-tui.json'];
const RULES = [
  'allow edit **',
  'allow edit src/**',
  'allow delete **',
  'allow move **',
  'deny delete',
  'deny move src/**',
  'deny read .git/**',
  'deny any .env*',
  'deny edit src/deep/*',
  'ask any a.ts',
];

const OLD_PATHS = ['old.ts', 'src/deep/old.ts', '.git/config', '.env.old', '../old.ts'];

const changes = fc.uniqueArray(
  fc.record({
    does: fc.constantFrom('add', 'modify', 'delete', 'move', 'copy'),
    path: fc.constantFrom(...PATHS),
    oldPath: fc.constantFrom(...OLD_PATHS),
  } as const),
  {minLength: 1, maxLength: 3, selector: ({path}) => path},
);
const policies = fc.record({
  approval: fc.constantFrom('none' as const, 'reads' as const, 'edits' as const, 'all' as const),
  rules: fc.subarray(RULES, {maxLength: 3}),
  kind: fc.constantFrom('edit', 'delete', 'other'),
  hasPatch: fc.boolean(),
});

const hasOldPath = ({does}: Change) => does === 'move' || does === 'copy';

function inVersion1(change: Change): object {
  const {does, path, oldPath} = change;
  const oldText = does === 'add' ? null : 'one\n';
  return does === 'delete'
    ? {type: 'diff', path: at(path), oldText, newText: '', deleted: true}
    : {
        type: 'diff',
        path: at(path),
        oldText,
        newText: 'two\n',
        ...(hasOldPath(change) && {_meta: {change: {does, oldPath: at(oldPath)}}}),
      };
}

function patchOf(change: Change): string {
  const {does, path, oldPath} = change;
  const before = at(hasOldPath(change) ? oldPath : path);
  const [old, now] = [does === 'add' ? '/dev/null' : before, does === 'delete' ? '/dev/null' : at(path)];
  const edited = '@@ -1 +1 @@\n-one\n+two';
  const lines = {add: '@@ -0,0 +1 @@\n+two', delete: '@@ -1 +0,0 @@\n-one'};
  const verb = {move: 'rename', copy: 'copy'};
  const names =
    does === 'move' || does === 'copy' ? `${verb[does]} from ${old}\n${verb[does]} to ${now}\n` : '';
  const hunk = does === 'add' || does === 'delete' ? lines[does] : edited;
  return `diff --git ${before} ${at(path)}\n${names}--- ${old}\n+++ ${now}\n${hunk}\n`;
}

function inVersion2(all: readonly Change[], hasPatch: boolean): object {
  return {
    type: 'diff',
    changes: all.map((change) => ({
      operation: change.does,
      path: at(change.path),
      ...(hasOldPath(change) && {oldPath: at(change.oldPath)}),
    })),
    ...(hasPatch && {patch: {format: 'git_patch', text: all.map(patchOf).join('')}}),
  };
}

test('the same changes of files are decided alike in both versions, with a patch or without', async () => {
  const decide = async (
    policy: {approval: 'none' | 'reads' | 'edits' | 'all'; rules: string[]},
    params: object,
  ) => {
    const under = setUp({approval: policy.approval, rules: rules(...policy.rules)});
    const asked = readPermission(
      JSON.parse(JSON.stringify(params)),
      createNormalizer(() => {}),
    );
    let answer: string | undefined;
    const answered = under.host.requestPermission(asked, new AbortController().signal).then(({outcome}) => {
      answer ??= outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
    });
    await expect.poll(() => answer !== undefined || under.isWaiting(), {interval: 1}).toBe(true);
    const decided = answer ?? 'asked';
    if (under.isWaiting()) await under.answer('reject_once');
    await answered;
    const {kind, paths} = under.records[0]!;
    return {decided, kind, paths: [...(paths ?? [])].toSorted()};
  };
  await fc.assert(
    fc.asyncProperty(changes, policies, async (all, {kind, hasPatch, ...policy}) => {
      const call = {toolCallId: 't', title: 'Do it', kind};
      const first = {...call, content: all.map(inVersion1)};
      const second = {...call, content: [inVersion2(all, hasPatch)]};
      const subject = {type: 'tool_call', toolCall: second};
      const asked = {sessionId: 's', title: 'Do it', options: OPTIONS, subject};
      expect(await decide(policy, permission(asked, {id: 'p', callOf: () => ({})}))).toEqual(
        await decide(policy, {sessionId: 's', options: OPTIONS, toolCall: first}),
      );
    }),
    {numRuns: 100},
  );
});
