import {describe, expect, test} from 'vitest';
import {commandForms, formsOfRequest} from '../../../src/host/command-forms.ts';
import {createGrants, type Grant} from '../../../src/host/grants.ts';

const grant: Grant = {sessionId: 's', paths: [], command: new Set(), cwd: undefined, always: false};

function granted(part: Partial<Grant>) {
  const grants = createGrants();
  grants.add({...grant, ...part});
  return grants;
}

const npmTest = {forms: commandForms('npm test'), cwd: '/w'};

describe('a granted path', () => {
  test('covers one write to exactly that file', () => {
    const grants = granted({paths: ['/w/a', '/w/b']});
    expect(grants.takeWrite('s', '/w/c')).toBe(false);
    expect(grants.takeWrite('s', '/w')).toBe(false);
    expect(grants.takeWrite('s', '/w/a')).toBe(true);
    expect(grants.takeWrite('s', '/w/a')).toBe(false);
    expect(grants.takeWrite('s', '/w/b')).toBe(true);
  });

  test('granted twice covers two writes', () => {
    const grants = granted({paths: ['/w/a']});
    grants.add({...grant, paths: ['/w/a']});
    expect([1, 2, 3].map(() => grants.takeWrite('s', '/w/a'))).toEqual([true, true, false]);
  });

  test('is worth nothing in another session or turn, and for a command', () => {
    const grants = granted({paths: ['/w/a']});
    expect(grants.takeWrite('other', '/w/a')).toBe(false);
    expect(grants.takeCommand('s', npmTest)).toBe(false);
    grants.turnStarted();
    expect(grants.takeWrite('s', '/w/a')).toBe(false);
  });

  test('granted always covers every write, in later turns too', () => {
    const grants = granted({paths: ['/w/a'], always: true});
    for (let turn = 0; turn < 3; turn += 1) {
      expect(grants.takeWrite('s', '/w/a')).toBe(true);
      grants.turnStarted();
    }
    expect(grants.takeWrite('other', '/w/a')).toBe(false);
  });
});

describe('a granted command', () => {
  test('covers one run', () => {
    const grants = granted({command: commandForms('npm test')});
    expect(grants.takeCommand('s', npmTest)).toBe(true);
    expect(grants.takeCommand('s', npmTest)).toBe(false);
  });

  test('covers no other folder than the one it was granted for', () => {
    const grants = granted({command: commandForms('npm test'), cwd: '/w/sub'});
    expect(grants.takeCommand('s', npmTest)).toBe(false);
    expect(grants.takeCommand('s', {...npmTest, cwd: '/w/sub'})).toBe(true);
  });

  test('that could not be made out covers nothing', () => {
    expect(
      granted({}).takeCommand('s', {forms: formsOfRequest({sessionId: 's', command: ''}), cwd: '/w'}),
    ).toBe(false);
  });
});

/** Whether a permission for `approved` covers a `terminal/create`. */
function covers(approved: string | string[], command: string, args?: string[]): boolean {
  const forms = formsOfRequest({sessionId: 's', command, ...(args && {args})});
  return granted({command: commandForms(approved)}).takeCommand('s', {forms, cwd: '/w'});
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
    ['echo "a  b"', ' echo "a  b" '],
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
    ['ls $HOME', 'ls', ['$HOME']],
    ['ls *', 'ls', ['*']],
    ['echo "a  b"', 'echo "a b"'],
    ['npm test', 'sh', ['-c', 'npm test', 'extra']],
    ['npm test', 'evilsh', ['-c', 'npm test']],
    ['npm test', 'sh', ['-ic', 'npm test']],
    [['ls', '-c', 'x'], 'x'],
  ])('when %j is approved and %s %j runs', (approved, command, args) => {
    expect(covers(approved, command, args)).toBe(false);
  });

  test('when its environment could change what it does', () => {
    const run = (name: string, value: string) => {
      const forms = formsOfRequest({sessionId: 's', command: 'npm test', env: [{name, value}]});
      return granted({command: commandForms('npm test')}).takeCommand('s', {forms, cwd: '/w'});
    };
    for (const name of ['LD_PRELOAD', 'PATH', 'NODE_OPTIONS', 'BASH_ENV', 'GIT_SSH_COMMAND'])
      expect(run(name, 'x')).toBe(false);
    expect(run('PAGER', 'sh')).toBe(false);
    expect(run('PAGER', 'cat')).toBe(true);
    expect(run('NODE_ENV', 'test')).toBe(true);
    expect(run('LC_ALL', 'C')).toBe(true);
  });
});
