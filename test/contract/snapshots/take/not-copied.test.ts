import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {git, snapshotFolder} from '../../../support/folders/snapshot-folder.ts';

const inRepository = (folder: string) => void git(folder, 'init', '-q', '-b', 'main');

test('copies no keys and credentials', async () => {
  const names =
    words(`.env .env.local .env.production prod.env .envrc .dev.vars .dev.vars.production id_rsa id_ed25519_work server.pem tls.key cert.p12 cert.pfx release.jks
    debug.keystore vault.kdbx AuthKey.p8 .claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json
    kubeconfig .kube/config prod.kubeconfig terraform.tfstate terraform.tfstate.backup secret.auto.tfvars .npmrc .netrc .pypirc .aws/credentials
    .docker/config.json .git-credentials .htpasswd credentials.json client_secret_1.json service-account.json config/master.key secrets.yml
    .streamlit/secrets.toml .vault-token .pgpass .ssh/config .bash_history deep/down/.ENV`);
  const {folder, write, take, repository} = await snapshotFolder();
  write({'a.txt': 'a', ...Object.fromEntries(names.map((name) => [name, `secret of ${name}`]))});
  const id = await take();
  const listed = String(await repository.git(['ls-tree', '-r', '--name-only', `${id}:files`]));
  expect(listed).toBe('a.txt\n');
  const blob = (name: string) => git(folder, 'hash-object', name).trim();
  const input = names.map((name) => `${blob(name)}\n`).join('');
  const found = String(await repository.git(['cat-file', '--batch-check'], {input}));
  expect(
    found
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith(' missing')),
  ).toEqual([]);
});

const words = (text: string) => text.trim().split(/\s+/);

test('a link as info/exclude counts, and nothing of its target is stored', async () => {
  const {folder, repository, write, take} = await snapshotFolder(inRepository);
  write({'../outside': 'secret.txt\n', 'secret.txt': 'secret', 'a.txt': 'a'});
  rmSync(join(folder, '.git/info/exclude'), {force: true});
  symlinkSync('../../../outside', join(folder, '.git/info/exclude'));
  const id = await take();
  expect(String(await repository.git(['ls-tree', '-r', '--name-only', `${id}:files`]))).toBe('a.txt\n');
  expect(existsSync(join(repository.gitDir, 'info/exclude'))).toBe(false);
});

test.each([
  ['.gitignore', inRepository],
  ['deep/down/.gitignore', () => {}],
  ['.git/config', inRepository],
])('a named pipe as %s is the reason why there are none', async (name, prepare) => {
  const {folder, write, take} = await snapshotFolder(prepare);
  write({'a.txt': 'a', 'deep/down/b.txt': 'b'});
  rmSync(join(folder, name), {force: true});
  execFileSync('mkfifo', [join(folder, name)]);
  await expect(take()).rejects.toThrow(`${name} is a named pipe`);
});

test('a named pipe as info/exclude is not read', async () => {
  const {folder, write, take, changes} = await snapshotFolder(inRepository);
  write({'a.txt': 'a'});
  rmSync(join(folder, '.git/info/exclude'), {force: true});
  execFileSync('mkfifo', [join(folder, '.git/info/exclude')]);
  const before = await take();
  write({'b.txt': 'b'});
  expect(await changes(before, await take())).toEqual(['A b.txt']);
});

test('an entry of the index that leads outside is left out', async () => {
  const {folder, git: run, write, take, changes} = await snapshotFolder(inRepository);
  write({'.gitignore': 'secret\n', '../victim/secret': 'secret', 'aa/victim/secret': 'secret'});
  run('add', '-f', 'aa/victim/secret');
  const index = join(folder, '.git/index');
  const bytes = readFileSync(index);
  bytes.write('..', bytes.indexOf('aa/victim'));
  const content = bytes.subarray(0, -20);
  writeFileSync(index, Buffer.concat([content, createHash('sha1').update(content).digest()]));
  expect(run('ls-files')).toContain('../victim/secret');
  const before = await take();
  write({'b.txt': 'b'});
  expect(await changes(before, await take())).toEqual(['A b.txt']);
});

test('a relative core.excludesFile is read from the top of the repository, as git does', async () => {
  const {repository, write, take} = await snapshotFolder((inside) => {
    git(join(inside, '..'), 'init', '-q');
    git(inside, 'config', 'core.excludesFile', 'rules');
  }, 'sub');
  write({'../rules': '*.log\n', rules: '*.txt\n', 'a.txt': 'a', 'a.log': 'ignored'});
  const listed = String(await repository.git(['ls-tree', '-r', '--name-only', `${await take()}:files`]));
  expect(listed).toBe('a.txt\nrules\n');
});
