import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {locateDiff, locateDiffs} from '../../../../src/host/files/locate-diffs.ts';
import {diffPosition} from '../../../../src/session/transcript/diffs.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {useSandbox} from '../sandbox.ts';

const file = 'one\ntwo\nthree\n}\nfour\n}\n';

const sandbox = useSandbox();

describe('a diff of a part of a file', () => {
  test.each([
    ['before it is applied', {oldText: 'three\n', newText: '3\n'}, file, 3],
    ['after it was applied', {oldText: 'drei\n', newText: 'three\n'}, file, 3],
    ['that adds lines in front, after it was applied', {oldText: 'three', newText: 'two\nthree'}, file, 2],
    ['that removes lines, before it is applied', {oldText: 'two\nthree', newText: 'three'}, file, 2],
    ['that starts within a line', {oldText: 'our', newText: 'ive'}, file, 5],
    ['of a file with CRLF', {oldText: 'three\n}', newText: 'x'}, file.replaceAll('\n', '\r\n'), 3],
    ['that matches twice', {oldText: '}\n', newText: ']\n'}, file, null],
    ['that does not match', {oldText: 'six', newText: 'seven'}, file, null],
    ['of an unreadable file', {oldText: 'six', newText: 'seven'}, undefined, null],
  ])('%s', (...[, diff, text, line]) => expect(locateDiff(diff, text)).toEqual({line}));

  test('of the whole of it or a new file needs no location', () => {
    expect(locateDiff({oldText: file, newText: 'x'}, file)).toBeUndefined();
    expect(locateDiff({oldText: null, newText: 'x'}, null)).toBeUndefined();
  });

  test('of a deleted file says so', () => {
    expect(locateDiff({oldText: 'x\n', newText: ''}, null)).toEqual({line: 1, isGone: true});
  });

  test('is located in its file, ignoring the line the agent sent', async () => {
    const cwd = sandbox.root;
    await writeFile(join(cwd, 'a.txt'), file);
    await mkdir(join(cwd, 'folder'));
    const claimed = {'acp-tui': {line: 77}};
    const diffOf = (path: string) => ({
      type: 'diff' as const,
      path,
      oldText: 'four',
      newText: '4',
      _meta: claimed,
    });
    const lines = (paths: readonly string[], additionalDirectories: readonly string[]) =>
      locateDiffs(paths.map(diffOf), {cwd, additionalDirectories}).map(
        (part) => part.type === 'diff' && diffPosition(part)?.line,
      );
    expect(lines(['a.txt', 'folder', '/dev/zero'], [])).toEqual([5, null, null]);
    const outside = join(temporaryFolder(), 'b.txt');
    await writeFile(outside, file);
    expect(lines([outside], [])).toEqual([null]);
    expect(lines([outside], [dirname(outside)])).toEqual([5]);
  });
});
