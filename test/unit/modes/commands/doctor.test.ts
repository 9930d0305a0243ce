import {expect, test} from 'vitest';
import {
  DOCTOR_EXIT_CODES,
  readDoctorCommand,
} from '../../../../src/modes/commands/doctor/doctor-arguments.ts';

const read = (...argv: readonly string[]) => readDoctorCommand(argv, 80);

test('without arguments it examines the agent of the settings, and asks before a prompt', () => {
  expect(read()).toEqual({
    kind: 'command',
    command: {
      agent: undefined,
      cwd: undefined,
      env: {},
      authMethod: undefined,
      protocolVersion: undefined,
      prompt: undefined,
      timeoutSeconds: 60,
      json: false,
      record: undefined,
    },
  });
});

test.each([
  [['--prompt'], {prompt: true}],
  [['-y'], {prompt: true}],
  [['--no-prompt'], {prompt: false}],
  [
    ['x --acp', '--auth', 'login', '--timeout', '2.5', '--json'],
    {agent: 'x --acp', authMethod: 'login', timeoutSeconds: 2.5, json: true},
  ],
  [['--env', 'A=b=c', '--env', 'D='], {env: {A: 'b=c', D: ''}}],
  [['--record', 'x'], {record: {file: 'x', mask: true}}],
  [['--record', 'x', '--no-mask'], {record: {file: 'x', mask: false}}],
  [['-C', '/tmp'], {cwd: '/tmp'}],
  [['--agent', 'x --acp'], {agent: 'x --acp'}],
  [['--protocol', '2'], {protocol: '2'}],
])('%j is accepted', (argv, expected) => {
  expect(read(...argv)).toMatchObject({kind: 'command', command: expected});
});

test.each([
  [[''], /agent name is empty/],
  [['x', '--agent', 'y'], /Name the agent once/],
  [['--agent', ''], /--agent requires a value/],
  [['--env', 'nothing'], /--env must be NAME=value/],
  [['--timeout', '0'], /greater than 0/],
  [['--record', ''], /--record requires a value/],
  [['--protocol', '3'], /--protocol must be 1, 2 or auto, not "3"/],
  [['--fast'], /Unknown option '--fast'/],
  [['gemini', '--acp'], /Quote an agent that has arguments: acp-tui doctor "some-agent --acp"/],
  [['gemini', 'acp'], /Quote an agent that has arguments/],
])('%j is rejected with a hint', (argv, message) => {
  const refused = read(...argv);
  expect(refused).toMatchObject({kind: 'message', exitCode: 2, text: expect.stringMatching(message)});
  expect(refused).toMatchObject({text: expect.stringContaining('acp-tui doctor --help')});
});

test('--help lists every exit code, and what happens to files and permissions', () => {
  const help = read('--help');
  expect(help).toMatchObject({kind: 'message', exitCode: 0});
  const {text} = help as {text: string};
  for (const [code, meaning] of DOCTOR_EXIT_CODES)
    expect(text).toMatch(new RegExp(`^ +${code} +${meaning.replaceAll(/[()]/g, '\\$&')}$`, 'm'));
  expect(text.replaceAll(/\s+/g, ' ')).toContain('every permission request is rejected');
});
