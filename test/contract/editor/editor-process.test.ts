import {expect, test} from 'vitest';
import {asks, says} from '../service/open-service.ts';
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
  shown.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  await shown.until(isIdle);
  expect(shown.said()).toBe('before after');
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
