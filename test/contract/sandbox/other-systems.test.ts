import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {runtimeIn} from '../../../src/sandbox/bubblewrap.ts';
import {workspaceOf} from '../../../src/sandbox/mounts.ts';
import {openNetwork, type NetworkOptions} from '../../../src/sandbox/network.ts';
import {findRequirements} from '../../../src/sandbox/sandbox.ts';
import {seatbeltConfiner} from '../../../src/sandbox/seatbelt.ts';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import {aHome, aPolicy, type PolicyOptions} from './sandboxes.ts';

/** Makes this process look like one on another system, for a test. */
function pretend(platform: NodeJS.Platform): void {
  const real = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', {...real, value: platform});
  onTestFinished(() => void Object.defineProperty(process, 'platform', real));
}

const PORT = 40_123;

/** What macOS would run for a command, and the profile in it. Nothing of it is run. */
async function onMac(options: Partial<PolicyOptions> = {}, isInTerminal = false) {
  pretend('darwin');
  const {home, root} = aHome();
  for (const folder of ['.ssh', 'named']) mkdirSync(join(home, folder));
  writeFileSync(join(root, '.envrc'), '');
  writeFileSync(join(root, '.env'), '');
  const runtime = runtimeIn(join(home, 'runtime'));
  mkdirSync(runtime.temporary, {recursive: true});
  const policy = aPolicy({home, roots: [root], sandboxFolders: ['~/named'], ...options});
  const network = {port: PORT, close: () => {}};
  const parts = {runtime, network, lookUp: async () => workspaceOf(policy), programs: {} as never};
  const confiner = await seatbeltConfiner(policy, parts);
  const file = join(runtime.folder, 'command-1');
  const env = {PATH: process.env['PATH'], TOKEN: "a 'hush'", EMPTY: '', 'not-a-name': 'x'};
  const argv = ['/bin/sh', '-c', 'echo "$TOKEN,$EMPTY,$PWD,$*"', 'it', 'an argument', ''] as const;
  const wrapped = confiner.wrap({argv: [...argv], cwd: root, env, file, isInTerminal});
  const [, profile = ''] = /sandbox-exec -p '([^]*)' \/\S+ -c /.exec(wrapped.at(-1) ?? '') ?? [];
  const rules = profile.split(/\n(?=\()/);
  /** The rules of this kind about a path, in the order in which the last one decides. */
  const about = (kind: string, path: string) =>
    rules.filter((rule) => rule.startsWith(`(${kind}`) && rule.includes(JSON.stringify(path)));
  return {home, root, runtime, file, wrapped, profile, rules, about};
}

describe('on macOS, the profile of a command', () => {
  test('allows writes to the workspace, to named folders and to its temporary folder only', async () => {
    const {home, root, runtime, rules, about} = await onMac();
    const allowed = rules.filter((rule) => rule.startsWith('(allow file-write*')).join('\n');
    for (const path of [root, join(home, 'named'), runtime.temporary])
      expect(about('allow file-write*', path)).toHaveLength(1);
    const paths = [...allowed.matchAll(/\((?:subpath|literal|regex) "([^"]+)"/g)].map(([, path]) => path);
    const outside = paths.filter((path) => !path?.startsWith(home));
    expect(outside.every((path) => path?.startsWith('/dev/'))).toBe(true);
    expect(paths).not.toContain(home);
  });

  test('denies writes to what something runs later', async () => {
    const {root, about, rules} = await onMac();
    expect(about('deny file-write*', join(root, '.envrc')).join('')).toContain('.envrc');
    const written = rules.findIndex(
      (rule) => rule.startsWith('(allow file-write*') && rule.includes(JSON.stringify(root)),
    );
    const denied = rules.findLastIndex(
      (rule) => rule.startsWith('(deny file-write*') && rule.includes('.envrc'),
    );
    expect(denied).toBeGreaterThan(written);
  });

  test('denies reads of secrets, those that are created later among them, and of what the settings hide', async () => {
    const {home, root, runtime, about} = await onMac({sandboxHidden: ['.env']});
    for (const path of ['.ssh', '.aws', '.gemini', 'Library/Application Support/Firefox'])
      expect(about('deny file-read*', join(home, path))).not.toEqual([]);
    expect(about('deny file-read*', join(root, '.env'))).not.toEqual([]);
    expect(about('deny file-write*', join(root, '.env'))).not.toEqual([]);
    expect(about('deny file-read*', runtime.folder)).not.toEqual([]);
    expect(about('allow file-read*', join(home, '.ssh'))).toEqual([]);
  });

  test('allows no network but the proxy', async () => {
    const {rules} = await onMac();
    const network = rules.filter((rule) => /^\(allow (?:network|system-socket)/.test(rule)).join('\n');
    const hosts = [...network.matchAll(/\((?:local|remote) ip "([^"]+)"/g)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set([`localhost:${PORT}`]));
    expect(network).not.toContain('unix-socket');
    expect(network).not.toContain('(allow network*)');
  });

  test('has Unix sockets and a terminal only if they are wanted', async () => {
    expect((await onMac()).profile).not.toContain('pseudo-tty');
    const {profile} = await onMac({sandboxSockets: 'all'}, true);
    expect(profile).toContain('unix-socket');
    expect(profile).toContain('pseudo-tty');
  });

  test('begins with a denial', async () => {
    const {profile} = await onMac();
    expect(profile.split('\n').slice(0, 2).join(' ')).toMatch(/^\(version 1\) \(deny default/);
  });
});

test('on macOS, environment and arguments of a command are in a private file, which is read inside', async () => {
  const {root, file, wrapped} = await onMac();
  const line = wrapped.join(' ');
  expect(wrapped.slice(0, 4)).toEqual(['/usr/bin/env', '-i', '/bin/sh', '-c']);
  expect(line).toMatch(/^\S+ -i \S+ -c exec env .*\/usr\/bin\/sandbox-exec -p /);
  expect(line).not.toContain('hush');
  expect(line.endsWith(`-c '. ${file}'`)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const output = execFileSync('/bin/sh', ['-c', `. ${file}`], {env: {}, encoding: 'utf8'});
  expect(output).toBe(`a 'hush',,${root},an argument \n`);
  expect(readFileSync(file, 'utf8')).not.toContain('not-a-name');
});

test('on macOS, the proxy is a port of this computer only, and decides by host as elsewhere', async () => {
  const policy = {network: 'none', namedHosts: [], knownHosts: []} as const;
  const refused = vi.fn<NetworkOptions['onRefused']>();
  const network = await openNetwork(undefined, {policy, ask: async () => false, onRefused: refused});
  onTestFinished(() => network.close());
  const proxy = `http://127.0.0.1:${network.port}`;
  const {stdout} = await execa('curl', ['-sS', '--noproxy', '', '-x', proxy, 'http://host.example/'], {
    env: {},
    reject: false,
  });
  expect(stdout).toContain('blocked');
  expect(refused).toHaveBeenCalledWith({host: 'host.example', port: 80, why: expect.any(String)});
});

test.each(['win32', 'freebsd'] as const)('on %s, a sandbox is refused with the reason', (platform) => {
  pretend(platform);
  expect(whyNone()).toContain(`not supported on this platform (${platform})`);
});

test('on macOS without sandbox-exec, a sandbox is refused with the reason', () => {
  pretend('darwin');
  expect(whyNone()).toContain('(darwin without /usr/bin/sandbox-exec)');
});

function whyNone(): string | undefined {
  const found = findRequirements({roots: [], writable: []});
  return found.ok ? undefined : failureSentence(found.failure);
}
