import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {explainFailedStart} from '../../../src/sandbox/agent/refused-at-start.ts';
import {sandboxPolicy} from '../../../src/sandbox/policy.ts';
import type {Failure} from '../../../src/shared/failure.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const agent = {label: 'mine', command: '/nowhere/mine', args: [], env: {}};

function refused(
  stderr: string,
  {sandboxSockets = 'none', ...failure}: Partial<Failure> & {readonly sandboxSockets?: 'none' | 'all'} = {},
): unknown {
  const policy = sandboxPolicy({
    agent,
    roots: ['/work'],
    ownFolders: [],
    env: {},
    home: '/home/me',
    network: 'ask',
    networkHosts: [],
    sandboxSockets,
  });
  const early = {kind: 'exited_early', command: 'mine', exit: {code: 1, signal: null}, stderrTail: stderr};
  const explained = explainFailedStart(policy, {...early, ...failure} as Failure, {
    agent,
    environment: {},
    stderr,
  });
  return 'refused' in explained ? explained.refused : undefined;
}

test.each([
  // Node
  [
    `Error: EROFS: read-only file system, mkdir '/home/me/.mine/run'`,
    {reason: 'write', path: '/home/me/.mine/run', folder: '/home/me/.mine'},
  ],
  // Python
  [
    `OSError: [Errno 30] Read-only file system: '/var/lib/mine/lock'`,
    {reason: 'write', path: '/var/lib/mine/lock', folder: '/var/lib/mine'},
  ],
  // No setting opens a single file of the home folder.
  [
    'sh: 1: cannot create /home/me/.minerc: Read-only file system',
    {reason: 'write', path: '/home/me/.minerc'},
  ],
  ['Error: listen EACCES: permission denied \0mine', {reason: 'socket'}],
  ['connect EACCES /run/user/1000/bus', {reason: 'socket'}],
  // Go, Rust
  ['listen unix @mine: socket: permission denied', {reason: 'socket'}],
  ['cannot bind the lock: Permission denied (os error 13)', {reason: 'socket'}],
  ['getaddrinfo EAI_AGAIN api.mine.example', {reason: 'network', host: 'api.mine.example'}],
  ['curl: (6) Could not resolve host: api.mine.example', {reason: 'network', host: 'api.mine.example'}],
  [
    'dial tcp: lookup api.mine.example on 10.0.0.1:53: network is unreachable',
    {reason: 'network', host: 'api.mine.example'},
  ],
  [
    'request to http://localhost:11434/ failed, reason: connect ECONNREFUSED 127.0.0.1:11434',
    {reason: 'network', host: 'localhost:11434'},
  ],
  ['Temporary failure in name resolution', {reason: 'network'}],
  ['MINE_KEY is not set', {reason: 'unknown'}],
  ['open /home/me/mine.toml: permission denied', {reason: 'unknown'}],
])('%s', (stderr, expected) => {
  expect(refused(stderr)).toEqual(expected);
});

test.each([
  ['a folder', (top: string) => ({path: join(top, 'deep/lock'), folder: top})],
  ['a file', (top: string) => ({path: `${top}.lock`})],
])('%s of the temporary folder is not there, and a folder can be named', (_, expectedOf) => {
  const expected = expectedOf(temporaryFolder());
  mkdirSync(dirname(expected.path), {recursive: true});
  writeFileSync(expected.path, '');
  onTestFinished(() => rmSync(expected.path, {force: true}));
  const found = refused(`Error: ENOENT: no such file or directory, open '${expected.path}'`);
  expect(found).toEqual({reason: 'temporary', ...expected});
});

test('sockets are no reason where all of them are allowed', () => {
  expect(refused('listen unix @mine: socket: permission denied', {sandboxSockets: 'all'})).toEqual({
    reason: 'unknown',
  });
});

test('an agent that runs is only told what it was refused', () => {
  expect(refused('', {kind: 'no_answer', method: 'initialize', seconds: 7})).toBeUndefined();
  const error = {
    kind: 'agent_error',
    method: 'session/new',
    code: 1,
    message: 'connect EACCES /run/x.sock',
  } as const;
  expect(refused('', error)).toEqual({reason: 'socket'});
  expect(refused('listen EACCES', {kind: 'protocol_version', ours: 1, theirs: 2})).toBeUndefined();
});
