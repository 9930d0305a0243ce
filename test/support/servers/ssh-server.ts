import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {temporaryFolder} from '../folders/temporary-folder.ts';
import {freePort} from './free-port.ts';

const SSHD = '/usr/sbin/sshd';

/** Returns why tests with ssh cannot run here; undefined if they can. */
export function missingSsh(): string | undefined {
  if (!existsSync(SSHD)) return 'sshd is not installed';
  return spawnSync('ssh', ['-V']).error ? 'ssh is not installed' : undefined;
}

/** Starts a server of this user's, and returns the words of a command line that run something over it. */
export async function sshServer(): Promise<string> {
  // Its place for privilege separation, which the system's service makes.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', {recursive: true});
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  const port = await freePort();
  writeFileSync(file('authorized'), readFileSync(file('user.pub')), {mode: 0o600});
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    `PidFile ${file('pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    // The shell reads no settings of the user.
    `SetEnv HOME=${folder}`,
  ];
  writeFileSync(file('sshd_config'), `${settings.join('\n')}\n`);
  const server = spawn(SSHD, ['-D', '-e', '-f', file('sshd_config')], {stdio: ['ignore', 'ignore', 'pipe']});
  onTestFinished(() => void server.kill());
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('Server listening'))
    await Promise.race([
      once(server.stderr, 'data'),
      once(server, 'exit').then(() => Promise.reject(new Error(said))),
    ]);
  writeFileSync(file('known'), `[127.0.0.1]:${port} ${readFileSync(file('host.pub'), 'utf8')}`);
  const options = [
    '-F /dev/null',
    `-i ${file('user')}`,
    `-o UserKnownHostsFile=${file('known')}`,
    '-o BatchMode=yes',
  ];
  return `ssh -p ${port} ${options.join(' ')} ${userInfo().username}@127.0.0.1`;
}
