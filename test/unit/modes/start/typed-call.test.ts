import {expect, test} from 'vitest';
import {typedCall} from '../../../../src/modes/start/typed-call.ts';

const own = (name: string) => ({name, description: '', from: 'yours', prompt: 'Look.'});
const listed = {
  commands: [own('tests'), own('review')],
  unusable: [{name: 'deploy', path: '/deploy.md', why: 'it has no prompt'}],
  problems: [],
  agents: [{name: 'compact'}],
};

test.each([
  ['/tests src', '/tests src', false],
  ['//tests src', '/tests src', true],
  ['//review src', '/review src', false],
  ['//deploy', '/deploy', true],
  ['//compact', '/compact', true],
  ['/compact', '/compact', false],
  ['// why?', '// why?', false],
  ['//srv/share', '//srv/share', false],
])('%s is sent as %s', (prompt, text, isAgents) => {
  expect(typedCall(prompt, listed)).toEqual({ok: true, value: {text, isAgents}});
});

test('a file that cannot be used is not called, unless the agent has a command of its name', () => {
  const failure = {kind: 'file', path: '/deploy.md', problem: 'it has no prompt'};
  expect(typedCall('/deploy now', listed)).toEqual({ok: false, failure});
  const agents = [{name: 'deploy'}];
  expect(typedCall('/deploy now', {...listed, agents})).toMatchObject({ok: true});
});
