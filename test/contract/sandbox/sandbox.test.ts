import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync, rmSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createSandbox} from '../../../src/sandbox/sandbox.ts';
import {aHome, aPolicy, aSandbox, hasNoSandbox, outputOf, runIn} from './sandboxes.ts';

test.runIf(process.env['TEST_PROGRAMS'] === 'required')('a sandbox can be set up as requested', () => {
  expect(hasNoSandbox).toBe(false);
});

/** A server on this computer that answers each connection with a word. */
async function aServer(word: string): Promise<number> {
  const server = createServer((socket) =>
    socket.on('error', () => {}).end(`HTTP/1.0 200 OK\r\n\r\n${word}\n`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const throughProxy = (port: number) =>
  `curl -sS --noproxy '' -x "$HTTP_PROXY" http://127.0.0.1:${port}/ 2>&1`;

describe.skipIf(hasNoSandbox)('a command in a sandbox', () => {
  test('keeps its exit code, its folder and its environment, but not the variables of others', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const {terminal, output} = await runIn(sandbox, 'echo "$PWD $OWN $TMPDIR"; exit 7', {
      env: {OWN: 'mine; "quoted"'},
    });
    await expect(terminal.exited).resolves.toEqual({code: 7, signal: null});
    expect(output()).toBe(`${root} mine; "quoted" /tmp\n`);
  });

  test('writes into its workspace, into the state of its agent and into the folders that the user named, and nowhere else', async () => {
    const {home, root} = aHome();
    mkdirSync(join(home, 'named'));
    const agent = {label: 'claude-acp', command: 'claude-agent-acp', args: []};
    const sandbox = await aSandbox(aPolicy({home, roots: [root], agent, sandboxFolders: ['~/named']}));
    const script =
      'for f in "$HOME/project" "$HOME/.claude" "$HOME/named" "$HOME" "$HOME/.codex"; do echo x > $f/file || echo refused; done 2>&1 | grep -c refused';
    await expect(outputOf(sandbox, script)).resolves.toBe('2\n');
    for (const folder of ['project', '.claude', 'named'])
      expect(existsSync(join(home, folder, 'file'))).toBe(true);
    expect(existsSync(join(home, 'file'))).toBe(false);
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toBe('{}\n');
  });

  test('is told of a write into a hidden folder, instead of losing it', async () => {
    const {home, root} = aHome();
    mkdirSync(join(home, '.ssh'));
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    await expect(outputOf(sandbox, 'ls -A ~/.ssh; echo x > ~/.ssh/file')).resolves.toContain(
      'Read-only file system',
    );
  });

  test('has a temporary folder that the other commands of its sandbox share, and nobody else', async () => {
    const [one, other] = [aHome(), aHome()];
    const first = await aSandbox(aPolicy({home: one.home, roots: [one.root]}));
    const second = await aSandbox(aPolicy({home: other.home, roots: [other.root]}));
    await outputOf(first, 'echo kept > /tmp/file');
    await expect(outputOf(first, 'cat /tmp/file /var/tmp/file')).resolves.toBe('kept\nkept\n');
    await expect(outputOf(second, 'cat /tmp/file')).resolves.toContain('No such file');
  });

  test('reaches the workspace of its own session only, of two at the same time', async () => {
    const [one, other] = [aHome(), aHome()];
    const first = await aSandbox(aPolicy({home: one.home, roots: [one.root]}));
    const second = await aSandbox(aPolicy({home: other.home, roots: [other.root]}));
    const write = `echo x > ${one.root}/file`;
    await expect(outputOf(second, write)).resolves.not.toBe('');
    expect(existsSync(join(one.root, 'file'))).toBe(false);
    await expect(outputOf(first, write)).resolves.toBe('');
    expect(existsSync(join(one.root, 'file'))).toBe(true);
  });

  test('reaches a server that another command of its session has started', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const server = `${process.execPath} -e 'require("http").createServer((_, r) => r.end("here")).listen(8080, () => console.log("ready"))'`;
    const {output} = await runIn(sandbox, server);
    await expect.poll(output).toContain('ready');
    await expect(outputOf(sandbox, 'curl -sS http://localhost:8080/')).resolves.toBe('here');
  });

  test('does not start in a workspace that was replaced by a link', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    rmSync(root, {recursive: true});
    symlinkSync(home, root);
    await expect(runIn(sandbox, 'true')).rejects.toThrow('was replaced');
  });

  test('does not start in a workspace that was deleted, or made again: the sandbox is that of the old one', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    renameSync(root, join(home, 'old'));
    await expect(runIn(sandbox, 'true')).rejects.toThrow('was replaced since');
    mkdirSync(root);
    await expect(runIn(sandbox, 'true')).rejects.toThrow('/restart sets up');
  });
  test('covers a protected file again that another program has replaced since', async () => {
    const {home, root} = aHome();
    writeFileSync(join(root, '.envrc'), 'old\n');
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    writeFileSync(join(home, 'new'), 'new\n');
    renameSync(join(home, 'new'), join(root, '.envrc'));
    await expect(outputOf(sandbox, 'cat .envrc; echo x > .envrc')).resolves.toMatch(/^new\n.*Read-only/);
    expect(readFileSync(join(root, '.envrc'), 'utf8')).toBe('new\n');
  });

  test('is not started where another program replaces a folder with something protected by a link, while it is set up and later', async () => {
    const {home, root} = aHome();
    mkdirSync(join(root, 'd'));
    for (const folder of [home, join(root, 'd')]) writeFileSync(join(folder, '.envrc'), '');
    const swap = () => {
      renameSync(join(root, 'd'), join(root, 'd2'));
      symlinkSync('..', join(root, 'd'));
    };
    const policy = aPolicy({home, roots: [root]});
    const sandbox = await aSandbox(policy);
    swap();
    await outputOf(sandbox, 'echo x > ../outside; echo x > d/outside; echo x > inside');
    expect(existsSync(join(home, 'outside'))).toBe(false);
    expect(existsSync(join(home, '../outside'))).toBe(false);
    expect(existsSync(join(root, 'inside'))).toBe(true);
    rmSync(join(root, 'd'));
    renameSync(join(root, 'd2'), join(root, 'd'));
    const setUp = createSandbox(
      {
        ...policy,
        // Asked while the workspace is looked up: what is found is replaced before it is mounted.
        isProtected(path) {
          if (path === '/d/.envrc') queueMicrotask(swap);
          return path === '/d/.envrc';
        },
      },
      {ask: async () => false, onRefused: () => {}},
    );
    await expect(setUp).resolves.toMatchObject({
      ok: false,
      failure: {
        kind: 'sandbox',
        reason: 'refused',
        detail: expect.stringMatching(/home is mounted with other rights/),
      },
    });
  });

  test('sends no datagram to a socket that has a path', async () => {
    const {home, root} = aHome();
    const socket = join(home, 'socket');
    const server = spawn('socat', ['-u', `UNIX-RECV:${socket}`, 'STDOUT']);
    onTestFinished(() => void server.kill('SIGKILL'));
    await expect.poll(() => existsSync(socket)).toBe(true);
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const pair = (type: string) =>
      `python3 -c 'import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.${type}); a.sendto(b"x", "${socket}"); print("sent")' 2>&1`;
    await expect(outputOf(sandbox, pair('SOCK_DGRAM'))).resolves.toContain('PermissionError');
    await expect(outputOf(sandbox, pair('SOCK_RAW'))).resolves.toContain('PermissionError');
    const whole = `python3 -c 'import socket; socket.socketpair(); socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET); print("made")' 2>&1`;
    await expect(outputOf(sandbox, whole)).resolves.toBe('made\n');
  });

  test('is not started with a variable that has a NUL, which would be words of the sandbox itself', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const refused = {ok: false, failure: {why: expect.stringContaining('NUL')}};
    for (const env of [{TOKEN: 'x\0--bind\0/\0/'}, {'A\0--bind\0/\0/': ''}])
      expect(sandbox.confine(['/bin/true'], {cwd: root, env})).toMatchObject(refused);
  });

  test('mounts only what was there before anything ran inside, which could replace it meanwhile', async () => {
    const {home, root} = aHome();
    mkdirSync(join(root, 'old'));
    writeFileSync(join(root, 'old/.envrc'), '');
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    await outputOf(sandbox, 'mkdir new && touch new/.envrc');
    const mounted = await outputOf(sandbox, "awk '{print $5}' /proc/self/mountinfo");
    const mounts = mounted.split('\n').filter((path) => path.startsWith(`${root}/`));
    expect(mounts.map((path) => path.slice(root.length + 1))).toEqual(['old', 'old/.envrc']);
    await expect(outputOf(sandbox, 'mv old moved 2>&1')).resolves.toContain('busy');
  });

  test('cannot read what the settings hide in the workspace, whatever it does with it and the folders above', async () => {
    const {home, root} = aHome();
    mkdirSync(join(root, 'a/b/c/d/e'), {recursive: true});
    mkdirSync(join(root, 'secrets'));
    const secrets = ['.env', 'a/.env.local', 'a/b/c/d/e/.env', 'secrets/deep', '.envrc', 'real'];
    for (const name of secrets) writeFileSync(join(root, name), 'hush\n');
    symlinkSync('real', join(root, '.env.link'));
    symlinkSync('/', join(root, '.env.folder'));
    mkdirSync(join(root, 'behind'));
    writeFileSync(join(root, 'behind/secret'), 'hush\n');
    symlinkSync('behind', join(root, '.env.behind'));
    const sandbox = await aSandbox(aPolicy({home, roots: [root], sandboxHidden: ['.env*', 'secrets/']}));
    const script = [
      `cat ${secrets.join(' ')}; grep -r hush .`,
      'for f in .env a/.env.local secrets .envrc; do rm -rf $f; mv $f moved; echo x > $f; done',
      'mv a b; cat b/.env.local; ln .env linked; cat linked; touch .env.later; ls .env.later',
    ];
    const output = await outputOf(sandbox, script.join('\n'));
    expect(output).not.toContain('hush');
    expect(output).toContain('Read-only file system');
    expect(output).toMatch(/^\.env\.later$/m);
    for (const name of secrets) expect(readFileSync(join(root, name), 'utf8')).toBe('hush\n');
  });

  test('is started after a hidden file is gone, and finds none in its place', async () => {
    const {home, root} = aHome();
    writeFileSync(join(root, '.env'), 'hush\n');
    const sandbox = await aSandbox(aPolicy({home, roots: [root], sandboxHidden: ['.env']}));
    rmSync(join(root, '.env'));
    await expect(outputOf(sandbox, 'ls -A')).resolves.toBe('');
    expect(existsSync(join(root, '.env'))).toBe(false);
  });

  test('does not find a secret by moving a folder above it away, if its workspace is the home folder', async () => {
    const {home} = aHome();
    mkdirSync(join(home, '.local/share/keyrings'), {recursive: true});
    writeFileSync(join(home, '.local/share/keyrings/login'), 'a secret\n');
    const sandbox = await aSandbox(aPolicy({home, roots: [home]}));
    await outputOf(sandbox, 'mv .local moved; mv .local/share .local/moved');
    const found = await outputOf(sandbox, 'cat moved/share/keyrings/login .local/*/keyrings/login');
    expect(found).not.toContain('a secret');
  });

  test('commits in a worktree of git, and cannot claim to be one of another repository', async () => {
    const {home, root} = aHome();
    const main = join(home, 'main');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
    git('init', '-q', main);
    git('-C', main, 'commit', '-q', '--allow-empty', '-m', 'first');
    const tree = join(home, 'tree');
    git('-C', main, 'worktree', 'add', '-q', tree);
    const commit = 'git -c user.name=t -c user.email=t@t commit -q --allow-empty -m inside && echo done';
    const inside = await aSandbox(aPolicy({home, roots: [tree]}));
    await expect(outputOf(inside, commit)).resolves.toBe('done\n');
    await outputOf(inside, `echo x > ${main}/.git/hooks/pre-commit; echo x > ${main}/file`);
    expect([`${main}/.git/hooks/pre-commit`, `${main}/file`].filter((path) => existsSync(path))).toEqual([]);
    writeFileSync(join(root, '.git'), readFileSync(join(tree, '.git')));
    const forged = await aSandbox(aPolicy({home, roots: [root]}));
    await outputOf(forged, `echo x > ${main}/.git/forged`);
    expect(existsSync(join(main, '.git/forged'))).toBe(false);
  });

  test.each(['/', 'HOME'])('is no worktree of what its own files claim: %s', async (claimed) => {
    const {home, root} = aHome();
    mkdirSync(join(root, 'worktrees/fake'), {recursive: true});
    writeFileSync(join(root, 'worktrees/fake/commondir'), claimed === 'HOME' ? home : claimed);
    writeFileSync(join(root, 'worktrees/fake/gitdir'), join(root, '.git'));
    writeFileSync(join(root, '.git'), `gitdir: ${root}/worktrees/fake`);
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    await outputOf(sandbox, `echo x > ${home}/file`);
    expect(existsSync(join(home, 'file'))).toBe(false);
  });

  test('starts although its worktree is named by a pipe that nobody writes', async () => {
    const {home, root} = aHome();
    execFileSync('mkfifo', [join(root, '.git')]);
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    await expect(outputOf(sandbox, 'echo done')).resolves.toBe('done\n');
  });

  test('gets no file that acp-tui was started with, and runs no start file of the shell that closes it', async () => {
    const {home, root} = aHome();
    writeFileSync(join(home, '.bashrc'), 'echo started');
    const script = `
      const {createSandbox} = await import(${JSON.stringify(join(process.cwd(), 'src/sandbox/sandbox.ts'))});
      const {sandboxPolicy} = await import(${JSON.stringify(join(process.cwd(), 'src/sandbox/policy.ts'))});
      const {spawnSync} = await import('node:child_process');
      const policy = sandboxPolicy({agent: {label: 'demo', command: 'demo', args: []}, ownFolders: [], env: {}, network: 'none',
        networkHosts: [], sandboxSockets: 'none', roots: [${JSON.stringify(root)}], home: ${JSON.stringify(home)}});
      const {value} = await createSandbox(policy, {ask: async () => false, onRefused: () => {}});
      const {argv: [file, ...args], env} = value.confine(['/bin/ls', '/proc/self/fd'], {cwd: policy.roots[0], env: {}}).value;
      env.HOME = policy.home;
      console.log(spawnSync(file, args, {env, encoding: 'utf8'}).stdout.trim().split('\\n').join(' '));
      value.close();`;
    const run = ['exec 5</ 200</; exec "$0" --input-type=module -e "$1"', process.execPath, script];
    const {stdout} = spawnSync('bash', ['-c', ...run], {encoding: 'utf8'});
    expect(stdout).toBe('0 1 2 3\n');
  });

  test.each(['/', '/tmp'])('has no workspace that holds what sandboxes are made of: %s', async (folder) => {
    const {home} = aHome();
    const made = await createSandbox(aPolicy({home, roots: [folder]}), {
      ask: async () => false,
      onRefused: () => {},
    });
    expect(made).toEqual({ok: false, failure: {kind: 'sandbox', reason: 'folder', detail: folder}});
  });

  test('finds workspaces whose protected files are links, without writing through them', async () => {
    const {home, root} = aHome();
    writeFileSync(join(home, 'secret'), 'kept\n');
    symlinkSync(join(home, 'secret'), join(root, '.envrc'));
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    await outputOf(sandbox, 'echo x > .envrc');
    expect(readFileSync(join(home, 'secret'), 'utf8')).toBe('kept\n');
  });
});

describe.skipIf(hasNoSandbox)('processes in a sandbox', () => {
  test.each([{pty: true as const}, {}])(
    'get the signals that a command would get without one ($pty)',
    async (how) => {
      const {home, root} = aHome();
      const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
      const script =
        'trap "echo interrupted; exit 3" INT; trap "echo ended; exit 4" TERM; echo ready; while :; do sleep 0.05; done';
      const interrupted = await runIn(sandbox, script, how);
      await expect.poll(interrupted.output).toContain('ready');
      interrupted.terminal.interrupt();
      await expect(interrupted.terminal.exited).resolves.toEqual({code: 3, signal: null});
      const ended = await runIn(sandbox, script, how);
      await expect.poll(ended.output).toContain('ready');
      await ended.terminal.end();
      expect(ended.terminal.exit()).toEqual({code: 4, signal: null});
      expect(ended.output()).toContain('ended');
    },
  );

  test('have jobs in their terminal, and it is known that they wait for input', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const {terminal, output} = await runIn(
      sandbox,
      `set -m; sh -c 'kill -STOP $$; echo resumed'; echo stopped; fg; read word; echo "got $word"`,
      {pty: true},
    );
    await expect.poll(output).toMatch(/stopped[^]*resumed/);
    await expect.poll(() => terminal.awaitsInput()).toBe(true);
    terminal.type('it\r');
    await terminal.exited;
    expect(output()).toContain('got it');
  });

  test('end with their command, even those that left its session', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const mark = `acp-tui-left-${process.pid}`;
    const {terminal, output} = await runIn(
      sandbox,
      `setsid sh -c ': ${mark}; sleep 600' & echo ready; trap '' TERM INT; wait; sleep 600`,
    );
    await expect.poll(output).toContain('ready');
    const left = () => spawnSync('pgrep', ['-f', `^sh -c : ${mark}`], {encoding: 'utf8'}).stdout;
    await expect.poll(left).not.toBe('');
    await terminal.end();
    expect(left()).toBe('');
  });
});

describe.skipIf(hasNoSandbox)('the network of a sandbox', () => {
  test('has the hosts that the user named, private ones too, and asks about each connection to others', async () => {
    const {home, root} = aHome();
    const [named, other] = [await aServer('named'), await aServer('other')];
    const asked: string[] = [];
    const sandbox = await aSandbox(aPolicy({home, roots: [root], networkHosts: [`127.0.0.1:${named}`]}), {
      ask: async ({host, port}) => asked.push(`${host}:${port}`) > 0,
    });
    await expect(outputOf(sandbox, throughProxy(named))).resolves.toBe('named\n');
    await expect(outputOf(sandbox, `${throughProxy(other)} & ${throughProxy(other)}; wait`)).resolves.toBe(
      'other\nother\n',
    );
    expect(asked).toEqual([`127.0.0.1:${other}`, `127.0.0.1:${other}`]);
  });

  test.each(['none', 'open', 'ask'] as const)(
    'never has a private address by its level: %s',
    async (network) => {
      const {home, root} = aHome();
      const port = await aServer('private');
      const refused: string[] = [];
      const sandbox = await aSandbox(aPolicy({home, roots: [root], network}), {
        async ask({host, isPrivate}) {
          if (isPrivate) refused.push(host);
          return !isPrivate;
        },
        onRefused: ({host}) => refused.push(host),
      });
      const said = await outputOf(sandbox, throughProxy(port));
      expect(said).not.toContain('private\n');
      expect(refused).toHaveLength(1);
      await outputOf(sandbox, throughProxy(port).replace('127.0.0.1', 'localhost'));
      expect(refused).toHaveLength(2);
    },
  );

  test('says why to a client that wants a tunnel', async () => {
    const {home, root} = aHome();
    const sandbox = await aSandbox(aPolicy({home, roots: [root]}));
    const said = await outputOf(sandbox, 'curl -sSv https://host.invalid/ 2>&1');
    expect(said).toContain('The sandbox of acp-tui does not allow host.invalid:443: it was rejected');
  });
});
