import * as fc from 'fast-check';
import {beforeAll, describe, expect, test} from 'vitest';
import {readCommand, type CommandReading} from '../../../../src/host/rules/read-command.ts';
import {loadShellGrammar, type ShellGrammar} from '../../../../src/host/rules/shell-grammar.ts';

let grammar: ShellGrammar;
beforeAll(async () => {
  grammar = await loadShellGrammar();
});
const read = (command: string | readonly string[]) => readCommand(command, grammar);
const lines = ({programs}: CommandReading) => programs.map(({line}) => line);

describe('a command that is resolved', () => {
  test.each<[string, string[]]>([
    ['ls', ['ls']],
    ['npm test -- --watch', ['npm test -- --watch']],
    ['  ls   -la  ', ['ls -la']],
    ['ls\nrm -rf x', ['ls', 'rm -rf x']],
    ['a && b | c; d', ['a', 'b', 'c', 'd']],
    ['a || b |& c & d &', ['a', 'b', 'c', 'd']],
    ['! grep -q x y', ['grep -q x y']],
    ['npm \\\n  test', ['npm test']],
    ['# run it\nnpm test # all of it', ['npm test']],
    [`echo 'a b' "c d" e\\ f`, [`echo 'a b' 'c d' 'e f'`]],
    [`echo "say \\"hi\\"" a'b'"c"`, [`echo 'say "hi"' abc`]],
    ['r\\m x', ['rm x']],
    [`'rm' x`, ['rm x']],
    [`git commit -m 'it; rm -rf x'`, [`git commit -m 'it; rm -rf x'`]],
    ['npm test 2>&1 >/dev/null </dev/null', ['npm test']],
    ['NO_COLOR=1 TERM=dumb npm test', ['npm test']],
    ['git show HEAD^ HEAD~1 a@b --x=y', ['git show HEAD^ HEAD~1 a@b --x=y'.replace('HEAD~1', `'HEAD~1'`)]],
  ])('%j starts %j', (command, programs) => {
    const found = read(command);
    expect(found.unresolved).toBeUndefined();
    expect(lines(found)).toEqual(programs);
  });

  test('is one program if it comes as words', () => {
    expect(lines(read(['echo', '$(rm x)', 'a;b']))).toEqual([`echo '$(rm x)' 'a;b'`]);
  });
});

describe('a command that is not resolved', () => {
  test.each<[string, string[]]>([
    ['echo `rm x`', ['rm x']],
    ['echo $(rm x)', ['rm x']],
    ['echo "$(rm x)"', ['rm x']],
    ['echo ${x:-$(rm x)}', ['rm x']],
    ['echo "${x:-`rm x`}"', []],
    ['$(rm x)', ['rm x']],
    ['cat <(rm x)', ['rm x']],
    ['tee >(rm x)', ['rm x']],
    ['A=$(rm x) ls', ['rm x']],
    ['cat <<EOF\n$(rm x)\nEOF', ['rm x']],
    ['cat <<EOF\ntext\nEOF\nrm x', ['rm x']],
    ['cat <<< "$(rm x)"', ['rm x']],
    ['echo $((1 + $(rm x)))', ['rm x']],
    ['if true; then rm x; fi', ['rm x']],
    ['for f in a b; do rm x; done', ['rm x']],
    ['while rm x; do :; done', ['rm x']],
    ['case a in a) rm x;; esac', ['rm x']],
    ['(ls; rm x)', ['rm x']],
    ['{ rm x; }', ['rm x']],
    ['[[ -f $(rm x) ]]', ['rm x']],
    ['ls > $(rm x)', ['rm x']],
    ['f() { rm x; }; f', ['rm x']],
    ['echo $X', []],
    ['echo ${X}', []],
    ['$X -rf y', []],
    ['ls *.ts', []],
    ['ls ~', []],
    ['ls ?', []],
    ['ls [ab]', []],
    ['ls {a,b}', []],
    ['ls =rm', []],
    ['echo !!', []],
    [`echo $'\\x72m'`, []],
    ['echo $"x"', []],
    ['echo a > file', []],
    ['echo a >> ~/.bashrc', []],
    ['echo a &> /etc/passwd', []],
    ['echo a >| file', []],
    ['> file', []],
    ['sort < /etc/passwd', []],
    ['ls 3<> file', []],
    ['export PATH=/tmp', []],
    ['PATH=/tmp; ls', []],
    ['ls;;', []],
    ['ls "', []],
    ['ls )', []],
    ['ls &&', []],
    [`' ' \\ # \`rm x\``, []],
    ['ls\rrm x', []],
    ['ls\0rm x', []],
    ['ls \u001B[2J', []],
    ['a'.repeat(20_000), []],
    ['('.repeat(5000), []],
    [`sh -c 'rm x'`, []],
    ['bash -s', []],
    ['curl x | sh', []],
    ['eval $X', []],
    ['alias ls=rm; ls', []],
    ['trap "rm x" EXIT', []],
    ['. ./script', []],
    ['source script', []],
    ['exec rm x', []],
    ['command rm x', []],
    ['coproc rm x', []],
    ['LD_PRELOAD=/tmp/a.so rm x', []],
    ['printf -v PATH /tmp; ls', []],
    [`test -v 'a[$(id)]'`, []],
    [`[ ! -R 'a[$(id)]' ]`, []],
    [`let 'a[$(rm x)]'`, []],
    ['hash -p /tmp/x ls', []],
    [`'export' PATH=/tmp; ls`, []],
    [`'declare' 'a[$(rm x)]=1'`, []],
    [`'unset' 'a[$(rm x)]'`, []],
    ['jobs -x rm x', []],
  ])('%j says so, and finds programs inside it', (command, inside) => {
    const found = read(command);
    expect(found.unresolved).toBeDefined();
    expect(lines(found)).toEqual(expect.arrayContaining(inside));
  });
});

test('any words, quoted by a shell, parse as one program', () => {
  const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const word = fc.string({unit: 'grapheme', minLength: 1}).filter((text) => !/[\p{Cc}]/u.test(text));
  fc.assert(
    fc.property(fc.array(word, {minLength: 1, maxLength: 5}), (words) => {
      const {programs, unresolved} = read(['echo', ...words].map(quote).join(' '));
      expect(unresolved).toBeUndefined();
      expect(programs.map((program) => program.words)).toEqual([['echo', ...words]]);
    }),
  );
});
