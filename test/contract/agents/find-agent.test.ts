import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createAgentFinder, resolveAgent} from '../../../src/agents/resolve.ts';
import type {AgentsSettings} from '../../../src/settings/schema/agent-settings.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const demoCommand = {command: '/usr/bin/node', args: ['demo.js']};

/** A folder for PATH that contains these programs. */
function pathWith(...programs: readonly string[]): string {
  const folder = temporaryFolder();
  for (const program of programs) writeFileSync(join(folder, program), '', {mode: 0o755});
  return folder;
}

function resolve(name: string, configured: AgentsSettings, path = '') {
  const find = createAgentFinder({configured, installed: () => undefined, environment: {PATH: path}});
  return resolveAgent(name, {env: {GIVEN: '1', BOTH: 'given'}, demoCommand, find});
}

describe('the name given to --agent', () => {
  test('refers to the agent of that name in the settings', () => {
    const line = 'BOTH=line LINE=1 /opt/agent --acp "two words"';
    expect(resolve('mine', {mine: {command: line}})).toEqual({
      ok: true,
      value: {
        label: 'mine',
        byName: true,
        command: '/opt/agent',
        args: ['--acp', 'two words'],
        env: {GIVEN: '1', BOTH: 'given', LINE: '1'},
      },
    });
    expect(resolve('mine', {mine: {command: {command: '~/bin/agent', args: ['$HOME', '*']}}})).toMatchObject({
      value: {command: join(homedir(), 'bin/agent'), args: ['$HOME', '*']},
    });
  });

  test('prefers the configured agent over a program on PATH', () => {
    const path = pathWith('gemini');
    expect(resolve('gemini', {gemini: {command: '/opt/mine'}}, path)).toMatchObject({
      value: {command: '/opt/mine'},
    });
  });

  test.each(['qwen-code', 'qwen'])('refers to a well-known agent on PATH with its arguments: %s', (name) => {
    expect(resolve(name, {[name]: {model: 'x'}}, pathWith('qwen'))).toMatchObject({
      value: {label: name, command: 'qwen', args: ['--acp']},
    });
  });

  test('refers to a plain program when no agent has that name', () => {
    const path = pathWith('other');
    chmodSync(join(path, 'other'), 0o644);
    mkdirSync(join(path, 'gemini'));
    for (const name of ['other', 'gemini', 'toString'])
      expect(resolve(name, {}, path)).toMatchObject({value: {label: name, command: name, args: []}});
  });

  test('is never looked up in the working folder', () => {
    expect(resolve('gemini', {}, ['', '.', 'bin'].join(':'))).toMatchObject({value: {args: []}});
    expect(resolve('mine', {mine: {command: './agent'}})).toMatchObject({
      failure: {
        kind: 'bad_agent',
        problem: expect.stringMatching(/agents\.mine.*the path \.\/agent must start with/),
      },
    });
  });

  test.each(['', 'a | b', '"open'])('reports an unusable command (%j) and runs nothing else', (command) => {
    expect(resolve('gemini', {gemini: {command}}, pathWith('gemini'))).toMatchObject({
      ok: false,
      failure: {kind: 'bad_agent', agent: 'gemini', problem: expect.stringContaining('agents.gemini')},
    });
  });
});
