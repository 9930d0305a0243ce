import {describe, expect, test} from 'vitest';
import {isAgentItself, signInWayOf} from '../../../../src/shared/authentication.ts';

const agent = {command: '/bin/agent', args: ['acp'], env: {HOME: '/home/me', MODE: 'acp'}};
const old = (reported: unknown) =>
  signInWayOf({id: 'a', name: 'A', _meta: {'terminal-auth': reported}}, agent);

describe('a sign-in in a terminal', () => {
  test('is the command that started the agent, with more arguments and variables', () => {
    const method = {id: 'a', name: 'A', type: 'terminal', args: ['--login'], env: {MODE: 'login'}} as const;
    expect(signInWayOf({...method, args: [...method.args]}, agent)).toEqual({
      kind: 'terminal',
      program: {command: '/bin/agent', args: ['acp', '--login'], env: {HOME: '/home/me', MODE: 'login'}},
    });
  });

  test('in its legacy form is a command of its own', () => {
    expect(old({command: 'node', args: ['x.mjs', 'login'], env: {FAST: '1', BAD: 2}, label: 'L'})).toEqual({
      kind: 'terminal',
      program: {command: 'node', args: ['x.mjs', 'login'], env: {...agent.env, FAST: '1'}},
    });
  });

  test('follows the protocol if an agent sends both forms', () => {
    const both = {
      id: 'a',
      name: 'A',
      type: 'terminal' as const,
      args: ['--cli'],
      _meta: {'terminal-auth': {command: '/elsewhere/other', args: []}},
    };
    expect(signInWayOf(both, agent)).toMatchObject({
      program: {command: '/bin/agent', args: ['acp', '--cli']},
    });
  });

  test.each([
    [true],
    [null],
    [{}],
    [{command: ''}],
    [{command: 'x', args: 'login'}],
    [{command: 'x', args: [1]}],
  ])('is not built from %j, which is left to the agent', (reported) =>
    expect(old(reported)).toEqual({kind: 'agent'}),
  );
});

describe('a sign-in program is the agent itself', () => {
  test.each([
    [['acp', '--login'], {}],
    [['acp', 'auth', 'login'], {}],
    [['acp'], {}],
  ])('with extra arguments: %j', (args, env) => {
    expect(isAgentItself({...agent, args, env: {...agent.env, ...env}}, agent)).toBe(true);
  });

  test.each([
    ['another program', {command: '/bin/other'}],
    ['other arguments', {args: ['login']}],
    ['a variable', {env: {...agent.env, NODE_OPTIONS: '--require /x'}}],
    ['another value of a variable', {env: {...agent.env, MODE: 'login'}}],
    ['words that need quotes', {args: ['acp', 'a;b']}],
    ['invisible characters', {args: ['acp', 'a\u200bb']}],
    ['more than the list shows', {args: ['acp', '--config', '/tmp/somewhere/else.json']}],
  ])('but not with %s', (_what, change) => {
    const program = {...agent, args: ['acp', '--login'], ...change};
    expect(isAgentItself(program, agent)).toBe(false);
  });
});
