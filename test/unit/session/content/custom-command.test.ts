import {execFileSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {
  commandsIn,
  customCall,
  expandCommand,
  readMarkdownCommand,
  readTomlCommand,
  withOutputs,
} from '../../../../src/session/content/custom-command.ts';
import {cpuTimeOf} from '../../../support/cpu-time.ts';

function partsOf(prompt: string, argument: string) {
  const parts = expandCommand({prompt}, argument);
  if (!parts.ok) throw new Error('an argument that cannot be quoted');
  return parts.value;
}

const expanded = (prompt: string, argument: string, outputs: readonly string[] = []) =>
  withOutputs(partsOf(prompt, argument), outputs);

describe('a Markdown file', () => {
  test('has its fields in front matter that need not be YAML', () => {
    const text = [
      '---',
      'description: "Fix an issue"',
      'argument-hint: [number] [priority]',
      'allowed-tools: Bash(git add:*), Bash(git status:*)',
      'Model: fast',
      'mode: plan',
      '---',
      '',
      'Fix #$1.',
      '---',
      'agent: is text',
      '',
    ].join('\n');
    expect(readMarkdownCommand(text)).toEqual({
      description: 'Fix an issue',
      argumentHint: '[number] [priority]',
      mode: 'plan',
      model: 'fast',
      agent: undefined,
      prompt: 'Fix #$1.\n---\nagent: is text',
    });
  });

  test.each([
    ['without front matter is a prompt', '# Review\n\nRead it.', 'Review'],
    ['with front matter that does not end is a prompt', '---\ndescription: x\n\nRead it.', '---'],
    ['with empty front matter has its first line as description', '---\n---\nRead it.\r\n', 'Read it.'],
    ['with line ends of Windows is read alike', '---\r\ndescription: Yes\r\n---\r\nRead it.', 'Yes'],
  ])('%s', (_, text, description) => {
    expect(readMarkdownCommand(text).description).toBe(description);
    expect(readMarkdownCommand(text).prompt).toMatch(/Read it\.$/);
  });
});

test('a file of any text is read in time that grows with its length', () => {
  const texts = [
    `---\ndescription: a${' '.repeat(60_000)}x\n---\ny`,
    `---\n${'-'.repeat(60_000)}`,
    '!`'.repeat(30_000),
  ];
  const timeOf = (text: string) =>
    cpuTimeOf(() => void expandCommand(readMarkdownCommand(text), '"'.repeat(20_000)));
  for (const text of texts) expect(timeOf(text)).toBeLessThan(500);
});

test('a TOML file has the notation of Gemini CLI', () => {
  const prompt = '\nLook at {{args}}: !{git show {{args}}} and @{src/a b.ts}.\n';
  expect(readTomlCommand({prompt: '!{ls} @{a.ts} {{args}}', description: 'Look'})).toEqual({
    description: 'Look',
    prompt: '!`ls` @a.ts $ARGUMENTS',
  });
  expect(readTomlCommand({prompt}).prompt).toContain('!`git show $ARGUMENTS`');
  expect(readTomlCommand({prompt: 3}).prompt).toBe('');
});

describe('arguments', () => {
  test.each([
    ['all of them', 'Fix $ARGUMENTS now', 'a "b c"', 'Fix a "b c" now'],
    ['one by one, with blanks in quotes', '$2, $1', `"a b" 'c d'`, 'c d, a b'],
    ['a missing one is empty', 'A[$1][$2]', 'x', 'A[x][]'],
    ['follow a prompt without a place for them', 'Fix it.', 'now', 'Fix it.\n\nnow'],
    ['none are added', 'Fix it.', '', 'Fix it.'],
    ['are not places themselves', '$1 $2', '$2 $1', '$2 $1'],
    [
      'a price or a variable is text',
      'It costs $10, $100 and $ARGUMENTSX',
      '',
      'It costs $10, $100 and $ARGUMENTSX',
    ],
  ])('%s', (_, prompt, argument, result) => {
    expect(expanded(prompt, argument)).toBe(result);
  });

  test('cannot become a command, and are quoted in one', () => {
    expect(commandsIn(partsOf('See $ARGUMENTS', '!`rm -rf .`'))).toEqual([]);
    const parts = partsOf('!`git log $1 -- $ARGUMENTS`', '"; rm x" b');
    expect(commandsIn(parts)).toEqual(["git log '; rm x' -- '; rm x' b"]);
    expect(commandsIn(partsOf('!`ls $1`', ''))).toEqual(["ls ''"]);
  });
});

describe('an argument in quotes of a command', () => {
  const HOSTILE = [
    '$(touch x)',
    '`touch x`',
    "'; touch x; '",
    '"; touch x; "',
    'a\\',
    '$HOME',
    '!!',
    'a b  c',
  ];

  test.each(['"$1"', "'$1'", '$1', 'x$1y', '"a"$1\'b\'', '"\\"$1"', "'a'\\''$1'"])(
    'is one word of it, whatever it is: %s',
    (place) => {
      for (const word of HOSTILE) {
        const [command = ''] = commandsIn(
          partsOf(`!\`printf %s ${place}\``, word.includes("'") ? `"${word}"` : `'${word}'`),
        );
        const printed = execFileSync('/bin/sh', ['-c', command], {encoding: 'utf8', env: {HOME: '/root'}});
        const around = execFileSync('/bin/sh', ['-c', `printf %s ${place.replace('$1', '@')}`], {
          encoding: 'utf8',
        });
        expect(printed).toBe(around.replace('@', () => word));
      }
    },
  );

  test.each(['"$(echo $1)"', 'cat <<X\n$1\nX', '"${A:-$1}"', "$'$1'", 'true # $1'])(
    'is refused where quotes may not be what they seem, unless it is plain: %s',
    (command) => {
      expect(expandCommand({prompt: `!\`${command.replaceAll('\n', ';')}\``}, '"a b"').ok).toBe(false);
      expect(expandCommand({prompt: `!\`${command.replaceAll('\n', ';')}\``}, 'plain-word').ok).toBe(true);
    },
  );
});

describe('commands', () => {
  test('stand at the beginning of a word, in their order', () => {
    const prompt = '!`a` (!`b`) x!`c` `!` `d`\n!`e f`';
    expect(commandsIn(partsOf(prompt, ''))).toEqual(['a', 'b', 'e f']);
    expect(expanded(prompt, '', ['1', '2', '3'])).toBe('1 (2) x!`c` `!` `d`\n3');
  });

  test('print text that is not read again', () => {
    expect(expanded('!`a` !`b`', '', ['$1 !`b`', '$ARGUMENTS'])).toBe('$1 !`b` $ARGUMENTS');
  });
});

test('a call is a name with its argument', () => {
  const command = {name: 'git:commit', description: '', from: 'yours', prompt: 'x'};
  expect(customCall('/git:commit  two\nlines ', [command])).toEqual({command, argument: 'two\nlines'});
  expect(customCall('/git:commit', [command])?.argument).toBe('');
  for (const text of ['/git', '/git:commits', 'x /git:commit', '//git:commit'])
    expect(customCall(text, [command])).toBeUndefined();
});
