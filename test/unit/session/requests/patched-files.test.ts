import {describe, expect, it} from 'vitest';
import {commandsIn} from '../../../../src/session/requests/command-fields.ts';
import {patchedFiles} from '../../../../src/session/requests/patched-files.ts';

const hunk = '@@ -1 +1 @@\n-x\n+y\n';
const edit = (path: string) => ({does: 'edit', path});
const gone = (path: string) => ({does: 'delete', path});
const moved = {does: 'move', path: 'b', oldPath: 'a'};

describe('the files of a patch', () => {
  it.each([
    ['an edit', `--- a/a\n+++ b/a\n${hunk}`, [edit('a')]],
    ['two names', `--- a/a\n+++ b/b\n${hunk}`, [edit('a'), edit('b')]],
    ['a new file', `--- /dev/null\n+++ b/a\n${hunk}`, [edit('a')]],
    ['a deletion', `--- a/a\n+++ /dev/null\n${hunk}`, [gone('a')]],
    ['quoted names', `--- "a/caf\\303\\251"\n+++ "b/caf\\303\\251"\n${hunk}`, [edit('café')]],
    ['a move', 'rename from a\nrename to b\n', [moved]],
    ['a move with lines', `rename from a\nrename to b\n--- a/a\n+++ b/b\n${hunk}`, [moved]],
    ['a copy', 'diff --git a/a b/b\ncopy from a\ncopy to b\n', [{...moved, does: 'copy'}]],
    ['half a move', `rename from a\n--- a\n+++ a\n${hunk}`, [{does: 'move', path: 'a'}, edit('a')]],
    ['a deletion of git', `diff --git a/a b/a\n--- a/a\n+++ /dev/null\n${hunk}`, [gone('a')]],
    ['a deletion with times', `--- a\t2026-01-01\n+++ /dev/null\t1970-01-01\n${hunk}`, [gone('a')]],
    [
      'lines that look like names',
      '--- a/a\n+++ b/a\n@@ -1,3 +1,2 @@\n x\n--- /etc/passwd\n-x\n+++ b/.env\n',
      [edit('a')],
    ],
    ['a patch of apply_patch', '*** Add File: a\n*** Delete File: b\n', [edit('a'), gone('b')]],
    ['a move in one', '*** Update File: a\n*** Move to: b\n', [moved]],
  ])('are those of %s', (_what, patch, changes) => {
    expect(patchedFiles(patch)).toEqual(changes);
    expect(patchedFiles(patch.replaceAll('\n', '\r\n'))).toEqual(changes);
  });

  it.each([
    ['the deletion of an empty file', 'a', 'deleted file mode 100644\nindex e69de29..0000000\n', gone('a')],
    [
      'the deletion of a binary file',
      'a',
      'deleted file mode 100644\nindex 1..0\nGIT binary patch\n',
      gone('a'),
    ],
    ['a new empty file', 'a', 'new file mode 100644\nindex 0000000..e69de29\n', edit('a')],
    ['a binary file', 'a', 'index 1..2 100644\nGIT binary patch\nliteral 1\n', edit('a')],
    ['another mode', 'a', 'old mode 100644\nnew mode 100755\n', edit('a')],
    ['a name with spaces', 'a b/c b/a', 'index 1..2\n', edit('a b/c b/a')],
    ['nothing more', 'a', '', edit('a')],
  ])('are those that git names without lines: %s', (_what, name, rest, change) => {
    expect(patchedFiles(`diff --git a/${name} b/${name}\n${rest}`)).toEqual([change]);
    expect(patchedFiles(`diff --git "a/${name}" "b/${name}"\n${rest}`)).toEqual([change]);
  });

  it('are both if git names two', () => {
    expect(patchedFiles('diff --git a/a b/b\nindex 1..2\n')).toEqual([edit('a'), edit('b')]);
  });
});

it('a line of git is a command as long as nothing else makes it a patch', () => {
  expect(commandsIn('diff --git a/a b/a').commands).toHaveLength(1);
  expect(commandsIn(`diff --git a/a b/a\n--- a/a\n+++ b/a\n${hunk}`).commands).toEqual([]);
});
