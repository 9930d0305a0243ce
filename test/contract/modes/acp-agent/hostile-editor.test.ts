import {expect, test} from 'vitest';
import {runHere, runProgram} from '../../../support/program/run-program.ts';
import {asks, says} from '../../service/open-service.ts';
import {openHome, scenario, scripted} from './open-editor.ts';

const TALKS = scripted({turns: [[...asks('one'), says('done')]]});

test('what an editor must not ask is an error, and the session goes on', async () => {
  const {editor, cwd, window} = await openHome();
  const {agent, open, prompt, asked, text} = await editor({args: ['--agent', TALKS]});
  const {sessionId} = await open();
  const unknown = {sessionId: 'none'};
  const content = [{type: 'text' as const, text: 'x'}];
  const refused = (method: string, params: object, code: number) =>
    expect(agent.request(method, params), `${method} ${JSON.stringify(params)}`).rejects.toMatchObject({
      code,
    });
  await refused('session/prompt', {...unknown, prompt: content}, -32002);
  await refused('session/load', {...unknown, cwd, mcpServers: []}, -32002);
  await refused('session/resume', {...unknown, cwd}, -32002);
  // The SDK takes it for closed.
  expect(await agent.request('session/close', unknown)).toEqual({});
  await refused('session/set_mode', {...unknown, modeId: 'x'}, -32002);
  await refused('session/set_mode', {sessionId, modeId: 'x'}, -32603);
  await refused('session/set_config_option', {sessionId, configId: 'none', value: 'x'}, -32602);
  await refused('session/new', {cwd: 'here', mcpServers: []}, -32602);
  await refused('session/new', {cwd: '/no/such/folder', mcpServers: []}, -32603);
  await refused('session/new', {cwd: 7}, -32602);
  await refused('session/prompt', {sessionId, prompt: 'text'}, -32602);
  await refused(
    'session/prompt',
    {sessionId, prompt: [{type: 'image', data: 'x', mimeType: 'image/png'}]},
    -32602,
  );
  await refused('session/list', {cursor: '-1'}, -32602);
  await refused('session/set_model', {sessionId}, -32602);
  await refused('authenticate', {methodId: 'x'}, -32601);
  await refused('nonsense', {}, -32601);
  await agent.notify('session/cancel', unknown);
  await agent.notify('nonsense', {});
  const response = prompt(sessionId, 'go');
  await expect.poll(() => asked.length).toBe(1);
  await refused('session/prompt', {sessionId, prompt: content}, -32600);
  const shown = await window(sessionId);
  void shown.actions.answer(shown.state().pending[0]!.id, {kind: 'option', index: 0});
  expect(await response).toMatchObject({stopReason: 'end_turn'});
  expect(text('agent_message_chunk')).toBe('done');
});

test('an agent that requires a sign-in, or fails, says so with what to do', async () => {
  const {editor, sessions} = await openHome();
  const signedOut = await editor({args: ['--agent', scenario('signed-out')]});
  await expect(signedOut.open()).rejects.toMatchObject({
    code: -32000,
    message: expect.stringMatching(/sign-in.*acp-tui --agent .* in a terminal/) as string,
  });
  const missing = await editor({args: ['--agent', '/no/such/agent']});
  await expect(missing.open()).rejects.toThrow('"/no/such/agent" not found');
  const fails = await editor({
    args: ['--agent', scripted({turns: [[{fail: {code: -32603, message: 'out of luck'}}]]})],
  });
  const {sessionId} = await fails.open();
  await expect(fails.prompt(sessionId, 'go')).rejects.toThrow('out of luck');
  expect((await sessions()).map(({id}) => id)).toEqual([sessionId]);
});

test('an agent that was lost is started again by the next prompt', async () => {
  const {editor} = await openHome();
  const {open, prompt} = await editor({args: ['--agent', scenario('mortal')]});
  const {sessionId} = await open();
  await expect(prompt(sessionId, 'die')).rejects.toThrow(/exited/);
  await expect(prompt(sessionId, 'hello')).resolves.toMatchObject({stopReason: 'end_turn'});
});

/** What is written for these bytes, after which it has exited; `run` runs it. */
async function answersTo(bytes: string, run: typeof runHere = runHere) {
  const {exitCode, stderr, stdout} = await run(['acp', '--agent', TALKS], {input: bytes});
  const messages = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as {id: unknown; error?: {code: number}; result?: object});
  return {exitCode, stderr, messages};
}

const line = (message: object) => `${JSON.stringify({jsonrpc: '2.0', ...message})}\n`;
const INITIALIZE = line({id: 1, method: 'initialize', params: {protocolVersion: 1}});

test.each([
  ['no JSON', 'nonsense\n', [-32700]],
  ['a list', '[{"jsonrpc": "2.0"}]\n', [-32600]],
  ['neither a method nor a result', '{"jsonrpc": "2.0", "id": 1}\n', []],
  ['an answer to nothing', '{"jsonrpc": "2.0", "id": 99, "result": {}}\n', []],
  [
    'a session before initialize',
    line({id: 1, method: 'session/new', params: {cwd: '/', mcpServers: []}}),
    [-32600],
  ],
  ['an unknown version', line({id: 1, method: 'initialize', params: {protocolVersion: 'two'}}), [-32602]],
])('an editor that sends %s gets an error, then its answer', async (_, bytes, codes) => {
  const {exitCode, stderr, messages} = await answersTo(bytes + INITIALIZE);
  expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''});
  expect(messages.flatMap(({error}) => error?.code ?? [])).toEqual(codes);
  expect(messages.at(-1)?.result).toMatchObject({protocolVersion: 1, agentInfo: {name: 'acp-tui'}});
});

test('an editor that sends a message over the limit gets an error, and the answer to its next request', async () => {
  const long = line({id: 2, method: 'session/prompt', params: {text: 'x'.repeat(40 * 1024 * 1024)}});
  const bytes = INITIALIZE + long + line({id: 3, method: 'nonsense'});
  const {exitCode, stderr, messages} = await answersTo(bytes, runProgram);
  expect(messages).toMatchObject([
    {id: 1, result: {protocolVersion: 1}},
    {id: 2, error: {code: -32600}},
    {id: 3, error: {code: -32601}},
  ]);
  expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''});
});
