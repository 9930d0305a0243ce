import {execFileSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {
  commandsIn,
  customCall,
  expandCommand,
  readMarkdownCommand,
  readTomlCommand,
  withOutputs,
  type CustomCommand,
} from '../../../../src/session/content/custom-command.ts';
import {cpuTimeOf} from '../../../support/cpu-time.ts';

const expandAs = (prompt: string, argument: string, notation: CustomCommand['notation'] = 'own') =>
  expandCommand({name: 'it', prompt, notation}, argument);

function partsOf(prompt: string, argument: string, notation?: CustomCommand['notation']) {
  const parts = expandAs(prompt, argument, notation);
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
  const quotes = '"'.repeat(20_000);
  const texts = [
    [`---\ndescription: a${' '.repeat(60_000)}x\n---\ny`, quotes],
    [`---\n${'-'.repeat(60_000)}`, quotes],
    ['!`'.repeat(30_000), quotes],
    ['!{'.repeat(30_000), quotes],
    [`!\`${'$1 '.repeat(20_000)}\``, '"a b"'],
  ] as const;
  for (const [text, argument] of texts)
    for (const notation of ['own', 'claude', 'codex', 'gemini', 'opencode'] as const) {
      const expand = () => void expandCommand({...readMarkdownCommand(text), name: 'it', notation}, argument);
      expect(cpuTimeOf(expand)).toBeLessThan(500);
    }
});

test('a TOML file of Gemini CLI has mentions in braces', () => {
  expect(readTomlCommand({prompt: '!{ls} @{a.ts} {{args}}', description: 'Look'})).toEqual({
    description: 'Look',
    prompt: '!{ls} @a.ts {{args}}',
  });
  expect(readTomlCommand({prompt: '\nRead @{src/a b.ts}, @{a{b}.ts} and @{open.\n'}).prompt).toBe(
    'Read @"src/a b.ts", @a{b}.ts and @{open.',
  );
  expect(readTomlCommand({prompt: 3}).prompt).toBe('');
});

describe('arguments', () => {
  test.each([
    ['all of them', 'Fix $ARGUMENTS now', 'a "b c"', 'Fix a "b c" now'],
    ['one by one, with blanks in quotes', '$2, $1', `"a b" 'c d'`, 'c d, a b'],
    ['a missing one stays', 'A[$1][$2] for $5', 'x', 'A[x][$2] for $5'],
    ['behind a backslash are text', String.raw`\$1 \$ARGUMENTS $1 \$x`, 'a', String.raw`$1 $ARGUMENTS a \$x`],
    ['follow a prompt that takes none of them', 'It costs $5.', 'now', 'It costs $5.\n\nnow'],
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
    expect(commandsIn(partsOf('!`ls -- $1`', ''))).toEqual(['ls -- ']);
    expect(commandsIn(partsOf('!`ls "$1"`', ''))).toEqual(['ls ""']);
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
      // In acp-tui's own files, nothing is a place between single quotes.
      const notations = place.includes("'$1'") ? (['opencode'] as const) : (['own', 'opencode'] as const);
      for (const [word, notation] of HOSTILE.flatMap((each) =>
        notations.map((kind) => [each, kind] as const),
      )) {
        const argument = word.includes("'") ? `"${word}"` : `'${word}'`;
        const [command = ''] = commandsIn(partsOf(`!\`printf %s ${place}\``, argument, notation));
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
      const prompt = `!\`${command.replaceAll('\n', ';')}\``;
      expect(expandAs(prompt, '"a b"', 'opencode').ok).toBe(false);
      expect(expandAs(prompt, 'plain-word', 'opencode').ok).toBe(true);
    },
  );
});

describe('an argument in a command', () => {
  test('is no place between single quotes, as in a shell', () => {
    const prompt = "!`awk '{print $1}' $1` costs $1";
    expect(commandsIn(partsOf(prompt, 'f'))).toEqual(["awk '{print $1}' f"]);
    expect(commandsIn(partsOf("!`awk '{print $1}' f`", ''))).toEqual(["awk '{print $1}' f"]);
    expect(commandsIn(partsOf('!`echo \\$1 $1`', 'a'))).toEqual([String.raw`echo \$1 a`]);
  });

  test.each([
    'sh -c "ls $1"',
    '/bin/bash -c "ls $1"',
    "sh -c 'ls $1'",
    'eval "ls $1"',
    'ssh host ls $1',
    'echo $1 | sh',
    'awk "/$1/" f',
    'sed "s/$1/x/" f',
    'python3.12 -c "print(\'$1\')"',
    'cat f | sed "s/$1/x/"',
    'vim -c "e $1" f',
    'nvim +"e $1"',
    'echo "$1" | ex f',
    'emacs --batch --eval "(load \\"$1\\")"',
    'gdb -batch -ex "print $1"',
    'R -e "print($1)"',
    '/usr/lib/R/bin/Rscript -e "print($1)"',
    'julia -e "print($1)"',
    'echo "puts $1" | tclsh8.6',
    'alias l="ls $1"; l',
    'git config alias.l "!ls $1"',
    'git -c "alias.l=!ls $1" l',
  ])('does not become code: %s', (command) => {
    for (const notation of ['own', 'opencode'] as const)
      for (const argument of ['"x; touch y"', '"$(touch y)"']) {
        const parts = expandAs(`!\`${command}\``, argument, notation);
        // In acp-tui's own files, single quotes keep it.
        const isKept = notation === 'own' && command.includes("sh -c '");
        expect(parts.ok ? commandsIn(parts.value) : 'refused').toEqual(isKept ? [command] : 'refused');
      }
    expect(expandAs(`!\`${command}\``, 'plain').ok).toBe(true);
  });

  test('may be anything beside a program that reads other words', () => {
    for (const other of ['git log --grep', 'cat core.ts'])
      expect(commandsIn(partsOf(`!\`${other} "$1"\``, '"a b"'))).toEqual([`${other} "a b"`]);
    expect(commandsIn(partsOf("!`grep -rn $1 src | awk '{print $2}'`", '"a b"'))).toEqual([
      "grep -rn 'a b' src | awk '{print $2}'",
    ]);
  });
});

describe('the rules of another client', () => {
  test.each([
    ['claude', '$0, $1, $ARGUMENTS[1], $2: $ARGUMENTS', 'a "b c"', 'a, b c, b c, $2: a "b c"'],
    ['claude', String.raw`\$1 and $0th`, 'a', '$1 and $0th\n\nARGUMENTS: a'],
    ['codex', '$1 $2 $$1 $10 $ARGUMENTS', '"a b"  c', 'a b c $$1 a b0 a b c'],
    ['codex', 'See $FILE of $TEAM_2, $$HOME', 'FILE="a b" TEAM_2=x', 'See a b of x, $$HOME'],
    ['codex', '!`ls $1`', 'a', '!`ls a`'],
    ['gemini', 'Fix {{args}}: $1 !`ls`', '"a" b', 'Fix "a" b: $1 !`ls`'],
    ['gemini', 'Fix it.', 'now', 'Fix it.\n\n/it now'],
    ['opencode', '$1, $2', 'a b "c d"', 'a, b c d'],
    ['opencode', '[$1][$2]', 'a', '[a][]'],
  ] as const)('%s: %s', (notation, prompt, argument, result) => {
    expect(withOutputs(partsOf(prompt, argument, notation), [])).toBe(result);
  });

  test.each([
    ['claude', "!`awk '{print $1}' $0`", 'f', "awk '{print $1}' f"],
    ['claude', "!`grep '$0' f`", '"a b"', "grep 'a b' f"],
    ['gemini', '!{grep -r {{args}} .}', "It's; rm x", String.raw`grep -r 'It'\''s; rm x' .`],
    ['gemini', `!{jq '{a: {b: .c}}' f}`, '', `jq '{a: {b: .c}}' f`],
    ['gemini', '!{echo\nmore}', '', 'echo\nmore'],
    ['gemini', '!{git log {{args}}}', '', 'git log '],
    ['gemini', '!{python report.py {{args}}}', '', 'python report.py '],
    ['opencode', 'x!`ls $1`', '"a;b"', "ls 'a;b'"],
  ] as const)('%s: the command of %s', (notation, prompt, argument, command) => {
    expect(commandsIn(partsOf(prompt, argument, notation))).toEqual([command]);
  });

  test('Codex needs each named argument', () => {
    expect(expandAs('$FILE $FOCUS', 'FILE=a', 'codex')).toMatchObject({
      ok: false,
      failure: {what: '/it', why: 'it needs FOCUS=…'},
    });
  });
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
