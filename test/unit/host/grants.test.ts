import {describe, expect, test} from 'vitest';
import {commandForms, formsOfRequest} from '../../../src/host/terminals/system-shell.ts';
import {environmentKey} from '../../../src/host/permissions/asked-effects.ts';
import {
  createGrants,
  type Grant,
  type GrantedCommand,
  type GrantedWrite,
} from '../../../src/host/permissions/grants.ts';

const lookup = {cwd: '/w', path: '/usr/bin:/bin'};
const newA: GrantedWrite = {type: 'write', path: '/w/a', content: 'new', base: 'old'};
const npmTest: GrantedCommand = {
  type: 'command',
  forms: commandForms('npm test', lookup),
  folder: '1:2 /w',
  env: environmentKey([]),
};

function granted(...grants: readonly (Pick<Grant, 'effect'> & Partial<Grant>)[]) {
  const all = createGrants();
  for (const grant of grants) all.add({sessionId: 's', always: false, ...grant});
  return all;
}

describe('a granted write', () => {
  test('covers one write of that content to that file', () => {
    const grants = granted({effect: newA}, {effect: {...newA, path: '/w/b'}});
    expect(grants.takeWrite('s', {...newA, path: '/w/c'})).toEqual({kind: 'none'});
    expect(grants.takeWrite('s', newA)).toEqual({kind: 'covered'});
    expect(grants.takeWrite('s', newA)).toEqual({kind: 'none'});
    expect(grants.takeWrite('s', {...newA, path: '/w/b'})).toEqual({kind: 'covered'});
  });

  test('with other content shows what was approved, and stays', () => {
    const grants = granted({effect: newA});
    expect(grants.takeWrite('s', {...newA, content: 'new '})).toEqual({kind: 'other', approved: 'new'});
    expect(grants.takeWrite('s', newA)).toEqual({kind: 'covered'});
  });

  test('does not cover a file that has changed since its diff was shown', () => {
    const grants = granted({effect: newA});
    expect(grants.takeWrite('s', {...newA, base: 'saved'})).toEqual({kind: 'changed'});
  });

  test('granted twice covers two writes', () => {
    const grants = granted({effect: newA}, {effect: newA});
    expect([1, 2, 3].map(() => grants.takeWrite('s', newA).kind)).toEqual(['covered', 'covered', 'none']);
  });

  test('does not cover another session or turn, or a command', () => {
    const grants = granted({effect: newA});
    expect(grants.takeWrite('other', newA)).toEqual({kind: 'none'});
    expect(grants.takeCommand('s', npmTest)).toBe(false);
    grants.turnOver();
    expect(grants.takeWrite('s', newA)).toEqual({kind: 'none'});
  });

  test('granted always covers the same write again, in later turns too, and no other', () => {
    const grants = granted({effect: newA, always: true});
    for (let turn = 0; turn < 3; turn += 1) {
      expect(grants.takeWrite('s', newA)).toEqual({kind: 'covered'});
      grants.turnOver();
    }
    expect(grants.takeWrite('s', {...newA, content: 'other'}).kind).toBe('other');
    expect(grants.takeWrite('other', newA)).toEqual({kind: 'none'});
  });
});

describe('a granted command', () => {
  test('covers one run', () => {
    const grants = granted({effect: npmTest});
    expect(grants.takeCommand('s', npmTest)).toBe(true);
    expect(grants.takeCommand('s', npmTest)).toBe(false);
  });

  test('covers no other folder, and none in its place', () => {
    const grants = granted({effect: npmTest});
    expect(grants.takeCommand('s', {...npmTest, folder: '1:2 /w/sub'})).toBe(false);
    expect(grants.takeCommand('s', {...npmTest, folder: '1:3 /w'})).toBe(false);
  });

  test('covers no other environment, however harmless', () => {
    const withEnv = (name: string, value: string) => ({...npmTest, env: environmentKey([{name, value}])});
    expect(granted({effect: npmTest}).takeCommand('s', withEnv('NO_COLOR', '1'))).toBe(false);
    expect(granted({effect: withEnv('A', '1')}).takeCommand('s', npmTest)).toBe(false);
    expect(granted({effect: withEnv('A', '1')}).takeCommand('s', withEnv('A', '2'))).toBe(false);
    expect(granted({effect: withEnv('A', '1')}).takeCommand('s', withEnv('A', '1'))).toBe(true);
  });

  test('covers the same variables in another order', () => {
    const a = {name: 'A', value: '1'};
    const b = {name: 'B', value: '2'};
    expect(environmentKey([a, b])).toBe(environmentKey([b, a]));
    expect(environmentKey([a, {...a, value: '2'}])).toBe(environmentKey([{...a, value: '2'}]));
  });
});

/** True if a permission for `approved` covers a `terminal/create`. */
function covers(approved: string | string[], command: string, args?: string[]): boolean {
  const forms = formsOfRequest({command, ...(args && {args})}, lookup);
  return granted({effect: {...npmTest, forms: commandForms(approved, lookup)}}).takeCommand('s', {
    ...npmTest,
    forms,
  });
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
  ])('when %j is approved and %s %j runs', (approved, command, args) => {
    expect(covers(approved, command, args)).toBe(false);
  });
});
