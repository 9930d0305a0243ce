import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {describe, expect, test} from 'vitest';
import {ruleOf} from '../../../../src/session/requests/permission-rules.ts';
import {rules, useHosts} from '../hosts.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();
const setUp = useHosts(sandbox);
const at = (name: string) => `${sandbox.root}/${name}`;
const allow = (text: string) => ruleOf('allow', text, 'user')!;

test.each(['think', 'search', 'edit', 'read'] as const)(
  'no level but "all" answers a request of kind %s that shows nothing but a title',
  async (kind) => {
    const under = setUp({approval: 'edits'});
    const asked = under.permission({kind, title: 'Do it'});
    await under.answer('reject_once');
    expect(await asked).toBe('x-no');
    under.host.setApproval('all');
    expect(await under.permission({kind, title: 'Do it'})).toBe('x-once');
  },
);

describe('--approve reads trusts no label', () => {
  test.each<[string, () => object]>([
    ['a request without a file', () => ({title: 'Read a', rawInput: {query: '/api/v1'}})],
    ['a command', () => ({rawInput: {command: 'cat a'}})],
    ['words of a command', () => ({rawInput: {input: {argv: ['cat', 'a']}}})],
    ['a command in another field', () => ({rawInput: {command_line: 'cat a'}})],
    ['a command within a command', () => ({rawInput: {run: {line: 'cat a'}}})],
    ['a command without a field', () => ({rawInput: 'cat a'})],
    ['words without a field', () => ({rawInput: ['cat', 'a']})],
    ['a path with spaces around it', () => ({rawInput: {path: '\u{a0}/etc/shadow\n'}})],
    ['a path in quotes', () => ({rawInput: {path: '"/etc/shadow"'}})],
    ['one of several paths', () => ({rawInput: {paths: 'a\n/etc/shadow'}})],
    ['a path in a variable', () => ({rawInput: {path: '${HOME}/a'}})],
    ['a file URL', () => ({rawInput: {url: 'file:///etc/shadow'}})],
    ['a path under another name', () => ({rawInput: {name: '/etc/shadow'}})],
    ['a terminal', () => ({content: [{type: 'terminal', terminalId: 't'}]})],
    ['a path outside in its input', () => ({rawInput: {file_path: '/etc/shadow'}})],
    ['a path deep in its input', () => ({rawInput: {changes: [{'/etc/shadow': {}}]}})],
    ['a path that leads up', () => ({rawInput: {path: '../x'}})],
    ['a relative name that is a link to the outside', () => ({rawInput: {file: 'link'}})],
    ['an address', () => ({locations: [{path: 'file:///etc/shadow'}]})],
    ['a file URL in its input', () => ({rawInput: {uri: 'file:///etc/shadow'}})],
    ['the home folder', () => ({locations: [{path: '~/.ssh/id_rsa'}]})],
    ['the home folder in its input', () => ({rawInput: {path: '~/notes'}})],
    ['the home of another user', () => ({locations: [{path: '~root/x'}]})],
    [
      'a link in its content',
      () => ({
        content: [{type: 'content', content: {type: 'resource_link', name: 'x', uri: 'file:///etc/shadow'}}],
      }),
    ],
  ])('and asks about %s', async (_name, toolCall) => {
    await symlink(sandbox.outside, at('link'));
    const {permission, answer} = setUp({approval: 'reads'});
    const asked = permission({kind: 'read', ...toolCall()});
    await answer('reject_once');
    expect(await asked).toBe('x-no');
  });

  test.each<[string, () => object]>([
    ['files inside', () => ({locations: [{path: at('a')}], rawInput: {file_path: 'a', limit: 3}})],
    ['a file URL inside', () => ({locations: [{path: `file://${at('a')}`}]})],
    ['other text beside a path', () => ({rawInput: {path: 'a', query: '/api/v1', url: 'https://x.org/a'}})],
  ])('and allows %s', async (_name, toolCall) => {
    const {permission} = setUp({approval: 'reads'});
    expect(await permission({kind: 'read', ...toolCall()})).toBe('x-once');
  });
});

describe('--approve edits', () => {
  test.each<[string, () => object]>([
    ['that names no file', () => ({title: 'Edit a'})],
    ['by a patch of a file outside', () => ({rawInput: {patch: '*** Update File: /etc/passwd\n'}})],
    ['by a patch of a protected path', () => ({rawInput: '--- a/.envrc\n+++ b/.envrc\n@@ -0,0 +1 @@\n+x\n'})],
    ['with a command beside it', () => ({rawInput: {file_path: 'a', content: 'x', run: 'true'}})],
  ])('asks about a change %s', async (_name, toolCall) => {
    const {permission, answer} = setUp({approval: 'edits'});
    const asked = permission({kind: 'edit', ...toolCall()});
    await answer('reject_once');
    expect(await asked).toBe('x-no');
  });

  test('allows a patch of a file inside', async () => {
    const {permission} = setUp({approval: 'edits'});
    const rawInput = {patch: '--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n'};
    expect(await permission({kind: 'edit', rawInput})).toBe('x-once');
  });
});

describe('a command in any field of a request', () => {
  const fields = (line: string): readonly unknown[] => [
    {cmd: line},
    {script: line},
    {input: {command: line}},
    {command: {line}},
    {command: 'true', shellCommand: line},
    {argv: line.split(' ')},
    line,
  ];
  const kinds = ['execute', 'other', 'read'] as const;

  test('is denied by rules that deny it', async () => {
    for (const rawInput of [...fields('rm a'), ...fields('cat .env')])
      for (const kind of kinds) {
        const {permission} = setUp({approval: 'all', rules: rules('deny execute rm *', 'deny any .env*')});
        expect([rawInput, await permission({kind, rawInput})]).toEqual([rawInput, 'x-no']);
      }
  });

  test('is asked about if it names a protected path', async () => {
    for (const rawInput of fields('tee .envrc')) {
      const {permission, answer} = setUp({approval: 'all'});
      const asked = permission({kind: 'other', rawInput});
      await answer('reject_once');
      expect([rawInput, await asked]).toEqual([rawInput, 'x-no']);
    }
  });

  test.each<[string, object]>([
    ['another one is beside it', {script: 'rm a'}],
    ['it gets a variable', {env: {NODE_OPTIONS: '--require ./a.js'}}],
    ['it gets an unreadable environment', {environment: 'PATH=.'}],
    ['it is passed to a program of the agent', {shell: './sh'}],
  ])('is asked about when %s, even if a rule allows it', async (_name, beside) => {
    const {permission, answer, asked} = setUp({rules: rules('allow execute npm test*')});
    const answered = permission({kind: 'execute', rawInput: {command: 'npm test', ...beside}});
    await answer('reject_once');
    expect(await answered).toBe('x-no');
    expect(asked[0]!.rule).toBeUndefined();
  });

  test('is allowed by a rule if two fields agree on it', async () => {
    const rawInput = {command: ['bash', '-lc', 'npm test'], parsed_cmd: [{type: 'unknown', cmd: 'npm test'}]};
    const {permission} = setUp({rules: rules('allow execute npm test*')});
    expect(await permission({kind: 'execute', rawInput})).toBe('x-once');
  });
});

describe('a protected path', () => {
  const PROTECTED = [
    '.bashrc',
    '.git/hooks/pre-commit',
    '.GIT/config',
    '.envrc',
    '.vscode/tasks.json',
    '.npmrc',
  ];
  PROTECTED.push('.git/modules/libs/one/hooks/post-checkout', '.hg/hgrc', '.local/bin/git');
  PROTECTED.push('.mcp.json', '.acp-tui.json', '.claude/settings.json', '.ssh/authorized_keys', 'sub/.envrc');

  test.each(PROTECTED)('is never written without asking, at any level: %s', async (name) => {
    await mkdir(at(name).replace(/\/[^/]*$/, ''), {recursive: true});
    for (const approval of ['edits', 'all'] as const) {
      const {write, permission, answer, asked, records} = setUp({approval});
      const writing = write(at(name));
      await answer('reject_once');
      expect(await writing).toBe(-32603);
      expect(records[0]).toMatchObject({
        by: 'user',
        askedBy: expect.stringContaining('protected path: ') as string,
      });
      const asking = permission({kind: 'edit', locations: [{path: at(name)}]});
      await answer('reject_once');
      expect(await asking).toBe('x-no');
      expect(asked).toHaveLength(2);
    }
    await expect(readFile(at(name))).rejects.toThrow('ENOENT');
  });

  test('is recognized behind a link', async () => {
    await mkdir(at('.git/hooks'), {recursive: true});
    await symlink('.git/hooks', at('plain'));
    const {write, answer} = setUp({approval: 'all'});
    const writing = write(at('plain/pre-commit'));
    await answer('reject_once');
    expect(await writing).toBe(-32603);
  });

  test.each(['edits', 'all'] as const)(
    'is a git directory under any name, at --approve %s',
    async (approval) => {
      await mkdir(at('.bare/refs'), {recursive: true});
      await mkdir(at('.bare/objects'));
      await writeFile(at('.bare/HEAD'), 'ref: refs/heads/main\n');
      await mkdir(at('.bare/main'));
      await writeFile(at('.bare/main/.git'), `gitdir: ${at('.bare/worktrees/main')}\n`);
      const {write, run, answer} = setUp({approval});
      const writing = write(at('.bare/hooks/pre-commit'));
      await answer('reject_once');
      expect(await writing).toBe(-32603);
      const running = run('cp x .bare/config');
      await answer('reject_once');
      expect(await running).toBe(-32603);
      // A working tree in it is not protected.
      expect(await write(at('.bare/main/a'))).toBe('written');
    },
  );

  test('is acp-tui’s own folder, wherever it is, also through a link', async () => {
    await mkdir(at('own'));
    await symlink('own', at('settings'));
    for (const ownFolders of [[at('own')], [at('settings')]]) {
      const {write, answer} = setUp({approval: 'all', ownFolders});
      const writing = write(at('own/config.json'));
      await answer('reject_once');
      expect(await writing).toBe(-32603);
    }
  });

  test.each([
    'cat .npmrc',
    'echo x >> .bashrc',
    'tee -a ~/.bashrc',
    `tee -a ${homedir()}/.profile`,
    'cp x .git/hooks/pre-commit',
    'cd .git && cp x hooks/pre-commit',
    'cat "$HOME/.ssh/id_rsa"',
    'cat $X/.ssh/id_rsa',
    'cat .npm?c',
    'sh -c "cat .npmrc"',
    'cat plain',
    `ls ${'a* '.repeat(400)} .npmr?`,
    `cat ${'*/'.repeat(2000)}`,
    // Braces and variables expand to a protected name.
    'cat ~/.npm{rc,x}',
    'cat ~/{.n,.x{a,b}}pmrc',
    'cat ~/.npmr{b..d}',
    'X=~/.ss; cat ${X}h/id_rsa',
    'cat "$HOME"/.ssh/id_rsa',
    'for f in rc x; do cat .npm$f; done',
    // Only the shell knows what is written.
    'echo x > "$X"',
    'echo x >> $(cat name)',
    'cat <<EOF > $X\nx\nEOF',
    'cp a "$XDG_CONFIG_HOME/acp-tui/config.json"',
    'cp -t "$X" a',
    'mv a ${X:-b}',
    'echo x | tee -a "$X"',
    'install -m 755 a "$X/b"',
    'ln -s a `cat name`',
    'sed -i s/a/b/ "$X"',
    'sudo cp a "$X"',
    'find . -name a -exec cp {} "$X" \\;',
    'dd if=a of="$X"',
    'while read f; do sed -i s/a/b/ "$f"; done < list',
    'touch "$X"',
    'touch -d now $(cat name)',
    'rm -f "$X"',
    'chmod -x "$X"',
    'chown root $(cat name); truncate -s 0 a',
    // Trees contain names that no word names.
    'cp -r evil/. ~',
    'cp -a evil/. "$HOME/"',
    'cd ~ && cp -r /tmp/evil/. .',
    'rsync -r evil/ ~/.config',
    'tar xf evil.tar -C ~',
    'unzip evil.zip -d /',
    'rm -rf ~',
    'chmod -R a+rw "$HOME"',
    // Programs write protected paths by themselves.
    'git config core.hooksPath evil',
    'git -C sub config --global core.sshCommand ./evil',
    `git config alias.st '!./evil'`,
    'git config set core.fsmonitor ./evil',
    'git config "$KEY" "$VALUE"',
    'git config core.hooksPath list',
    `git ${'-a '.repeat(2000)} config core.hooksPath evil`,
    'acp-tui config set approve all',
    'npx acp-tui config set approve all',
    'npm config set script-shell ./evil',
  ])('is asked about when a command names it, at --approve all: %s', async (line) => {
    await writeFile(at('.npmrc'), '');
    await symlink('.npmrc', at('plain'));
    const {run, answer, asked} = setUp({approval: 'all'});
    const running = run(line);
    await answer('reject_once');
    expect(await running).toBe(-32603);
    expect(asked).toHaveLength(1);
  });

  test.each([
    'echo $X',
    'sleep 0 & a=$!; echo $a $$ $? {1..9} {a..c} x{01..10}',
    'ls .',
    'true *',
    'git status',
    'echo npmrc',
    'echo x > out-{1,2}.txt',
    'cat "$X" > out.txt 2>&1',
    'X=out; mkdir -p "$X" && cp a "$X/b" && echo x > "${X}.log"',
    'for f in a *.ts; do sed -i s/x/y/ "$f"; cp "$f" "$f.bak"; done',
    'sed -i "s/$A/$B/" a',
    `sed -i -e "s/$A/$B/" -e 's/c/d/' a`,
    'sed -n "$X" a',
    'cp -r "$X" build',
    'cp "$X" ~',
    'tar xf a.tar && tar cf "$X"',
    'find . -name "*.o" -exec rm {} \\;',
    'echo x > /tmp/log.$$',
    'rm -rf build *.o out-{1,2} && touch a .stamp && chmod +x a *.sh',
    'touch -d "$WHEN" a && truncate -s "$SIZE" a',
    'D=out; rm -rf "$D"; for f in a *.tmp; do rm "$f"; chmod 644 "$f.bak"; done',
    'git config user.email me@example.org',
    'git config --get user.name',
    'git config core.hooksPath',
    'git config --get core.hooksPath',
    'git -C sub config --list',
    'acp-tui config list',
    'npm config get registry',
  ])('is none in %s', async (line) => {
    const {run, asked} = setUp({approval: 'all'});
    expect(await run(line)).toBe('started');
    expect(asked).toHaveLength(0);
  });

  test('is allowed by a rule that names it, and by no broad one', async () => {
    await mkdir(at('.claude'));
    for (const rule of ['edit **', 'any', 'edit .*', 'edit */settings.json']) {
      const {write, answer} = setUp({rules: [allow(rule)]});
      const writing = write(at('.claude/settings.json'));
      await answer('reject_once');
      expect(await writing).toBe(-32603);
    }
    for (const rule of ['edit .claude/**', 'edit .claude/settings.json', 'any .claude/']) {
      const {write} = setUp({rules: [allow(rule)]});
      expect(await write(at('.claude/settings.json'))).toBe('written');
    }
    const project = {...allow('edit .claude/**'), source: 'project' as const};
    const {write, answer} = setUp({rules: [project]});
    const writing = write(at('.claude/settings.json'));
    await answer('reject_once');
    expect(await writing).toBe(-32603);
  });

  test('is allowed in a command by a rule for exactly that command', async () => {
    await writeFile(at('.npmrc'), '');
    const {run} = setUp({rules: [allow('execute cat .npmrc')]});
    expect(await run('cat .npmrc')).toBe('started');
    const {run: runWide, answer} = setUp({rules: [allow('execute cat *'), allow('execute')]});
    const running = runWide('cat .npmrc');
    await answer('reject_once');
    expect(await running).toBe(-32603);
  });

  test('is rejected without a user, with a reason that says so and names no level', async () => {
    const {host, write, permission} = setUp({hasUser: false, approval: 'all'});
    expect(await write(at('.envrc'))).toBe(-32603);
    expect(await permission({kind: 'edit', locations: [{path: at('.envrc')}]})).toBe('x-no');
    for (const denied of host.denied())
      expect(denied).toMatchObject({
        allowedBy: undefined,
        rule: expect.stringContaining('protected path') as string,
      });
    expect(host.denied()).toHaveLength(2);
  });

  test.each([
    ['characters', `true ${'x'.repeat(20_000)}; tee .envrc`],
    ['words', `true ${'x '.repeat(2500)}; tee .envrc`],
  ])('may be named by a command with too many %s, which is asked about', async (_what, line) => {
    const {run, answer} = setUp({approval: 'all'});
    const running = run(line);
    await answer('reject_once');
    expect(await running).toBe(-32603);
  });

  test('is read as usual', async () => {
    await writeFile(at('.npmrc'), 'x');
    const {host, asked} = setUp({approval: 'none'});
    const never = new AbortController().signal;
    expect(await host.read({sessionId: 's', path: at('.npmrc')}, never)).toMatchObject({ok: true});
    expect(asked).toEqual([]);
  });
});

test('a command that names a denied file is rejected, also through a link', async () => {
  await writeFile(at('.env'), 'secret');
  await symlink('.env', at('plain'));
  const deny = ruleOf('deny', 'any .env*', 'user')!;
  const {run, decisions} = setUp({rules: [allow('execute cat *'), deny]});
  expect(await run('cat .env')).toBe(-32603);
  expect(await run('cat', ['.env'])).toBe(-32603);
  expect(await run('cat plain')).toBe(-32603);
  expect(decisions.map(({by}) => by)).toEqual(Array.from({length: 3}, () => 'rule: any .env* (user)'));
});

test('no rule allows what is passed to an agent’s own script named like a shell', async () => {
  await writeFile(at('sh'), '#!/bin/sh\ntouch done\n', {mode: 0o755});
  const {run, permission, answer, asked} = setUp({rules: [allow('execute true*')]});
  expect(await run('sh', ['-c', 'true'])).toBe('started');
  for (const shell of ['./sh', at('sh')]) {
    const running = run(shell, ['-c', 'true']);
    await answer('reject_once');
    expect(await running).toBe(-32603);
    const line = run(`${shell} -c true`);
    await answer('reject_once');
    expect(await line).toBe(-32603);
    const asking = permission({kind: 'execute', rawInput: {command: [shell, '-c', 'true']}});
    await answer('reject_once');
    expect(await asking).toBe('x-no');
    expect(asked.at(-1)?.rule).toBe(`execute ${shell} -c true`);
  }
  const refused = setUp({rules: [allow('execute true*')], hasUser: false});
  expect(await refused.run('./sh', ['-c', 'true'])).toBe(-32603);
});
