import {spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {aHome, hasNoSandbox} from './sandboxes.ts';

/** A mount namespace of the test's own, which shares what is mounted later, as that of a system with systemd does. */
const SHARED = ['--user', '--map-root-user', '--mount', '--propagation', 'shared'];
const hasNamespaces = spawnSync('unshare', [...SHARED, 'true']).status === 0;

describe.skipIf(hasNoSandbox || !hasNamespaces)('what is mounted outside while a sandbox is open', () => {
  test('is not there inside, where it could be written', () => {
    const {home, root} = aHome();
    const [disk, inside] = [join(home, 'disk'), join(root, 'inside')];
    for (const folder of [disk, inside]) mkdirSync(folder);
    const from = (name: string) => JSON.stringify(join(process.cwd(), 'src/sandbox', name));
    const script = `
      const {createSandbox} = await import(${from('sandbox.ts')});
      const {sandboxPolicy} = await import(${from('policy.ts')});
      const {execFileSync, spawnSync} = await import('node:child_process');
      const policy = sandboxPolicy({agent: {label: 'demo', command: 'demo', args: []}, ownFolders: [], env: {}, network: 'none',
        networkHosts: [], sandboxSockets: 'none', roots: [${JSON.stringify(root)}], home: ${JSON.stringify(home)}});
      const {value} = await createSandbox(policy, {ask: async () => false, onRefused: () => {}});
      const places = [${JSON.stringify(disk)}, ${JSON.stringify(inside)}];
      for (const place of places) execFileSync('mount', ['-t', 'tmpfs', 'none', place]);
      const line = 'for place; do echo x > "$place/file"; done; grep -c tmpfs.none /proc/self/mountinfo';
      const {argv: [file, ...args]} = value.confine(['/bin/sh', '-c', line, 'sh', ...places], {cwd: policy.roots[0], env: {PATH: process.env.PATH}}).value;
      const {stdout} = spawnSync(file, args, {encoding: 'utf8'});
      const {existsSync} = await import('node:fs');
      console.log(stdout.trim(), ...places.map((place) => String(existsSync(place + '/file'))));
      value.close();`;
    const argv = [...SHARED, process.execPath, '--input-type=module', '-e', script];
    const {stdout, stderr} = spawnSync('unshare', argv, {encoding: 'utf8'});
    expect(stderr).toBe('');
    expect(stdout).toBe('0 false false\n');
  });
});
