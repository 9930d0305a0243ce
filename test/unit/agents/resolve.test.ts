import {homedir} from 'node:os';
import {resolve} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {resolveAgent, withAbsoluteProgram} from '../../../src/agents/resolve.ts';

const demoCommand = {command: '/usr/bin/node', args: ['demo.js']};
const resolved = (text: string, env: Record<string, string> = {}) => resolveAgent(text, {env, demoCommand});

function command(text: string, env: Record<string, string> = {}) {
  const result = resolved(text, env);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

afterEach(() => vi.unstubAllEnvs());

describe('a known agent that is not installed', () => {
  const installable = (name: string) => (name === 'goose' ? 'goose-id' : undefined);
  test.each([
    ['goose', 'goose-id'],
    ['goose acp', 'goose-id'],
    ['./goose', undefined],
    ['other', undefined],
  ])('%s can be installed as %s', (text, id) => {
    const result = resolveAgent(text, {env: {}, demoCommand, installable});
    expect(result).toMatchObject({ok: true});
    expect(result.ok && result.value.installable).toBe(id);
  });
});

describe('a command line', () => {
  test.each([
    ['agent --acp', ['agent', '--acp']],
    [`agent "two words" 'and $these' a\\ b`, ['agent', 'two words', 'and $these', 'a b']],
    ['agent "" --flag=x=y', ['agent', '', '--flag=x=y']],
    ['  agent\t-x ', ['agent', '-x']],
    [`agent '*.js' "a | b" '\`x\`'`, ['agent', '*.js', 'a | b', '`x`']],
  ])('%s is split like in a shell', (text, words) => {
    const {command: program, args} = command(text);
    expect([program, ...args]).toEqual(words);
  });

  test('expands variables from the environment and from --env, which wins', () => {
    vi.stubEnv('ACP_TEST_HOME', '/opt/my agents');
    expect(command('$ACP_TEST_HOME/run --key=${KEY}', {KEY: 'k v'})).toMatchObject({
      command: '/opt/my agents/run',
      args: ['--key=k v'],
    });
    expect(command('x $ACP_TEST_HOME', {ACP_TEST_HOME: 'mine'}).args).toEqual(['mine']);
  });

  test('sets variables from leading words, and --env overrides them', () => {
    const agent = command('A=1 B="two words" agent C=3', {A: 'from --env'});
    expect(agent).toMatchObject({command: 'agent', args: ['C=3'], env: {A: 'from --env', B: 'two words'}});
  });

  test('expands ~ at the start of a word, unless it is quoted', () => {
    const agent = command(`~/bin/agent ~ '~/x' ' ~ ' " ~ " a~ ~user/y`);
    const args = [homedir(), '~/x', ' ~ ', ' ~ ', 'a~', '~user/y'];
    expect(agent).toMatchObject({command: `${homedir()}/bin/agent`, args});
  });

  test("resolves a path from the user's folder", () => {
    expect(command('./agent.sh ./arg')).toMatchObject({command: resolve('agent.sh'), args: ['./arg']});
  });

  test.each([
    ['./agent.sh ./arg', `${resolve('agent.sh')} ./arg`],
    [`A="x y" "./my agent" 'b c' $HOME`, `A="x y" '${resolve('my agent')}' 'b c' $HOME`],
  ])('%s means in every folder: %s', (text, absolute) => {
    expect(withAbsoluteProgram(text)).toBe(absolute);
  });

  test.each(['agent ./arg', '/bin/agent', '~/agent', '$HOME/agent', 'wss://host/agent', 'demo', 'a | ./b'])(
    '%s means the same in every folder',
    (text) => expect(withAbsoluteProgram(text)).toBe(text),
  );

  test.each([
    ['agent --acp', 'agent'],
    ['/usr/local/bin/agent', 'agent'],
    ['node --no-warnings /opt/lab/agent.mjs x', 'agent.mjs'],
    ['npx -y @vendor/agent-acp@latest', 'agent-acp@latest'],
  ])('%s is labeled %s', (text, label) => {
    expect(command(text).label).toBe(label);
  });
});

describe('rejected with the reason:', () => {
  test.each([
    ['agent && rm x', /"&&"/],
    ['agent | tee log', /"\|"/],
    ['agent > log', /">"/],
    ['agent; other', /";"/],
    ['agent &', /"&"/],
    ['agent *.js', /\*\.js/],
    ['agent $ACP_TUI_SURELY_UNSET', /\$ACP_TUI_SURELY_UNSET is not set/],
    ['agent $(id)', /substitution/],
    ['agent "$(id)"', /substitution/],
    ['agent `id`', /substitution/],
    ['agent "`id`"', /substitution/],
    ['agent\nrm -rf x', /more than one line/],
    ['agent "open', /unclosed/],
    ["agent 'open", /unclosed/],
    ['agent \\', /backslash/],
    ['agent # comment', /comment/],
    ['', /no command/],
    ['A=1', /no command/],
    ['ws://example.org/agent', /not encrypted.*use wss:\/\//],
    ['http://example.org/agent', /not encrypted.*use https:\/\//],
    ['wss://', /URL is not valid/],
  ])('%j', (text, problem) => {
    expect(resolved(text)).toMatchObject({
      ok: false,
      failure: {kind: 'bad_agent', agent: text, problem: expect.stringMatching(problem)},
    });
  });
});

describe('the URL of a remote agent', () => {
  test('is labeled by its host until the agent names itself', () => {
    expect(command('wss://agents.example:8443/acp')).toMatchObject({
      label: 'agents.example:8443',
      command: 'wss://agents.example:8443/acp',
      args: [],
    });
  });

  test.each([
    ['wss://me:secret@example.org/agent', /may not contain credentials/],
    ['wss://example.org/agent?token=secret', /may be secret/],
  ])('may contain secrets, but is shown without them: %s', (text, problem) => {
    expect(resolved(text)).toMatchObject({
      failure: {
        kind: 'bad_agent',
        agent: 'wss://example.org/agent',
        problem: expect.stringMatching(problem),
      },
    });
  });
});

test('demo is the built-in agent', () => {
  expect(resolved('demo', {A: '1'})).toEqual({
    ok: true,
    value: {label: 'demo', byName: true, ...demoCommand, env: {A: '1'}},
  });
});
