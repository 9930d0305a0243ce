import * as fc from 'fast-check';
import {beforeAll, describe, expect, test} from 'vitest';
import {readCommand} from '../../../../src/host/rules/read-command.ts';
import {createRuleSet} from '../../../../src/host/rules/match.ts';
import {loadShellGrammar, type ShellGrammar} from '../../../../src/host/rules/shell-grammar.ts';
import type {RuleTarget} from '../../../../src/host/rules/rule-target.ts';
import {
  RULE_EFFECTS,
  ruleOf,
  type PermissionRule,
  type RuleEffect,
  type RuleSource,
} from '../../../../src/session/requests/permission-rules.ts';
import {leastCpuTimeOf} from '../../../support/cpu-time.ts';

let grammar: ShellGrammar;
beforeAll(async () => {
  grammar = await loadShellGrammar();
});

const bases = {cwd: '/p', home: '/home/me'};
const agent = {label: 'demo', claimed: 'Demo Agent'};

/** `allow execute npm test*`, with `project ` in front if it is not the user's. */
function rules(...texts: string[]): PermissionRule[] {
  return texts.map((text) => {
    const source: RuleSource = text.startsWith('project ') ? 'project' : 'user';
    const [effect, ...rest] = text.replace(/^project /, '').split(' ');
    const rule = ruleOf(effect as RuleEffect, rest.join(' '), source);
    if (!rule) throw new Error(`no rule: ${text}`);
    return rule;
  });
}

function subject(change: Partial<RuleTarget>): RuleTarget {
  const nothing = {paths: [], guarded: [], files: [], command: undefined};
  return {agent, kind: 'other', tool: undefined, ...nothing, ...change};
}
const command = (text: string | string[]) => subject({kind: 'execute', command: readCommand(text, grammar)});
const edit = (...paths: string[]) =>
  subject({kind: 'edit', paths: paths.map((path) => ({named: path, real: path}))});
const effect = (texts: string[], about: RuleTarget) =>
  createRuleSet(rules(...texts), bases).decide(about)?.effect;

describe('a program that starts another', () => {
  const launchers = [
    'sudo -u root',
    'doas',
    'env A=b',
    '/usr/bin/env',
    'xargs',
    'nohup',
    'nice -n 5',
    'timeout 5',
    'time',
    'busybox',
    'ssh host',
    'find . -exec',
    'fd -x',
    'git bisect run',
  ];

  test.each(launchers)(
    '%s is covered by no rule with a wildcard, and denied with what it starts',
    (launcher) => {
      expect(effect(['allow execute', 'deny execute rm *'], command(`${launcher} rm x`))).toBe('deny');
      expect(
        effect([`allow execute ${launcher.split(' ')[0]} *`], command(`${launcher} ls x`)),
      ).toBeUndefined();
      expect(effect([`allow execute ${launcher} ls x`], command(`${launcher} ls x`))).toBe('allow');
    },
  );

  test.each(["git rebase -x 'rm x' main", "git grep -O'rm x'", "git clone 'ext::rm x'"])(
    'is denied in an option: %s',
    (line) => expect(effect(['allow execute', 'deny execute rm *'], command(line))).toBe('deny'),
  );

  // No list of such programs can be complete.
  test.each([
    './run rm x',
    'docker exec box rm x',
    'npx rm x',
    'mylauncher --fast /bin/rm x',
    'a "rm" x',
    'echo rm x',
    '/lib64/ld-linux-x86-64.so.2 rm x',
    'sort --compress-program=rm a',
    "split --filter='rm x'",
    "sed '1e rm x'",
    `awk 'BEGIN{system("rm x")}'`,
    "tar --to-comm='rm x' -xf a",
    "tar cfI a 'rm x'",
    "rsync -e 'rm x' a b",
    "scp -o ProxyCommand='rm x' a b",
    "npx -c 'rm x'",
    'make SHELL=rm',
    "let 'a[$(rm x)]'",
    "compgen -W '$(rm x)'",
    "mapfile -C 'rm x;:' -c1 a",
    "true | read 'a[$(rm x)]'",
    './sh -c "rm x"',
    `bash -c "ls; 'rm' x"`,
    'r\\\nm x',
  ])('that may start a denied one asks: %s', (line) => {
    expect(effect(['allow execute', 'deny execute rm *'], command(line))).toBe('ask');
    expect(effect(['allow execute ?*', 'deny execute rm *'], command(line))).toBe('ask');
  });

  test.each(['npm test', './run x', 'ls farm', 'echo "term x"'])('is otherwise ignored: %s', (line) =>
    expect(effect(['allow execute', 'deny execute rm *'], command(line))).toBe('allow'),
  );

  test('is recognized by all words that the pattern begins with', () => {
    const rule = ['allow execute', 'deny execute git push *'];
    expect(effect(rule, command('./run git push x'))).toBe('ask');
    expect(effect(rule, command('./run git pull x'))).toBe('allow');
    expect(effect(['allow execute', 'deny execute npm pub*'], command('./run npm publish'))).toBe('ask');
    expect(effect(['allow execute', 'deny execute npm run x'], command('./run npm run xy'))).toBe('allow');
  });

  test.each([
    ['git --no-pager push', 'ask'],
    ['git -P push x', 'ask'],
    ['git -C /a/b push', 'ask'],
    ['git --git-dir=.git --work-tree . push', 'ask'],
    ['/usr/bin/git -C . push', 'ask'],
    ['docker exec box git -C /a push', 'ask'],
    ['git -c a=b push', 'deny'],
    ["ssh host 'git -C /a push'", 'deny'],
    ['git -C . pull', 'allow'],
    ['git stash push', 'allow'],
    ['git log --grep push', 'allow'],
    ["git commit -m 'push it'", 'allow'],
  ])('is recognized with options between these words: %s', (line, expected) =>
    expect(effect(['allow execute', 'deny execute git push *'], command(line))).toBe(expected),
  );

  test.each([
    ['git -C push push origin x', 'ask'],
    ["ssh host 'git -C push push origin x'", 'deny'],
    ['run --with=git x push origin y', 'allow'],
    ['git --with=git x push origin y', 'ask'],
  ])('may be the value of an option, too: %s', (line, expected) =>
    expect(effect(['allow execute', 'deny execute git push origin *'], command(line))).toBe(expected),
  );

  test('takes linear time, however often it begins', () => {
    const deciding = (times: number) => {
      const about = command(['x', ...Array.from({length: times}, () => ['-a', 'git']).flat()]);
      return leastCpuTimeOf(() => expect(effect(['ask execute git push*'], about)).toBeUndefined());
    };
    // In the square of the length it would be 64 times as much.
    expect(deciding(8000)).toBeLessThan(4 * 8 * deciding(1000));
  });

  test('is recognized in another case, which some file systems ignore', () =>
    expect(effect(['allow execute', 'deny execute rm *'], command('RM x'))).toBe('ask'));
});

test('a shell, and a line that continues in the middle of a name, are covered by no rule', () => {
  expect(effect(['allow execute npm test*'], command('./sh -c "npm test"'))).toBeUndefined();
  expect(effect(['allow execute ./sh *'], command('./sh -c "npm test"'))).toBeUndefined();
  expect(effect(['allow execute npm *'], command('npm --\\\nprefix x'))).toBeUndefined();
});

describe('a command rule', () => {
  test.each<[string[], string, string | undefined]>([
    [['allow execute npm test*'], 'npm test', 'allow'],
    [['allow execute npm test*'], 'npm test -- -u', 'allow'],
    [['allow execute npm run *'], 'npm run', 'allow'],
    [['allow execute npm test*'], 'npm test; rm -rf x', undefined],
    [['allow execute npm test*'], 'npm test\nrm -rf ~', undefined],
    [['allow execute npm test*'], 'npm test $(rm x)', undefined],
    [['allow execute npm test*'], 'npm test `rm x`', undefined],
    [['allow execute npm test*'], 'npm test "${x:-$(id)}"', undefined],
    [['allow execute npm test*'], 'npm test > ../file', undefined],
    [['allow execute npm test*'], 'npm test <<E\nE', undefined],
    [['allow execute npm test*'], 'npm test *.ts', undefined],
    [['allow execute npm test*'], 'A=b npm test', undefined],
    [['allow execute npm test*'], 'NO_COLOR=1 npm test', 'allow'],
    [['allow execute npm test*'], './npm test', undefined],
    [['allow execute npm test*', 'allow execute ls *'], 'ls -l && npm test | ls', 'allow'],
    [['allow execute npm test*'], `npm test; sh -c 'npm test'`, undefined],
    [['allow execute sudo *'], 'sudo rm x', undefined],
    [['allow execute sudo rm x'], 'sudo rm x', 'allow'],
    [['allow execute find *'], 'find . -name x', 'allow'],
    [['allow execute find *'], 'find . -delete', undefined],
    [['allow execute xargs *', 'allow execute ls'], 'ls | xargs rm', undefined],
    [['allow execute env *'], 'env rm x', undefined],
    [['allow execute git *'], 'git -C /x log', 'allow'],
    [['allow execute git *'], `git -c core.pager='sh -c id' log`, undefined],
    [['allow execute git *'], `git -C /x -c 'alias.x=!id' x`, undefined],
    [['allow execute git *'], `git --config-env=core.pager=X log`, undefined],
    [['allow execute git *'], 'git --exec-path=/tmp status', undefined],
    [['allow execute', 'deny execute rm *'], `git -c 'alias.x=!rm x' x`, 'deny'],
    [['allow execute printf *', 'allow execute ls'], 'printf %s x; ls', 'allow'],
    [['allow execute printf *', 'allow execute ls'], 'printf -v PATH /tmp; ls', undefined],
    [['allow execute printf *'], `printf -va[1] x`, undefined],
    [['allow execute test *'], `test -v 'a[$(id)]'`, undefined],
    [['allow execute [ *'], `[ -v 'a[$(id)]' ]`, undefined],
    [['allow execute [ *'], `[ ! -R 'a[$(id)]' ]`, undefined],
    [['allow execute test *'], 'test -f x', 'allow'],
    [['allow execute'], 'sudo rm $X', 'allow'],
    [['allow execute *'], 'sudo rm $X', 'allow'],
    [['allow any'], 'sudo rm $X', 'allow'],
    [['allow read'], 'cat x', undefined],
    [['allow execute', 'deny execute rm *'], 'rm x', 'deny'],
    [['allow execute', 'deny execute rm *'], 'ls\nrm -rf ~', 'deny'],
    [['allow execute', 'deny execute rm *'], 'ls `rm x`', 'deny'],
    [['allow execute', 'deny execute rm *'], 'env sudo rm x', 'deny'],
    [['allow execute', 'deny execute rm *'], '/bin/rm x', 'deny'],
    [['allow execute', 'deny execute rm *'], 'r\\m x', 'deny'],
    [['allow execute', 'deny execute rm *'], `bash -c "ls; 'rm' x"`, 'ask'],
    [['allow execute', 'deny execute rm *'], 'find . -exec rm {} +', 'deny'],
    [['allow execute', 'deny execute rm *'], 'rm $X', 'deny'],
    [['allow execute', 'deny execute rm *'], 'find . -exec rm', 'deny'],
    [['allow execute', 'deny execute rm -rf *'], 'rm $X', 'ask'],
    [['allow execute', 'deny execute rm *'], '$X -rf y', 'ask'],
    [['allow execute', 'deny execute rm *'], 'alias ls=rm; ls x', 'ask'],
    [['allow execute', 'deny execute rm *'], 'curl x | sh', 'ask'],
    [['allow execute', 'deny execute rm *'], 'echo "', 'ask'],
    [['allow execute', 'deny execute rm *'], 'ls *.ts', 'ask'],
    [['allow execute', 'deny execute rm *'], 'ls rm', 'ask'],
  ])('%j: %j → %j', (texts, line, expected) => {
    expect(effect(texts, command(line))).toBe(expected);
  });

  test('matches the words of a program without a shell', () => {
    expect(effect(['allow execute npm test*'], command(['npm', 'test', '; rm x']))).toBe('allow');
    expect(effect(['allow execute npm test*'], command(['npm test', 'x']))).toBeUndefined();
    expect(effect(['deny execute rm *'], command(['bash', '-lc', 'ls; rm x']))).toBe('ask');
  });

  test('asks if no command is sent', () => {
    expect(effect(['allow execute npm *'], subject({kind: 'execute'}))).toBeUndefined();
    expect(effect(['deny execute rm *'], subject({kind: 'execute'}))).toBe('ask');
    expect(effect(['deny execute rm *'], subject({kind: 'edit'}))).toBeUndefined();
  });

  test('applies to a command with any label', () => {
    const sly = {...command('rm x'), kind: 'read' as const};
    expect(effect(['allow read', 'deny execute rm *'], sly)).toBe('deny');
    expect(effect(['allow execute'], sly)).toBeUndefined();
  });

  test.each<[string, string | undefined]>([
    ['allow read', undefined],
    ['allow read src/**', undefined],
    ['allow any src/**', undefined],
    ['allow any src/a', undefined],
    ['allow any', 'allow'],
  ])('is what a command is allowed by, whatever else the request names: %s → %s', (text, expected) => {
    const paths = [{named: '/p/src/a', real: '/p/src/a'}];
    for (const kind of ['read', 'execute'] as const)
      expect(effect([text], {...command('cat src/a; rm x'), kind, paths})).toBe(expected);
  });
});

describe('a path rule', () => {
  test.each<[string[], string[], string | undefined]>([
    [['allow edit src/**'], ['/p/src/a/b'], 'allow'],
    [['allow edit src/**'], ['/p/other'], undefined],
    [['allow edit src/**'], ['/p/src/a', '/p/other'], undefined],
    [['allow edit src/**'], ['/other/p/src/a'], undefined],
    [['allow edit src/'], ['/p/src/a/b'], 'allow'],
    [['allow edit src/*'], ['/p/src/a/b'], undefined],
    [['allow edit ./src/*'], ['/p/src/a'], 'allow'],
    [['allow edit *.md'], ['/p/docs/a.md'], 'allow'],
    [['allow edit /p/docs/a.md'], ['/p/docs/a.md'], 'allow'],
    [['allow edit src/**'], [], undefined],
    [['allow edit'], [], 'allow'],
    [['deny edit src/**'], [], 'ask'],
    [['deny any .env'], [], undefined],
    [['allow edit', 'deny edit .env*'], ['/p/a/.env.local'], 'deny'],
    [['allow edit', 'deny any secrets'], ['/p/secrets/a/key'], 'deny'],
    [['allow edit', 'deny edit ~/.ssh/**'], ['/home/me/.ssh/id'], 'deny'],
    [['allow edit', 'ask edit src/**'], ['/p/x', '/p/src/a'], 'ask'],
    [['allow read'], ['/p/src/a'], undefined],
  ])('%j: %j → %j', (texts, paths, expected) => {
    expect(effect(texts, edit(...paths))).toBe(expected);
  });

  test.each<[string[], string, string | undefined]>([
    [['deny any .env*'], '/other/.env', 'deny'],
    [['deny any .env*'], '/other/a/b/.env.local', 'deny'],
    [['deny any .env*'], '/other/.env.d/key', 'deny'],
    [['deny any **/.env'], '/other/a/.env', 'deny'],
    [['deny any .env*'], '/p/.ENV', 'deny'],
    [['deny any Secrets/Straße'], '/p/secrets/STRASSE', 'deny'],
    [['allow edit src/**'], '/p/SRC/a', undefined],
    [['ask edit *.pem'], '/home/me/a.pem', 'ask'],
    [['deny any secrets/key'], '/other/secrets/key', undefined],
    [['deny any ./.env'], '/other/.env', undefined],
    [['allow edit *.md'], '/other/a.md', undefined],
    // The folders above the session's are not what a rule is about.
    [['deny any p'], '/p/a', undefined],
    [['deny any p'], '/p/p/a', 'deny'],
    [['deny any p'], '/other/p/a', 'deny'],
  ])('%j outside the session’s folder: %j → %j', (texts, path, expected) => {
    expect(effect(texts, edit(path))).toBe(expected);
  });

  test('allows by the target of a path, denies by any of its names', () => {
    const linked = subject({kind: 'edit', paths: [{named: '/p/src/link', real: '/p/.git/hooks/x'}]});
    expect(effect(['allow edit src/**'], linked)).toBeUndefined();
    expect(effect(['deny edit src/**'], linked)).toBe('deny');
    expect(effect(['deny edit .git/**'], linked)).toBe('deny');
  });

  test('allows nothing outside the workspace', () => {
    const outside = subject({kind: 'edit', paths: [{named: '/etc/passwd', real: undefined}]});
    for (const text of ['allow edit /etc/**', 'allow edit', 'allow any'])
      expect(effect([text], outside)).toBeUndefined();
    expect(effect(['deny edit /etc/**'], outside)).toBe('deny');
  });

  test('treats special characters of the folder literally', () => {
    const odd = {cwd: '/p/a*b', home: '/home/me'};
    const book = createRuleSet(rules('allow edit src/*'), odd);
    expect(book.decide(edit('/p/a*b/src/x'))?.effect).toBe('allow');
    expect(book.decide(edit('/p/aXb/src/x'))).toBeUndefined();
  });
});

describe('agents and tools', () => {
  test.each<[string, string | undefined]>([
    ['allow agent=demo edit', 'allow'],
    ['allow agent=d* edit', 'allow'],
    ['allow agent=Demo* edit', undefined],
    ['deny agent=Demo* edit', 'deny'],
    ['deny agent=demo edit', 'deny'],
    ['deny agent=other edit', undefined],
    ['allow tool=Write edit', 'allow'],
    ['allow tool=Read edit', undefined],
    ['deny tool=W* any', 'deny'],
  ])("%j → %j: an agent is allowed by the user's name for it, not by its own", (text, expected) => {
    expect(effect([text], {...edit('/p/a'), tool: 'Write'})).toBe(expected);
  });
});

describe('rules together', () => {
  test.each<[string[], string | undefined, string | undefined]>([
    [['allow edit', 'ask edit', 'deny edit'], 'deny', 'rule: edit (user)'],
    [['project allow edit', 'ask edit'], 'ask', 'rule: edit (user)'],
    [['allow edit', 'project ask edit'], 'ask', 'rule: edit (project)'],
    [['allow edit', 'project deny edit'], 'deny', 'rule: edit (project)'],
    [['project allow edit'], 'allow', 'rule: edit (project)'],
    [['allow read'], undefined, undefined],
    [[], undefined, undefined],
  ])('%j → %j by %j', (texts, expected, by) => {
    const verdict = createRuleSet(rules(...texts), bases).decide(edit('/p/a'));
    expect([verdict?.effect, verdict?.by]).toEqual([expected, by]);
  });

  test('that allow a command part by part are all named', () => {
    const book = createRuleSet(rules('allow execute ls*', 'project allow execute npm *'), bases);
    expect(book.decide(command('ls; npm test; ls -l'))?.by).toBe(
      'rules: execute ls* (user), execute npm * (project)',
    );
  });

  const texts = [
    'edit',
    'edit src/**',
    'any',
    'any .env',
    'read',
    'execute rm *',
    'agent=demo edit',
    'tool=x any',
  ];
  const rule = fc
    .tuple(fc.constantFrom(...RULE_EFFECTS), fc.constantFrom(...texts), fc.constantFrom('', 'project '))
    .map(([of, text, source]) => `${source}${of} ${text}`);
  const about = fc.constantFrom('/p/a', '/p/src/a', '/p/.env', '/p/src/.env');
  const strength = (texts: string[], path: string) =>
    ['deny', 'ask', undefined, 'allow'].indexOf(effect(texts, edit(path)));

  test('decide the same in any order', () => {
    fc.assert(
      fc.property(fc.array(rule, {maxLength: 6}), about, (all, path) => {
        expect(strength(all.toReversed(), path)).toBe(strength(all, path));
      }),
    );
  });

  test('never allow more because of a deny or an ask, nor less because of an allow', () => {
    fc.assert(
      fc.property(fc.array(rule, {maxLength: 6}), rule, about, (all, added, path) => {
        const change = strength([...all, added], path) - strength(all, path);
        expect(added.includes('allow ') ? change : -change).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
