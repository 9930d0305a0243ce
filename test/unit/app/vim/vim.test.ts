import {describe, expect, it, test} from 'vitest';
import {insertPaste} from '../../../../src/app/editor/insert.ts';
import {draftAfterSending, draftText, emptyDraft} from '../../../../src/app/editor/draft.ts';
import {pressVim} from '../../../../src/app/vim/press.ts';
import {normal, press, typeVim, vim} from './typing.ts';
import {textWithCaret} from '../editor/marked.ts';

type Row = readonly [text: string, keys: string, result: string];

const motions: readonly Row[] = [
  ['ab|c', 'h', 'a|bc'],
  ['|abc\nx', '9l', 'ab|c\nx'],
  ['a\n|b', 'h', 'a\n|b'],
  ['|one two.three', 'w', 'one |two.three'],
  ['one |two.three', 'w', 'one two|.three'],
  ['one |two.three x', 'W', 'one two.three |x'],
  ['|one\n\ntwo', 'w', 'one\n|\ntwo'],
  ['|one two three', '2w', 'one two |three'],
  ['one two|', 'b', 'one |two'],
  ['one two.thr|ee', '3b', 'one |two.three'],
  ['a one.two|', 'B', 'a |one.two'],
  ['|one two', 'e', 'on|e two'],
  ['on|e two.x y', 'E', 'one two.|x y'],
  ['|日本語カナ ok', 'w', '日本語|カナ ok'],
  ['|👩‍👩‍👧 family', 'w', '👩‍👩‍👧 |family'],
  ['  one t|wo', '0', '|  one two'],
  ['  one t|wo', '^', '  |one two'],
  ['|one\ntwo', '$', 'on|e\ntwo'],
  ['|one\ntwo', '2$', 'one\ntw|o'],
  ['one\n  two\nthr|ee', 'gg', '|one\n  two\nthree'],
  ['o|ne\n  two\nthree', 'G', 'one\n  two\n|three'],
  ['o|ne\n  two\nthree', '2G', 'one\n  |two\nthree'],
  ['|a-b-c', 'f-', 'a|-b-c'],
  ['|a-b-c', '2f-', 'a-b|-c'],
  ['|a-b-c', 't-', '|a-b-c'],
  ['|ab-c-d', 't-;', 'ab-|c-d'],
  ['a-b-|c', 'F-', 'a-b|-c'],
  ['a-b-c|d', 'T-', 'a-b-|cd'],
  ['|a-b-c', 'f-;', 'a-b|-c'],
  ['|a-b-c', 'f-;,', 'a|-b-c'],
  ['|a\nb-', 'f-', '|a\nb-'],
  ['|f(a[1], {b})', '%', 'f(a[1], {b}|)'],
  ['f(a[1], {b}|)', '%', 'f|(a[1], {b})'],
  ['|a\n\nb\n\nc', '}}', 'a\n\nb\n|\nc'],
  ['a\n\nb\n\n|c', '{', 'a\n\nb\n|\nc'],
  ['|one\ntwo', 'j', 'one\n|two'],
  ['one\ntw|o', 'k', 'on|e\ntwo'],
];

const operators: readonly Row[] = [
  ['one |two three', 'dw', 'one |three'],
  ['|one two three', 'd2w', '|three'],
  ['|one two three', '2dw', '|three'],
  ['one |two\nthree', 'dw', 'one| \nthree'],
  ['one t|wo', 'db', 'one |wo'],
  ['|one two', 'de', '| two'],
  ['one |two', 'd0', '|two'],
  ['one |two\nx', 'd$', 'one| \nx'],
  ['one |two\nx', 'D', 'one| \nx'],
  ['|one\ntwo\nthree', 'dd', '|two\nthree'],
  ['one\n|two', 'dd', '|one'],
  ['|one', 'dd', '|'],
  ['one\n|  two\n  three\nx', '2dd', 'one\n|x'],
  ['one\nt|wo\nthree', 'dj', '|one'],
  ['one\nt|wo\nthree', 'dk', '|three'],
  ['one\nt|wo\nthree', 'd↑', '|three'],
  ['|one\ntwo', 'd↓', '|'],
  ['|one', 'dj', '|one'],
  ['one\ntwo\nth|ree', 'dgg', '|'],
  ['one\nt|wo\nthree', 'dG', '|one'],
  ['|a-b-c', 'df-', '|b-c'],
  ['|a-b-c', 'd2t-', '|-c'],
  ['|a-b', 'dfx', '|a-b'],
  ['|abc', 'x', '|bc'],
  ['|abc', '2x', '|c'],
  ['ab|c', 'x', 'a|b'],
  ['ab|c', 'X', 'a|c'],
  ['|👩‍👩‍👧x', 'x', '|x'],
  ['x|e\u0301y', 'x', 'x|y'],
  ['one |two three', 'cwnew⎋', 'one ne|w three'],
  ['one |two.x y', 'cWnew⎋', 'one ne|w y'],
  ['one |two', 'cchello⎋', 'hell|o'],
  ['a\n|b\nc', 'Sx⎋', 'a\n|x\nc'],
  ['one |two three', 'C2⎋', 'one |2'],
  ['|abc', 'sxy⎋', 'x|ybc'],
  ['|one two', 'ywP', 'one| one two'],
  ['|one\ntwo', 'yyp', 'one\n|one\ntwo'],
  ['|one\ntwo', 'yyP', '|one\none\ntwo'],
  ['|one\ntwo', 'yjGp', 'one\ntwo\n|one\ntwo'],
  ['|one\ntwo', 'ddp', 'two\n|one'],
  ['|ab', 'xp', 'b|a'],
  ['|ab', 'yl3p', 'aaa|ab'],
  ['', 'p', '|'],
];

const objects: readonly Row[] = [
  ['one t|wo three', 'diw', 'one | three'],
  ['one t|wo three', 'daw', 'one |three'],
  ['one t|wo', 'daw', 'on|e'],
  ['one |  two', 'diw', 'one|two'],
  ['a x.y|z b', 'daW', 'a |b'],
  ['say "he|llo" now', 'ci"bye⎋', 'say "by|e" now'],
  ['s|ay "hello" now', 'di"', 'say "|" now'],
  ['say "he\\"l|lo" now', 'da"', 'say |now'],
  ["it 'i|s'", "di'", "it '|'"],
  ['a `b|c`', 'ya`P', 'a `bc|``bc`'],
  ['f(a, g(b|), c)', 'di(', 'f(a, g(|), c)'],
  ['f(a|, g(b), c)', 'dib', 'f(|)'],
  ['f(a|, g(b), c)', 'dab', '|f'],
  ['{a\nb|\n}', 'diB', '{|}'],
  ['[1, |2]', 'ca[x⎋', '|x'],
  ['<a |b>', 'di<', '<|>'],
  ['no| brackets', 'di(', 'no| brackets'],
];

const others: readonly Row[] = [
  ['a|bc', 'iX⎋', 'a|Xbc'],
  ['a|bc', 'aX⎋', 'ab|Xc'],
  ['  a|bc', 'IX⎋', '  |Xabc'],
  ['|abc\nd', 'AX⎋', 'abc|X\nd'],
  ['|abc\nd', 'oX⎋', 'abc\n|X\nd'],
  ['abc\n|d', 'OX⎋', 'abc\n|X\nd'],
  ['|abc', 'rx', '|xbc'],
  ['|abc', '2rx', 'x|xc'],
  ['|abc', '4rx', '|abc'],
  ['one| two', 'r⏎', 'one\n|two'],
  ['a|bcd', '2r⏎', 'a\n|d'],
  ['one| two x', 'r⏎el.', 'one\ntwo\n|x'],
  ['a|bc', 'r←x', 'a|c'],
  ['|one two', 'd⏎w', 'one |two'],
  ['|aBc', '3~', 'Ab|C'],
  ['|one\n  two\nthree', 'J', 'one| two\nthree'],
  ['|one\n  two\nthree', '3J', 'one two| three'],
  ['|one two', 'dwu', '|one two'],
  ['|one two', 'dwu⌃', '|two'],
  ['|one two three', 'dw.', '|three'],
  ['|one two three four', 'dw2.', '|four'],
  ['|one two', 'cwx y⎋w.', 'x y x |y'],
  ['|a\nb', 'A;⎋j.', 'a;\nb|;'],
  ['|a', 'ox⎋.', 'a\nx\n|x'],
  ['|ab', 'qx', '|b'],
  ['|one two', '2⎋dw', '|two'],
];

const visual: readonly Row[] = [
  ['|one two', 'vld', '|e two'],
  ['one |two', 'vbd', '|wo'],
  ['|one two', 'vey$p', 'one twoon|e'],
  ['|one two', 'vec1⎋', '|1 two'],
  ['a\n|b\nc', 'Vd', 'a\n|c'],
  ['|a\nb\nc', 'Vjd', '|c'],
  ['a t|wo b', 'viwd', 'a | b'],
  ['|one two', 'veU', '|ONE two'],
  ['|one', 'vly⎋lx', 'o|e'],
  ['|one two', 'yiwwviwp', 'one |one'],
  ['|abc', 'vlrx', '|xxc'],
  ['a|bcd', 'vlohd', '|d'],
  ['|a\nb\nc', 'VjJ', 'a| b\nc'],
  ['|one', 'vv', '|one'],
];

describe.each([
  ['motions', motions],
  ['operators', operators],
  ['text objects', objects],
  ['inserting, undoing and repeating', others],
  ['visual modes', visual],
])('%s', (_, rows) => {
  test.each(rows)('%j and %s give %j', (text, keys, result) => {
    expect(vim(text, keys)).toBe(result);
  });
});

describe('Vim keys', () => {
  it('undo a whole insertion at once, with the command that started it', () => {
    expect(vim('|one two', 'cwa longer text⎋u')).toBe('|one two');
    expect(vim('|one', 'A and more words⎋ofoo bar⎋u')).toBe('one and more word|s');
  });

  it('move up and down by screen rows', () => {
    const draft = typeVim(normal('|aaaa bbbb cccc'), 'j', {columns: 8});
    expect(textWithCaret(draft)).toBe('aaaa |bbbb cccc');
  });

  it('move from the first row to the previous prompt', () => {
    const history = {project: ['earlier'], everywhere: []};
    expect(typeVim(normal('|now'), 'k', {history}).text).toBe('earlier');
  });

  it('read at once are processed one after the other', () => {
    const typed = pressVim(normal('|one two'), {...press, text: 'cwnew'}, {});
    expect(typed && textWithCaret(typed)).toBe('new| two');
  });

  it('put a long text fewer times than the count says', () => {
    const large = 'x'.repeat(100_000);
    const {length} = typeVim(normal(`|${large}`), 'x0D9999p').text;
    expect(length % (large.length - 1)).toBe(0);
    expect(length).toBeLessThan(2_000_000);
  });

  it('keep registers, whole pastes too, and the last change for the next draft', () => {
    const pasted = insertPaste(emptyDraft, 'line\n'.repeat(20));
    const yanked = typeVim({...pasted, caret: 0, vim: {...pasted.vim, mode: 'normal'}}, 'yyx');
    const next = draftAfterSending(yanked);
    expect(next.vim.mode).toBe('insert');
    expect(draftText(typeVim(next, '⎋p'))).toBe('line\n'.repeat(20));
  });
});
