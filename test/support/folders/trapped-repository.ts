import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {createTempDir} from '../../../src/shared/files/folders.ts';

/** Hooks that a command which reads or writes the index can run. */
const HOOKS = [
  'post-index-change',
  'fsmonitor-watchman',
  'post-checkout',
  'pre-auto-gc',
  'reference-transaction',
];

/** Settings whose value is a program; `%` is replaced by a trap's command. */
const PROGRAMS: readonly (readonly [section: string, lines: readonly string[]])[] = [
  ['core', ['fsmonitor', 'pager', 'editor', 'sshCommand', 'askPass', 'alternateRefsCommand', 'gitProxy']],
  ['pager', ['ls-files', 'status', 'diff']],
  ['credential', ['helper']],
  ['diff', ['external']],
  ['diff "trap"', ['command', 'textconv']],
  ['filter "trap"', ['clean', 'smudge', 'process']],
  ['merge "trap"', ['driver']],
  ['gpg', ['program']],
  ['sequence', ['editor']],
  ['remote "origin"', ['uploadpack', 'receivepack']],
  ['interactive', ['diffFilter']],
  ['uploadpack', ['packObjectsHook']],
];

/** Settings that make git run one of those, or fetch. */
const SWITCHES = `
[core]
\trepositoryformatversion = 1
\thooksPath = .githooks
\tuntrackedCache = true
\tfsmonitorHookVersion = 2
[extensions]
\tpartialClone = origin
[remote "origin"]
\tpromisor = true
\turl = ext::%
[protocol]
\tallow = always
[protocol "ext"]
\tallow = always
[submodule]
\trecurse = true
[include]
\tpath = ../included
`;

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', args, {cwd: folder, stdio: 'ignore'});

/** Copied for each: git takes ten times as long. */
let template: string | undefined;

/** Returns a repository with a commit. */
function repositoryToTrap(): string {
  const folder = createTempDir('acp-tui-template-');
  git(folder, 'init', '-q', '-b', 'main', '--template=');
  for (const file of ['tracked.txt', 'gone.txt', 'sub/deep.txt']) {
    mkdirSync(path.dirname(path.join(folder, file)), {recursive: true});
    writeFileSync(path.join(folder, file), `${file}\n`);
  }
  writeFileSync(path.join(folder, '.gitattributes'), '* filter=trap diff=trap merge=trap\n');
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first');
  // An index that asks a file system monitor what has changed, as `git update-index --fsmonitor` leaves it.
  git(folder, '-c', 'core.fsmonitor=true', 'update-index', '--fsmonitor');
  return folder;
}

export interface Trapped {
  /** The names of the traps triggered so far. */
  readonly sprung: () => readonly string[];
}

/**
 * Makes a folder a repository in which every setting that can name a program names one that leaves a marker in `marks`; first runs the
 * git `commands` in it.
 */
export function trappedRepository(
  folder: string,
  marks: string,
  commands: readonly (readonly string[])[] = [],
): Trapped {
  mkdirSync(marks, {recursive: true});
  mkdirSync(folder, {recursive: true});
  const trap = (name: string) => {
    const file = path.join(marks, `.${name.replaceAll(/\W/g, '-')}.sh`);
    writeFileSync(
      file,
      `#!/bin/sh\necho "$@" >> '${path.join(marks, name.replaceAll(/\W/g, '-'))}'\nexit 1\n`,
    );
    chmodSync(file, 0o755);
    return file;
  };
  if (template === undefined || !existsSync(template)) template = repositoryToTrap();
  cpSync(template, folder, {recursive: true, verbatimSymlinks: true});
  for (const command of commands) git(folder, ...command);
  rmSync(path.join(folder, 'gone.txt'));
  writeFileSync(path.join(folder, 'tracked.txt'), 'changed\n');
  for (const hooks of ['.git/hooks', '.githooks']) {
    mkdirSync(path.join(folder, hooks), {recursive: true});
    for (const hook of HOOKS) {
      writeFileSync(path.join(folder, hooks, hook), `#!/bin/sh\nexec '${trap(`hook ${hook}`)}'\n`);
      chmodSync(path.join(folder, hooks, hook), 0o755);
    }
  }
  const config = path.join(folder, '.git/config');
  appendFileSync(config, SWITCHES.replaceAll('%', trap('url')));
  for (const [section, keys] of PROGRAMS) {
    appendFileSync(config, `[${section}]\n`);
    for (const key of keys) appendFileSync(config, `\t${key} = ${trap(`${section} ${key}`)}\n`);
  }
  writeFileSync(path.join(folder, 'included'), `[core]\n\tfsmonitor = ${trap('included')}\n`);
  // Found first by a PATH that contains a relative folder.
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\nexec '${trap('git in the folder')}'\n`);
  chmodSync(path.join(folder, 'git'), 0o755);
  return {sprung: () => readdirSync(marks).filter((name) => !name.startsWith('.'))};
}
