import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {choose} from '../../../support/program/editor-client.ts';
import {asks, says} from '../../service/open-service.ts';
import {openHome, scenario, scripted} from './open-editor.ts';

const isIdle = ({turn, lastTurn}: {turn: {kind: string}; lastTurn: unknown}) =>
  turn.kind === 'idle' && lastTurn !== undefined;

test('an editor gets the answer in order and its end, and its own prompt is not echoed', async () => {
  const {editor} = await openHome();
  const words = Array.from({length: 40}, (_, index) => says(`${index} `));
  const {open, prompt, text} = await editor({args: ['--agent', scripted({turns: [words]})]});
  const {sessionId} = await open();
  expect(await prompt(sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  expect(text('agent_message_chunk')).toBe(Array.from({length: 40}, (_, index) => `${index} `).join(''));
  expect(text('user_message_chunk')).toBe('');
});

test.each([
  ['Allow', 'Allow'],
  ['Reject', 'Reject'],
])('an editor answers a request: %s', async (name, option) => {
  const {editor, window} = await openHome();
  const agent = scripted({turns: [[...asks('one'), says('done')]]});
  const {open, prompt, asked} = await editor({args: ['--agent', agent], permit: choose(name)});
  const {sessionId} = await open();
  expect(await prompt(sessionId, 'go')).toMatchObject({stopReason: 'end_turn'});
  expect(asked).toMatchObject([{sessionId, toolCall: {toolCallId: 'call-one', title: 'Run one'}}]);
  const shown = await window(sessionId);
  const calls = [...shown.state().entries].filter((entry) => entry.type === 'tool_call');
  expect(calls).toMatchObject([{permission: {option, by: 'user'}}]);
});

test('the first answer counts: of a window, which cancels the request of the editor', async () => {
  const {editor, window} = await openHome();
  const agent = scripted({turns: [[...asks('one'), says('done')]]});
  const withdrawn: string[] = [];
  const {open, prompt, asked} = await editor({
    args: ['--agent', agent],
    permit: ({toolCall}, signal) =>
      new Promise((answer) => {
        signal.addEventListener('abort', () => {
          withdrawn.push(toolCall.toolCallId);
          answer({outcome: {outcome: 'cancelled'}});
        });
      }),
  });
  const {sessionId} = await open();
  const response = prompt(sessionId, 'go');
  const shown = await window(sessionId);
  const {pending} = await shown.until(({pending}) => pending.length === 1);
  await expect.poll(() => asked.length).toBe(1);
  void shown.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  expect(await response).toMatchObject({stopReason: 'end_turn'});
  await expect.poll(() => withdrawn).toEqual(['call-one']);
  const {entries} = await shown.until(isIdle);
  expect([...entries].filter((entry) => entry.type === 'tool_call')).toMatchObject([
    {permission: {option: 'Allow'}},
  ]);
});

test('an editor sees what a window asks, and the answer', async () => {
  const {editor, window} = await openHome();
  const agent = scripted({turns: [[says('one')], [says('two')]]});
  const {open, prompt, text, updates} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  await prompt(sessionId, 'from the editor');
  const shown = await window(sessionId);
  expect(shown.state().queue.lastPrompt).toMatchObject({isSentOnce: true});
  const content = [{type: 'text' as const, text: 'from a window'}];
  await shown.actions.changeQueue({kind: 'submit', prompt: {text: 'from a window', content}, place: 'last'});
  await expect.poll(() => text('agent_message_chunk')).toBe('onetwo');
  expect(text('user_message_chunk')).toBe('from a window');
  const kinds = updates.map(({update}) => update.sessionUpdate).filter((kind) => kind.endsWith('_chunk'));
  expect(kinds).toEqual(['agent_message_chunk', 'user_message_chunk', 'agent_message_chunk']);
});

test('a cancelled turn ends as cancelled, with its request', async () => {
  const {editor} = await openHome();
  const agent = scripted({turns: [[...asks('one'), {cancelled: true}, {stop: {stopReason: 'cancelled'}}]]});
  const {open, prompt, asked, agent: connection} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  const response = prompt(sessionId, 'go');
  await expect.poll(() => asked.length).toBe(1);
  await connection.notify('session/cancel', {sessionId});
  expect(await response).toEqual({stopReason: 'cancelled'});
});

test('a prompt waits for the turn of a window, and can be cancelled without it', async () => {
  const {editor, window} = await openHome();
  const agent = scripted({turns: [[...asks('one'), says('done')]]});
  const {open, prompt, agent: connection, text, asked} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  const shown = await window(sessionId);
  const content = [{type: 'text' as const, text: 'of the window'}];
  await shown.actions.changeQueue({kind: 'submit', prompt: {text: '', content}, place: 'last'});
  await expect.poll(() => asked.length).toBe(1);
  const response = prompt(sessionId, 'of the editor');
  await shown.until(({queue}) => queue.prompts.length === 1);
  await connection.notify('session/cancel', {sessionId});
  expect(await response).toEqual({stopReason: 'cancelled'});
  const {turn, pending} = await shown.until(({queue}) => queue.prompts.length === 0);
  expect(turn.kind).toBe('running');
  void shown.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  await expect.poll(() => text('agent_message_chunk')).toBe('done');
});

test('a request for a prompt that is cancelled cancels its turn', async () => {
  const {editor} = await openHome();
  const agent = scripted({turns: [[says('x'), {cancelled: true}, {stop: {stopReason: 'cancelled'}}]]});
  const {open, agent: connection, text} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  const cancelling = new AbortController();
  const response = connection.request(
    'session/prompt',
    {sessionId, prompt: [{type: 'text', text: 'go'}]},
    {cancellationSignal: cancelling.signal},
  );
  await expect.poll(() => text('agent_message_chunk')).toBe('x');
  cancelling.abort();
  expect(await response).toEqual({stopReason: 'cancelled'});
});

test('a prompt that a window takes back ends as cancelled', async () => {
  const {editor, window} = await openHome();
  const {open, prompt, asked} = await editor({
    args: ['--agent', scripted({turns: [[...asks('one'), says('done')]]})],
  });
  const {sessionId} = await open();
  const shown = await window(sessionId);
  const content = [{type: 'text' as const, text: 'of the window'}];
  await shown.actions.changeQueue({kind: 'submit', prompt: {text: '', content}, place: 'last'});
  await expect.poll(() => asked.length).toBe(1);
  const response = prompt(sessionId, 'of the editor');
  const {queue} = await shown.until(({queue}) => queue.prompts.length === 1);
  await shown.actions.changeQueue({kind: 'edit', id: queue.prompts[0]!.id});
  expect(await response).toEqual({stopReason: 'cancelled'});
});

test('a prompt that calls a command file which cannot be used is refused with the reason, and not sent', async () => {
  const {editor, env} = await openHome();
  const folder = join(env['ACP_TUI_CONFIG_DIR']!, 'commands');
  mkdirSync(folder);
  for (const name of ['bad', 'of-agent']) writeFileSync(join(folder, `${name}.md`), '');
  const availableCommands = [{name: 'of-agent', description: ''}];
  const opened = [{update: {sessionUpdate: 'available_commands_update', availableCommands}}];
  const agent = scripted({opened, turns: [[says('one')], [says('two')], [says('three')]]});
  const {open, prompt, text, sent} = await editor({args: ['--agent', agent]});
  const {sessionId} = await open();
  await expect.poll(() => sent('available_commands_update').at(-1)).toMatchObject({availableCommands});
  const refused = expect.objectContaining({message: expect.stringMatching(/bad\.md"\. It has no prompt\.$/)});
  await expect(prompt(sessionId, '/bad a')).rejects.toEqual(refused);
  expect(await prompt(sessionId, '//bad a')).toMatchObject({stopReason: 'end_turn'});
  expect(await prompt(sessionId, '/bad/x is empty')).toMatchObject({stopReason: 'end_turn'});
  expect(await prompt(sessionId, '/of-agent')).toMatchObject({stopReason: 'end_turn'});
  expect(text('agent_message_chunk')).toBe('onetwothree');
});

test('a prompt with two slashes calls the next command of its name', async () => {
  const {editor, env} = await openHome();
  const folder = join(env['ACP_TUI_CONFIG_DIR']!, 'commands');
  mkdirSync(folder);
  for (const name of ['tests', 'review']) writeFileSync(join(folder, `${name}.md`), 'Look at $1.');
  writeFileSync(join(folder, 'bad.md'), '');
  const {open, prompt, text} = await editor({args: ['--agent', scenario('echo')]});
  const {sessionId} = await open();
  for (const name of ['/tests', '//tests', '//review', '//bad', '//other'])
    await prompt(sessionId, `${name} src\n`);
  expect(text('agent_message_chunk')).toBe('Look at src./tests src\nLook at src./bad src\n//other src\n');
});
