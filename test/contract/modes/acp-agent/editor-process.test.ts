import {expect, test} from 'vitest';
import {readAcpCommand} from '../../../../src/modes/commands/acp/acp-arguments.ts';
import {findService} from '../../../../src/service/service-client.ts';
import {choose} from '../../../support/program/editor-client.ts';
import {asks, says} from '../../service/open-service.ts';
import {openProgram, scripted} from './open-editor.ts';

const isIdle = ({turn, lastTurn}: {turn: {kind: string}; lastTurn: unknown}) =>
  turn.kind === 'idle' && lastTurn !== undefined;

test('a turn goes on without its editor, and a window answers it', async () => {
  const {editor, window, sessions} = openProgram();
  const agent = scripted({turns: [[says('before '), ...asks('one'), says('after')]]});
  const {open, prompt, asked, child} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  prompt(sessionId, 'go').catch(() => undefined);
  await expect.poll(() => asked.length).toBe(1);
  child.kill('SIGKILL');
  await expect.poll(sessions).toMatchObject([{id: sessionId, doing: 'waiting', windows: 0}]);
  const shown = await window(sessionId);
  const {pending} = await shown.until(({pending}) => pending.length === 1);
  void shown.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  await shown.until(isIdle);
  expect(shown.said()).toBe('before after');
});

test('an editor does not wait for limits, so that option is not taken', () => {
  expect(readAcpCommand(['--wait-for-limits'], 80)).toMatchObject({kind: 'message', exitCode: 2});
});

test('an editor that is closed leaves its session, and ends one without a prompt', async () => {
  const {editor, sessions} = openProgram();
  const {open, prompt, close} = await editor({args: ['--agent', scripted({turns: [[says('done')]]})]});
  const {sessionId} = await open();
  await prompt(sessionId, 'go');
  await open();
  expect(await sessions()).toHaveLength(2);
  await close();
  expect(await sessions()).toMatchObject([{id: sessionId, doing: 'idle', windows: 0}]);
});

test('without the service, sessions run in the process of the editor, and end with it', async () => {
  const {editor, state} = openProgram();
  const agent = scripted({
    initialize: {agentCapabilities: {loadSession: true}},
    turns: [[...asks('one'), says('done')]],
  });
  const args = ['--no-background', '--agent', agent];
  const first = await editor({args, permit: choose('Allow')});
  const {sessionId} = await first.open();
  expect(await first.prompt(sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  expect(first.asked).toHaveLength(1);
  expect(await findService(state)).toEqual({ok: true, value: undefined});
  expect(await first.close()).toEqual([0, null]);
  const second = await editor({args});
  const {sessions} = await second.agent.request('session/list', {});
  expect(sessions.map((session) => session.sessionId)).toContain(sessionId);
  await second.agent.request('session/load', {sessionId, cwd: '/', mcpServers: []});
  expect(second.text('agent_message_chunk')).toBe('done');
  expect(await second.close()).toEqual([0, null]);
});
