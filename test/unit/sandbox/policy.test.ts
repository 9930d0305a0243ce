import {describe, expect, test} from 'vitest';
import {KNOWN_PROGRAMS} from '../../../src/agents/programs.ts';
import {sandboxPolicy} from '../../../src/sandbox/policy.ts';

const HOME = '/home/me';

function policyFor(
  label: string,
  options: Partial<Parameters<typeof sandboxPolicy>[0]> = {},
): ReturnType<typeof sandboxPolicy> {
  return sandboxPolicy({
    agent: {label, command: `/opt/bin/${label}`, args: ['acp']},
    roots: ['/work'],
    ownFolders: [`${HOME}/.local/state/acp-tui`],
    env: {},
    home: HOME,
    network: 'ask',
    networkHosts: [],
    sandboxSockets: 'none',
    ...options,
  });
}

describe('an agent in a sandbox', () => {
  test.each([
    ['claude-acp', ['.claude/', '.claude.json']],
    ['codex-acp', ['.codex/']],
    ['opencode', ['.config/opencode/', '.local/share/opencode/']],
    ['pi-acp', ['.pi/']],
  ])('%s has its own state, and not that of others', (label, own) => {
    const {writable, hidden, isAgentKnown} = policyFor(label);
    expect(isAgentKnown).toBe(true);
    for (const path of own) {
      expect(writable).toContain(`${HOME}/${path}`);
      expect(hidden).not.toContain(`${HOME}/${path.replace(/\/$/, '')}`);
    }
    expect(hidden).toContain(`${HOME}/.gemini`);
  });

  test.each(KNOWN_PROGRAMS.map(({id}) => id))('%s does not write its settings in a workspace', (id) => {
    const {writable, isProtected} = policyFor(id);
    const settings = writable.filter((path) => !/\/\.(?:cache|local)\//.test(path));
    expect(settings).not.toEqual([]);
    expect(settings.filter((path) => !isProtected(path.replace(HOME, '/work')))).toEqual([]);
  });

  test('may read its own credentials, which are listed as secrets', () => {
    expect(policyFor('claude-acp').hidden).not.toContain(`${HOME}/.claude/.credentials.json`);
    expect(policyFor('codex-acp').hidden).toContain(`${HOME}/.claude/.credentials.json`);
  });

  test('is found behind npx, and behind an interpreter', () => {
    const agent = {label: 'npx', command: 'npx', args: ['-y', '@zed-industries/claude-code-acp@1.0']};
    expect(policyFor('x', {agent}).writable).toContain(`${HOME}/.claude/`);
  });

  test('is not mistaken for one whose name is a part of a longer word', () => {
    expect(policyFor('pilot').writable).toEqual([]);
    expect(policyFor('sample').isAgentKnown).toBe(false);
  });

  test('that is unknown is known once the user has named its folders, or that there are none', () => {
    expect(policyFor('mine').isAgentKnown).toBe(false);
    expect(policyFor('mine', {sandboxFolders: []}).isAgentKnown).toBe(true);
    expect(policyFor('mine', {sandboxFolders: ['~/.mine', '/data']}).writable).toEqual([
      `${HOME}/.mine/`,
      '/data/',
    ]);
  });

  test('may keep its state where its name says, but not where secrets and start files are', () => {
    const likely = (label: string) => policyFor(label).likelyState;
    expect(likely('My-Agent@1.2').slice(0, 2)).toEqual([`${HOME}/.my-agent`, `${HOME}/.config/my-agent`]);
    expect(likely('foo-acp')).toContain(`${HOME}/.local/share/foo`);
    expect(likely('ssh')).not.toContain(`${HOME}/.ssh`);
    expect(likely('config')).not.toContain(`${HOME}/.config`);
    expect(likely('local')).not.toContain(`${HOME}/.local`);
    expect(likely('bashrc')).not.toContain(`${HOME}/.bashrc`);
    expect(likely('..')).toEqual([]);
  });

  test('keeps its state in the XDG folders', () => {
    const env = {XDG_CONFIG_HOME: '/xdg/config', XDG_DATA_HOME: '/xdg/data'};
    expect(policyFor('opencode', {env}).writable).toContain('/xdg/config/opencode/');
    expect(policyFor('codex', {env}).hidden).toContain('/xdg/data/opencode');
  });
});

test.each(KNOWN_PROGRAMS.map(({id}) => id))('no host that anyone can rent is known for %s', (id) => {
  const rented = ['bucket.oss-cn-hangzhou.aliyuncs.com', 'bucket.storage.googleapis.com', 'me.github.io'];
  const domains = policyFor(id).knownHosts.flatMap((host) => (host.startsWith('*') ? [host.slice(1)] : []));
  expect(domains.filter((domain) => rented.some((host) => host.endsWith(domain)))).toEqual([]);
});

test('a secret folder is not hidden once the user has named it', () => {
  expect(policyFor('demo').hidden).toContain(`${HOME}/.aws`);
  const named = policyFor('demo', {sandboxFolders: ['~/.aws']});
  expect(named.hidden).not.toContain(`${HOME}/.aws`);
  expect(named.isHiddenName('.aws')).toBe(false);
  expect(named.isHiddenName('.netrc')).toBe(true);
});

test('keys in the home folder are found by their names', () => {
  const {isHiddenName} = policyFor('demo');
  expect(['id_rsa_old', 'server.pem', '.bash_history', '.env'].filter(isHiddenName)).toHaveLength(4);
  expect(['notes.md', 'project', '.bashrc'].filter(isHiddenName)).toEqual([]);
});

test.each([
  ['/.git/hooks', true],
  ['/sub/.git/hooks', true],
  ['/.acp-tui.json', true],
  ['/.vscode/tasks.json', true],
  ['/.bashrc', true],
  ['/.envrc', true],
  ['/.git/config', false],
  ['/.git', false],
  ['/.env', false],
  ['/src/main.ts', false],
])('%s in a workspace is protected: %s', (path, expected) => {
  expect(policyFor('demo').isProtected(path)).toBe(expected);
});

test.each([
  ['.env*', '/.env', true],
  ['.env*', '/packages/a/.env.local', true],
  ['.env*', '/packages/env', false],
  ['**/.env', '/packages/.env', true],
  ['./.env', '/.env', true],
  ['./.env', '/packages/.env', false],
  ['config/*.key', '/config/a.key', true],
  ['config/*.key', '/packages/config/a.key', false],
  ['config/**/*.key', '/config/a/b.key', true],
  ['secrets/', '/secrets', true],
  ['secrets/', '/packages/secrets', false],
])('the pattern %s hides %s in the workspace: %s', (pattern, path, expected) => {
  const {isHiddenInRoot} = policyFor('demo', {sandboxHidden: [pattern]});
  expect(isHiddenInRoot(path, true)).toBe(expected);
});

test('in added folders, only patterns of names hide files', () => {
  const {isHiddenInRoot} = policyFor('demo', {sandboxHidden: ['.env', 'config/key']});
  expect(['/.env', '/config/key'].map((path) => isHiddenInRoot(path, false))).toEqual([true, false]);
});

test('inherited variables are passed on without secrets, except those of the agent itself', () => {
  const inherited = {
    PATH: '/bin',
    LANG: 'C',
    ANTHROPIC_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    AWS_SECRET_ACCESS_KEY: 'c',
    AWS_ACCESS_KEY_ID: 'd',
    SSH_AUTH_SOCK: 'e',
    DATABASE_URL: 'postgres://me:password@db/x',
    HOMEPAGE: 'https://example.com/',
  };
  expect(Object.keys(policyFor('demo', {env: inherited}).environment)).toEqual(['PATH', 'LANG', 'HOMEPAGE']);
  expect(policyFor('claude-acp', {env: inherited}).environment).toHaveProperty('ANTHROPIC_API_KEY');
});

const WITHHELD =
  'MYSQL_PWD SSHPASS DB_PASS DB_PASSWORD_PROD TOKEN_GITHUB OPENAI_API_KEY_1 SIGNING_SECRET_OLD BW_SESSION JWT COOKIE KEY MY_BEARER ConnectionStrings__Default SLACK_WEBHOOK_URL GIT_ASKPASS VSCODE_GIT_IPC_HANDLE TMUX';
const KEPT = 'PWD OLDPWD TERM EDITOR KEYBOARD MONKEY NODE_OPTIONS XDG_RUNTIME_DIR COMPOSE_FILE';

test.each(WITHHELD.split(' '))('the variable %s is not passed on', (name) => {
  expect(policyFor('demo', {env: {[name]: 'x'}}).environment).toEqual({});
});

test.each(KEPT.split(' '))('the variable %s is passed on', (name) => {
  expect(policyFor('demo', {env: {[name]: 'x'}}).environment).toEqual({[name]: 'x'});
});

test.each(['jdbc:x://host/db?user=a&password=x', 'https://ghp_x@github.com', 'x://u:a/b@host'])(
  'a variable with the address %s is not passed on',
  (value) => {
    expect(policyFor('demo', {env: {ADDRESS: value}}).environment).toEqual({});
  },
);

test('only named hosts are known without a network', () => {
  expect(policyFor('codex').knownHosts).toContain('api.openai.com');
  const none = policyFor('codex', {network: 'none', networkHosts: ['localhost:8080']});
  expect(none.knownHosts).toEqual([]);
  expect(none.namedHosts).toEqual(['localhost:8080', '127.0.0.1:8080']);
});
