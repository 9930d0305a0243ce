import {describe, expect, test} from 'vitest';
import {exactCommand, type ExactCommand} from '../../../src/host/terminals/same-command.ts';
import {createGrants, type Grant, type GrantedWrite} from '../../../src/host/permissions/grants.ts';
import {isShellLine} from '../../../src/host/terminals/command.ts';
import type {ReportedCommand} from '../../../src/session/requests/command-fields.ts';

/** A command in the folder `/w`. */
function exactly(command: ReportedCommand, env: Readonly<Record<string, string>> = {}): ExactCommand {
  const variables = Object.entries(env).map(([name, value]) => ({name, value}));
  const folder = {place: {root: '/w', path: '/w', names: []}, identity: '1:2 /w'};
  return exactCommand(command, {variables, folder, path: '/usr/bin:/bin'});
}

const newA: GrantedWrite = {type: 'write', path: '/w/a', content: 'new', base: 'old'};
const npmTest = exactly('npm test');

function granted(...grants: readonly Grant['effect'][]) {
  const all = createGrants();
  for (const effect of grants) all.add({sessionId: 's', effect});
  return all;
}

test('a granted write covers one write of that content to that file', () => {
  const grants = granted(newA, {...newA, path: '/w/b'});
  expect(grants.takeWrite('s', {...newA, path: '/w/c'})).toEqual({kind: 'none'});
  expect(grants.takeWrite('other', newA)).toEqual({kind: 'none'});
  expect(grants.takeWrite('s', newA)).toEqual({kind: 'covered'});
  expect(grants.takeWrite('s', newA)).toEqual({kind: 'none'});
  expect(grants.takeWrite('s', {...newA, path: '/w/b'})).toEqual({kind: 'covered'});
});

/** True if a permission for `approved` covers a `terminal/create`. */
function covers(approved: ReportedCommand, command: string, args?: string[]): boolean {
  const run = isShellLine({command, args}) ? command : [command, ...(args ?? [])];
  return granted({type: 'command', ...exactly(approved)}).takeCommand('s', exactly(run));
}

describe('a command is the same', () => {
  test.each<[string | string[], string, string[]?]>([
    ['npm test', 'npm', ['test']],
    ['npm test', 'npm test'],
    ['npm test', 'sh', ['-c', 'npm test']],
    [['npm', 'test'], 'npm', ['test']],
    [['npm', 'test'], 'npm test', []],
    [['bash', '-lc', 'cd x && ls'], 'cd x && ls'],
    ['cd x && ls', '/bin/bash', ['-c', 'cd x && ls']],
    ['ls', 'ls'],
    ['npm test', ' npm  test '],
    ["rm 'a b'", 'rm', ['a b']],
    ['echo hi && ls', 'bash', ['-c', "cd '/w' && echo hi && ls"]],
    ['echo hi && ls', "/usr/bin/bash -lc 'echo hi && ls'"],
    ["echo 'x'; ls", `bash -lc 'echo '\\''x'\\''; ls'`],
    ["echo 'x'; ls", `bash -lc 'echo '"'"'x'"'"'; ls'`],
    ['cd /w && ls', 'ls'],
    ['ls', 'sh', ['-c', "bash -c 'cd /w && ls'"]],
    ['make > log', 'cd /w && make > log'],
    ['echo hi && ls', '/bin/bash', ['-l', '-c', 'echo hi && ls']],
    ['ls | wc -l', 'bash', ['-o', 'pipefail', '-c', 'ls | wc -l']],
    [['bash', '-euo', 'pipefail', '-c', 'cd x; ls'], 'bash', ['-euo', 'pipefail', '-c', 'cd x; ls']],
    [['bash', '-ec', 'npm test'], 'npm test'],
  ])('when %j is approved and %s %j runs', (approved, command, args) => {
    expect(covers(approved, command, args)).toBe(true);
  });
});

describe('a command is another', () => {
  test.each<[string | string[], string, string[]?]>([
    ['npm test', 'npm', ['test', '--', 'x']],
    ['npm test', 'npm', ['publish']],
    ['rm "a b"', 'rm', ['a', 'b']],
    ['rm a b', 'rm', ['a b']],
    ['ls', 'ls\nrm -rf ~'],
    // The first would have ended where the change of the folder fails.
    [['bash', '-ec', 'cd build; rm -rf *'], 'cd build; rm -rf *'],
    [['sh', '-c', "bash -o pipefail -c 'a | b && c'"], 'a | b && c'],
    ['ls $HOME', 'ls', ['$HOME']],
    ['ls *', 'ls', ['*']],
    ['echo "a  b"', 'echo "a b"'],
    ['echo \\ ', 'echo \\'],
    // Spaces in Unicode, but parts of a name in a shell.
    ['./deploy', '\u{feff}./deploy'],
    ['npm test', 'npm test\u{a0}'],
    ['npm test', '\u{3000}npm test'],
    ['npm test', 'sh', ['-c', 'npm test', 'extra']],
    ['npm test', 'evilsh', ['-c', 'npm test']],
    ['npm test', 'sh', ['-ic', 'npm test']],
    [['ls', '-c', 'x'], 'x'],
    ['npm test', './sh', ['-c', 'npm test']],
    [['./sh', '-c', 'npm test'], 'npm test'],
    [['./deploy', '--dry-run'], './deploy'],
    // Another folder, however it is called.
    ['rm -r x', 'cd / && rm -r x'],
    ['rm -r x', 'cd /w/ && rm -r x'],
    ['rm -r x', 'cd /w/sub && rm -r x'],
    ['rm -r x', 'cd /w/../ && rm -r x'],
    ['rm -r x', 'cd . && rm -r x'],
    ['rm -r x', 'cd "$PWD" && rm -r x'],
    ['rm -r x', 'cd /w; rm -r x'],
    ['rm -r x', 'cd /w || rm -r x'],
    ['rm -r x', 'cd -P /w && rm -r x'],
    ['rm -r x', 'pushd /w && rm -r x'],
    ['rm -r x', 'cd /w /tmp && rm -r x'],
    ['ls', 'cd /w && cd /tmp && ls'],
    ['ls', 'cd /w && ls; rm -r x'],
    ['ls', 'cd /w && ls && rm -r x'],
    ['ls', 'cd /w &&'],
    // Quotes that keep a word from being what it looks like.
    ["rm 'a' 'b'", 'rm', ["a' 'b"]],
    ["echo '$HOME'", 'echo $HOME'],
    ["echo 'a' b", 'echo "a" b'],
    ['echo a', "echo 'a"],
    ["'A=1' ls", 'A=1 ls'],
    // Something beside the line of a shell, or another shell.
    ['ls', 'bash -c ls -x'],
    ['ls', "bash -c 'ls' | sh"],
    ['ls', "X=1 bash -c 'ls'"],
    ['ls', "bash --rcfile x -c 'ls'"],
    ['ls', "bash -x -c 'ls'"],
    ['ls', "./bash -c 'ls'"],
    ['ls', "env bash -c 'ls'"],
    ['ls', "bаsh -c 'ls'"],
    ['ls', 'LS'],
  ])('when %j is approved and %s %j runs', (approved, command, args) => {
    expect(covers(approved, command, args)).toBe(false);
  });
});

describe('variables', () => {
  test.each<[string, string]>([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
    ['COLORTERM', 'truecolor'],
    ['LANG', 'en_US.UTF-8'],
    ['LC_ALL', 'C'],
    ['TZ', 'Europe/Berlin'],
    ['COLUMNS', '80'],
    ['PAGER', 'cat'],
    ['GIT_PAGER', 'cat'],
    ['GIT_TERMINAL_PROMPT', '0'],
    ['SHELL', '/bin/bash'],
    ['CI', 'true'],
    ['CLAUDECODE', '1'],
    ['GROK_SESSION_ID', '01a20ad3-6f7d-7283-b4da-29b5aa003e89'],
    ['GRADLE_OPTS', '-Dorg.gradle.console=rich'],
    ['MAVEN_OPTS', '-Dstyle.color=always'],
    ['NPM_CONFIG_PROGRESS', 'true'],
  ])('%s=%s does not make another command', (name, value) => {
    expect(exactly('npm test', {[name]: value})).toEqual(npmTest);
  });

  test.each<[string, string]>([
    ['LD_PRELOAD', './theirs.so'],
    ['PATH', '/tmp'],
    ['BASH_ENV', './theirs'],
    ['ENV', './theirs'],
    ['NODE_OPTIONS', '--require ./theirs.js'],
    ['NODE_ENV', 'production'],
    ['PAGER', 'less'],
    ['PAGER', 'cat; rm -r x'],
    ['GIT_PAGER', 'cmd'],
    ['GIT_PAGER', 'cat\n'],
    ['GIT_SSH_COMMAND', 'cat'],
    ['GIT_DIR', '/tmp'],
    ['SHELL', '/tmp/bash'],
    ['SHELL', '/usr/local/bin/bash'],
    ['SHELL', '/bin/../tmp/bash'],
    ['TERM', './theirs'],
    ['LANG', '../../tmp/theirs'],
    ['TZ', '/etc/passwd'],
    ['TZ', ':theirs'],
    ['TZ', '../theirs'],
    ['GRADLE_OPTS', '-javaagent:theirs.jar'],
    ['GRADLE_OPTS', '-Dorg.gradle.console=rich -javaagent:theirs.jar'],
    ['MAVEN_OPTS', '-Dstyle.color=always\n-javaagent:theirs.jar'],
    ['NPM_CONFIG_SCRIPT_SHELL', './theirs'],
    ['npm_config_progress', './theirs'],
    ['CI', './theirs'],
    ['GROK_SESSION_ID', '$(theirs)'],
    ['MY_SESSION_ID', '1'],
    ['no_color', '1'],
    ['NO_COLOR ', '1'],
    ['NO_COLOR\n', '1'],
    ['NO_CОLOR', '1'],
    ['BASH_FUNC_npm%%', '() { theirs; }'],
  ])('%j=%j may change it', (name, value) => {
    expect(exactly('npm test', {[name]: value}).env).not.toBe(npmTest.env);
  });

  test.each(['bash $TERM', 'bash "${TERM:-x}"', "sh -c 'eval $TERM'", 'printenv TERM | sh'])(
    'may change a command that mentions them: %s',
    (command) => {
      expect(exactly(command, {TERM: 'theirs'}).env).not.toBe(exactly(command).env);
    },
  );

  test('may be in any order', () => {
    expect(exactly('npm test', {A: '1', B: '2'})).toEqual(exactly('npm test', {B: '2', A: '1'}));
  });

  test('of a name that is set twice have the last value', () => {
    const variables = [
      {name: 'PAGER', value: 'cat'},
      {name: 'PAGER', value: 'theirs'},
    ];
    const folder = {place: {root: '/w', path: '/w', names: []}, identity: '1:2 /w'};
    expect(exactCommand('npm test', {variables, folder, path: '/usr/bin'}).env).toContain('theirs');
  });
});
