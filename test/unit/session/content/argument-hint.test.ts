import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {argumentHintAt} from '../../../../src/session/content/argument-hint.ts';
import {cpuTimeOf} from '../../../support/cpu-time.ts';

const values = (hint: string, ...typed: readonly string[]) => argumentHintAt(hint, typed)?.values;
const path = (hint: string, ...typed: readonly string[]) => argumentHintAt(hint, typed)?.path;

describe('the values of a place', () => {
  test.each<[string, readonly string[], readonly string[] | undefined]>([
    ['[debug|release]', [], ['debug', 'release']],
    ['[ debug | release ]', [], ['debug', 'release']],
    ['debug|release', [], ['debug', 'release']],
    ['on | off', [], ['on', 'off']],
    ['(a|b)', [], ['a', 'b']],
    ['{a|b}', [], ['a', 'b']],
    ['<add|remove|list> <name>', [], ['add', 'remove', 'list']],
    ['<add|remove|list> <name>', ['add'], undefined],
    ['<name> [fast|slow]', [], undefined],
    ['<name> [fast|slow]', ['x'], ['fast', 'slow']],
    ['<name> [fast|slow]', ['x', 'fast'], undefined],
    ['[a|b]...', ['a', 'a', 'b'], ['a', 'b']],
    ['[a|b...]', ['a'], ['a', 'b']],
    ['add [tag] | remove [tag] | list', [], ['add', 'remove', 'list']],
    ['add [one|two] | remove [three|four]', ['remove'], ['three', 'four']],
    ['add [one|two] | remove [three|four]', ['other'], undefined],
    ['[--fix]', [], ['--fix']],
    ['[--fix|--check] <x>', [], ['--fix', '--check']],
    ['[--mode=fast|slow]', [], undefined],
    ['[--mode=fast|--mode=slow]', [], ['--mode=fast', '--mode=slow']],
    ['["quick fix"|\'slow fix\']', [], ['quick fix', 'slow fix']],
    ['[add <name>|list]', [], ['add', 'list']],
    ['(optional) [a|b]', [], ['a', 'b']],
    ['[a|a|b|]', [], ['a', 'b']],
    ['[דיבאג|שחרור]', [], ['דיבאג', 'שחרור']],
  ])('%s behind %j', (hint, typed, expected) => {
    expect(values(hint, ...typed)).toEqual(expected);
  });

  test.each([
    '',
    ' ',
    '|',
    '[]',
    '[|]',
    '<<>>',
    '...',
    'what to look for',
    'the file to explain',
    '[message]',
    '[number] [priority]',
    '[pr-number]',
  ])('nothing is said by %j', (hint) => {
    expect(argumentHintAt(hint, [])).toBeUndefined();
  });

  test.each<[string, readonly string[]]>([
    ['[debug|release', ['debug', 'release']],
    ['debug|release]', ['debug']],
    ['<a|b] [c', ['a', 'b']],
    ['[a|b|[c]', ['a', 'b']],
  ])('brackets without a partner: %s', (hint, expected) => {
    expect(values(hint)?.slice(0, 2)).toEqual(expected);
  });

  test('what would deceive is left out', () => {
    expect(values('[safe|\u202eevil|zero\u200bwidth|bell\u0007|\ufffd|␛[2J]')).toEqual(['safe']);
  });
});

describe('a place for paths', () => {
  test.each<[string, string | undefined]>([
    ['<file>', 'file'],
    ['[file...]', 'file'],
    ['[files]', 'file'],
    ['<file1> <file2>', 'file'],
    ['[source-file]', 'file'],
    ['[file path]', 'file'],
    ['<filename>', 'file'],
    ['[path]', 'file'],
    ['file', 'file'],
    ['folder', 'folder'],
    ['[folder]', 'folder'],
    ['[dir]', 'folder'],
    ['<Directory>', 'folder'],
    ['[target_dir]', 'folder'],
    ['<file|folder>', 'file'],
    ['file | folder', 'file'],
    ['[profile]', undefined],
    ['[file-type]', undefined],
    ['[FILES=<paths>]', undefined],
    ['path of least resistance', undefined],
  ])('%s', (hint, expected) => {
    expect(path(hint)).toBe(expected);
  });

  test('can have values, too', () => {
    expect(argumentHintAt('[all|<file>] [x|y]', [])).toEqual({
      values: ['all'],
      path: 'file',
      isOptional: true,
      rest: '[x|y]',
    });
    expect(argumentHintAt('<file> [folder]', ['a.ts'])).toMatchObject({
      path: 'folder',
      isOptional: true,
      rest: '',
    });
    expect(argumentHintAt('<file>', [])).toMatchObject({isOptional: false});
  });
});

test('any hint is read, in a time that grows with its length', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '<',
    '>',
    '(',
    ')',
    '{',
    '}',
    '|',
    ' ',
    '...',
    '"',
    "'",
    '-',
    '=',
    'a',
    'file',
    '\u202e',
    '\u0000',
  );
  fc.assert(
    fc.property(fc.array(piece, {maxLength: 60}), fc.nat(3), (pieces, typed) => {
      const place = argumentHintAt(pieces.join(''), Array<string>(typed).fill('a'));
      for (const value of place?.values ?? [])
        expect(value).toMatch(/^[^\s[\]<>(){}|\u0000\u202e][^[\]<>(){}|\u0000\u202e]*$/);
    }),
  );
  for (const long of ['[', '|', 'a|', '[a ', 'file-', '"', '<a|b> '])
    expect(cpuTimeOf(() => argumentHintAt(long.repeat(100_000), ['a', 'b']))).toBeLessThan(200);
});
