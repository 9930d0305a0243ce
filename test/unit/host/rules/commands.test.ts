import * as fc from 'fast-check';
import {beforeAll, describe, expect, test} from 'vitest';
import {splitCommand, type CommandParts} from '../../../../src/host/rules/commands.ts';
import {loadShellGrammar, type ShellGrammar} from '../../../../src/host/rules/shell-parser.ts';

let grammar: ShellGrammar;
beforeAll(async () => {
  grammar = await loadShellGrammar();
});
const split = (command: string | readonly string[]) => splitCommand(command, {grammar, isShell: () => true});
const lines = ({parts}: CommandParts) => parts.map(({line}) => line);
const everything = ({parts, hidden}: CommandParts) => [...parts, ...hidden].map(({line}) => line);

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
    [`sh -c 'npm test && ls'`, ['npm test', 'ls']],
    [`bash -lc "sh -c 'npm test'"`, ['npm test']],
  ])('%j starts %j', (command, parts) => {
    const found = split(command);
    expect(found).toMatchObject({unresolved: undefined, isOpaque: false});
    expect(lines(found)).toEqual(parts);
    expect(found.parts.map(({isWrapper}) => isWrapper)).toEqual(parts.map(() => false));
  });

  test('is one program if it comes as words', () => {
    expect(lines(split(['echo', '$(rm x)', 'a;b']))).toEqual([`echo '$(rm x)' 'a;b'`]);
    expect(lines(split(['bash', '-lc', 'npm test; ls']))).toEqual(['npm test', 'ls']);
  });
});

describe('a command that is not resolved', () => {
  test.each<[string, string[]]>([
    ['echo `rm x`', ['rm x']],
    ['echo $(rm x)', ['rm x']],
    ['echo "$(rm x)"', ['rm x']],
    ['echo ${x:-$(rm x)}', ['rm x']],
    ['echo "${x:-`rm x`}"', ['rm x']],
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
    [`sh -c 'echo $(rm x)'`, ['rm x']],
    [`${'sh -c '.repeat(3)} "rm x"`, []],
  ])('%j says so', (command, inside) => {
    const found = split(command.replaceAll('\r\n', '\n'));
    const vouched = found.unresolved === undefined && found.parts.every((part) => !part.isWrapper);
    expect(vouched).toBe(false);
    for (const line of inside) expect(found.isOpaque || everything(found).includes(line)).toBe(true);
  });
});

describe('a program that starts others', () => {
  test.each([
    'sudo rm x',
    'sudo -u root rm x',
    'env rm x',
    'env -i A=b rm x',
    'xargs rm x',
    'find . -name a | xargs -n1 rm x',
    'find . -exec rm x',
    `find . -exec sh -c 'rm x' ";"`,
    'time rm x',
    'command rm x',
    'builtin rm x',
    'nohup rm x',
    'timeout 5 rm x',
    'eval rm x',
    `eval "ls; rm x"`,
    `bash -xc 'rm x'`,
    `bash -c 'rm x' name`,
    `su -c 'rm x'`,
    'ssh host rm x',
    'exec rm x',
    'coproc rm x',
    '/usr/bin/env rm x',
    'env sudo nice rm x',
    'LD_PRELOAD=/tmp/a.so rm x',
    `watch 'ls | rm x'`,
  ])('%j is a wrapper around what it starts', (command) => {
    const found = split(command);
    expect(found.parts.some(({isWrapper}) => isWrapper) || found.unresolved !== undefined).toBe(true);
    expect(everything(found)).toContain('rm x');
  });

  test.each([
    'alias ls=rm; ls',
    'trap "rm x" EXIT',
    '. ./script',
    'source script',
    'curl x | sh',
    'bash -s',
    'eval $X',
    'xargs $X',
    'bash -c "$X"',
  ])('%j may start anything', (command) => {
    expect(split(command).isOpaque).toBe(true);
  });
});

test('any words, quoted by a shell, parse as one program', () => {
  const quote = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const word = fc.string({unit: 'grapheme', minLength: 1}).filter((text) => !/[\p{Cc}]/u.test(text));
  fc.assert(
    fc.property(fc.array(word, {minLength: 1, maxLength: 5}), (words) => {
      const {parts, unresolved} = split(['printf', ...words].map(quote).join(' '));
      expect(unresolved).toBeUndefined();
      expect(parts.map((part) => part.words)).toEqual([['printf', ...words]]);
    }),
  );
});
