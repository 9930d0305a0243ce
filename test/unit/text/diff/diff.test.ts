import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {diffLines, type Diff, type DiffLine} from '../../../../src/text/diff/diff.ts';

const everything = {context: Number.POSITIVE_INFINITY};
const textOf = (line: DiffLine): string => line.segments.map(({text}) => text).join('');
const linesIn = (diff: Diff): DiffLine[] => diff.hunks.flatMap(({lines}) => lines);

/** Like `diff -u`, with the changed words in brackets. */
function drawn(diff: Diff): string[] {
  const symbols = {context: ' ', added: '+', removed: '-'};
  return diff.hunks.flatMap(({lines}, index) => [
    ...(index > 0 ? ['...'] : []),
    ...lines.map(
      (line) =>
        symbols[line.kind] + line.segments.map(({text, changed}) => (changed ? `[${text}]` : text)).join(''),
    ),
  ]);
}

const file = fc
  .tuple(
    fc.array(fc.constantFrom('', 'a', 'b', 'const a = 1;', 'const b = 2;', '}'), {maxLength: 12}),
    fc.boolean(),
  )
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

const numberOfLines = (text: string): number =>
  text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;

/** Lines without an order, each of a few. */
function scrambled(count: number, kinds: number): string[] {
  let last = 7;
  return Array.from({length: count}, () => {
    last = (last * 1_103_515_245 + 12_345) % 2 ** 31;
    return `line ${(last >> 8) % kinds}\n`;
  });
}

/** The length of the longest sequence that is in both, by the definition. */
function longestCommon([first, ...rest]: readonly string[], after: readonly string[]): number {
  if (first === undefined || after.length === 0) return 0;
  const skipped = longestCommon(rest, after);
  const at = after.indexOf(first);
  return at === -1 ? skipped : Math.max(skipped, 1 + longestCommon(rest, after.slice(at + 1)));
}

describe('diffLines', () => {
  test('contains both texts, with their line numbers', () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const diff = diffLines(before, after, everything);
        const lines = linesIn(diff);
        fc.pre(lines.length > 0);
        for (const [text, kind, number] of [
          [before, 'added', 'oldNumber'],
          [after, 'removed', 'newNumber'],
        ] as const) {
          const own = lines.filter((line) => line.kind !== kind);
          expect(own.map(textOf).join('\n')).toBe(text.replace(/\n$/, ''));
          expect(own.map((line) => line[number])).toEqual(own.map((_, index) => index + 1));
        }
      }),
    );
  });

  test('counts what it shows, and shows nothing when nothing changed', () => {
    fc.assert(
      fc.property(file, file, fc.integer({min: 0, max: 4}), (before, after, context) => {
        const diff = diffLines(before, after, {context});
        const count = (kind: DiffLine['kind']) => linesIn(diff).filter((line) => line.kind === kind).length;
        expect(diff.stats).toEqual({added: count('added'), removed: count('removed')});
        expect(diff.stats.added - diff.stats.removed).toBe(numberOfLines(after) - numberOfLines(before));
        expect(diff.hunks.length > 0).toBe(before !== after);
      }),
    );
  });

  test('shows no line twice and no more context than requested', () => {
    fc.assert(
      fc.property(file, file, fc.integer({min: 0, max: 3}), (before, after, context) => {
        const diff = diffLines(before, after, {context});
        const keys = linesIn(diff).map(({oldNumber, newNumber}) => `${oldNumber} ${newNumber}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const {lines} of diff.hunks) {
          const shape = lines.map(({kind}) => (kind === 'context' ? '.' : 'x')).join('');
          expect(shape).toMatch(
            new RegExp(`^\\.{0,${context}}x(?:\\.{0,${2 * context}}x)*\\.{0,${context}}$`),
          );
        }
      }),
    );
  });

  test('highlights the words that changed', () => {
    const diff = diffLines('const a = 1;\nsame\n', 'const b = 1;\nsame\n', {context: 1});
    expect(drawn(diff)).toEqual(['-const [a] = 1;', '+const [b] = 1;', ' same']);
    expect(diff).toMatchObject({newFile: false, approximate: false, stats: {added: 1, removed: 1}});
  });

  test('highlights neighboring words as one phrase', () => {
    const drawnOf = (before: string, after: string) => drawn(diffLines(before, after, {context: 0}));
    expect(drawnOf('It has a few lines,\n', 'It has four lines,\n')).toEqual([
      '-It has [a few] lines,',
      '+It has [four] lines,',
    ]);
    expect(drawnOf('return old name;\n', 'return new word;\n')).toEqual([
      '-return [old name];',
      '+return [new word];',
    ]);
  });

  test('highlights no words in lines that have little in common', () => {
    expect(drawn(diffLines('import x\n', 'return 5 + y;\n', {context: 0}))).toEqual([
      '-import x',
      '+return 5 + y;',
    ]);
  });

  test('separates distant changes', () => {
    const before = Array.from({length: 20}, (_, index) => `line ${index}\n`);
    const after = before.with(2, 'new\n').with(17, 'new\n');
    expect(drawn(diffLines(before.join(''), after.join(''), {context: 1}))).toEqual([
      ' line 1',
      '-line 2',
      '+new',
      ' line 3',
      '...',
      ' line 16',
      '-line 17',
      '+new',
      ' line 18',
    ]);
  });

  test.each([[null], [undefined]])('marks a file that did not exist (%s) as new', (before) => {
    const diff = diffLines(before, 'one\ntwo', {context: 3});
    expect(drawn(diff)).toEqual(['+one', '+two']);
    expect(diff).toMatchObject({newFile: true, stats: {added: 2, removed: 0}});
    expect(linesIn(diff).some((line) => line.noNewlineAtEnd)).toBe(false);
    expect(diffLines('', 'one\n', {context: 3}).newFile).toBe(false);
  });

  test('accepts an empty new file, and an emptied one', () => {
    expect(diffLines(null, '', {context: 3}).hunks).toEqual([]);
    expect(drawn(diffLines('one\n', '', {context: 3}))).toEqual(['-one']);
  });

  test('says when only the final newline changed', () => {
    const [removed, added] = linesIn(diffLines('one', 'one\n', {context: 3}));
    expect(removed).toMatchObject({kind: 'removed', noNewlineAtEnd: true});
    expect(added).toMatchObject({kind: 'added', noNewlineAtEnd: false});
  });

  test('ignores the end of the file if both texts are a part of it', () => {
    const changed = linesIn(diffLines('line two', 'line 2', {context: 3}));
    expect(changed.map(({kind}) => kind)).toEqual(['removed', 'added']);
    expect(changed.some((line) => line.noNewlineAtEnd)).toBe(false);
  });

  test('shows carriage returns only if they changed', () => {
    expect(drawn(diffLines('a\r\nb\r\n', 'a\nb\r\n', {context: 3}))).toEqual(['-a[␍]', '+a', ' b']);
    expect(drawn(diffLines('let a\r\n', 'let b\r\n', {context: 3}))).toEqual(['-let [a]', '+let [b]']);
  });

  test('says when the texts are too different to compare, and still shows all of both', () => {
    const before = scrambled(20_000, 50);
    const diff = diffLines(before.join(''), before.toReversed().join(''), {context: 1});
    expect(diff).toMatchObject({approximate: true, stats: {added: 20_000, removed: 20_000}});
    expect(linesIn(diff)).toHaveLength(40_000);
  });

  test('shows as few changes as possible', () => {
    const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', 'e\n'), {maxLength: 12});
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const {stats} = diffLines(before.join(''), after.join(''), {context: 0});
        const same = longestCommon(before, after);
        expect(stats).toEqual({added: after.length - same, removed: before.length - same});
      }),
    );
  });

  test.each([
    ['10,000 lines with 334 changed', 10_000, 30],
    ['20,000 lines with 134 changed', 20_000, 150],
    ['70,000 lines with 7,000 changed', 70_000, 10],
  ])('compares %s exactly', (_, count, every) => {
    const before = Array.from({length: count}, (_line, index) => `  "version": "${index % 97}.${index}",\n`);
    const after = before.map((line, index) => (index % every === 5 ? line.replace('version', 'v') : line));
    const changed = after.filter((line, index) => line !== before[index]).length;
    const diff = diffLines(before.join(''), after.join(''), {context: 3});
    expect(diff).toMatchObject({approximate: false, stats: {added: changed, removed: changed}});
  });

  test('finds the same lines in a large file of which parts have moved', () => {
    const before = Array.from({length: 20_000}, (_, index) => (index % 3 === 0 ? '}\n' : `line ${index}\n`));
    const after = [...before.slice(9000), ...before.slice(0, 9000)];
    const {approximate, stats} = diffLines(before.join(''), after.join(''), {context: 0});
    expect(approximate).toBe(false);
    expect(stats.added).toBeLessThan(9010);
  });

  test('of very many long lines compares the words of the first ones only', () => {
    const line = (index: number, word: string) => `${index} ${`${word} same `.repeat(150)}\n`;
    const side = (word: string) => Array.from({length: 200}, (_, index) => line(index, word)).join('');
    const {hunks} = diffLines(side('old'), side('new'), {context: 0});
    const changed = hunks.flatMap(({lines}) => lines).filter(({kind}) => kind === 'added');
    const marks = changed.map(({segments}) => segments.filter((segment) => segment.changed).length);
    expect(marks.at(0)).toBe(150);
    expect(marks.at(-1)).toBeLessThanOrEqual(1);
    expect(changed.map(({segments}) => segments.map(({text}) => text).join(''))).toEqual(
      changed.map(({text}) => text),
    );
  });

  test('compares a small change in a large file exactly', () => {
    const lines = Array.from({length: 100_000}, (_, index) => `line ${index}\n`);
    const diff = diffLines(lines.join(''), lines.with(500, 'x\n').with(90_000, 'y\n').join(''), {context: 0});
    expect(diff).toMatchObject({approximate: false, stats: {added: 2, removed: 2}});
  });
});
