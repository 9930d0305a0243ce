import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {AnyMessage, Stream} from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test, vi} from 'vitest';
import {connectDemoAgent} from '../../../src/demo/agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {editorAgent, openHome} from '../modes/acp-agent/open-editor.ts';
import {rawClient, type Version} from './raw-client.ts';
import {problemsOf, unknownKinds} from './schema-check.ts';

/** The demo agent, in the process of the test. */
async function demo(pace: number) {
  vi.stubEnv('XDG_STATE_HOME', temporaryFolder());
  const [toAgent, toClient] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  connectDemoAgent({readable: toAgent.readable, writable: toClient.writable}, {pace});
  return {stream: {readable: toClient.readable, writable: toAgent.writable}, cwd: temporaryFolder()};
}

/** `acp-tui acp` with the demo agent behind it. */
async function acp(pace: number) {
  vi.stubEnv('ACP_TUI_DEMO_PACE', String(pace));
  vi.stubEnv('XDG_STATE_HOME', temporaryFolder());
  const {cwd} = await openHome();
  return {stream: editorAgent(['--agent', 'demo']).stream, cwd};
}

interface Opened {
  readonly stream: Stream;
  readonly cwd: string;
}

const AGENTS: Readonly<Record<string, (pace: number) => Promise<Opened>>> = {
  'the demo agent': demo,
  'acp-tui acp': acp,
};
const runs = Object.keys(AGENTS).flatMap((agent) => ([1, 2] as const).map((version) => ({agent, version})));

async function open(agent: string, version: Version, pace = 0) {
  const {stream, cwd} = await AGENTS[agent]!(pace);
  const client = rawClient(stream, version);
  const {result: initialized} = await client.initialize();
  const setup = {cwd, mcpServers: []};
  const {result} = await client.request('session/new', setup);
  const {sessionId} = result as {sessionId: string};
  return {...client, initialized, setup, sessionId, prompt: (text: string) => client.prompt(sessionId, text)};
}

describe.each(runs)('$agent in version $version', ({agent, version}) => {
  test('keeps to the schema from the first message to the last', async () => {
    const {initialized, messages, request, prompt, sessionId, setup, said} = await open(agent, version);
    expect(initialized).toMatchObject({protocolVersion: version});
    for (const text of ['/work', '/edit', '/run', '/form', '/markdown', 'hello'])
      expect([text, await prompt(text)]).toEqual([text, expect.objectContaining({stopReason: 'end_turn'})]);
    for (const text of [
      '`acp-tui-demo.md` is written and changed.',
      'The command printed',
      '**decline**',
      'four steps',
    ])
      expect(said()).toContain(text);
    await request('session/set_config_option', {
      sessionId,
      configId: 'model',
      ...(version === 2 && {type: 'id'}),
      value: 'demo-large',
    });
    await request('session/list', {});
    const again = {...setup, sessionId};
    await request('session/resume', version === 2 ? {...again, replayFrom: {type: 'start'}} : again);
    await request('session/close', {sessionId});
    expect(messages.filter(({message}) => 'error' in message)).toEqual([]);
    expect(problemsOf(version, messages)).toEqual([]);
    expect(unknownKinds(version, messages)).toEqual([]);
  });

  test('cancels a turn, and refuses what it does not know', async () => {
    const {messages, notify, request, prompt, sessionId, said} = await open(agent, version, 1);
    const turn = prompt('/slow');
    await expect.poll(said).toContain('1. This');
    await notify('session/cancel', {sessionId});
    expect(await turn).toMatchObject({stopReason: 'cancelled'});
    const unknown = {sessionId: 'none', prompt: [{type: 'text', text: 'hello'}]};
    expect(await request('session/prompt', unknown)).toHaveProperty('error');
    expect(problemsOf(version, messages)).toEqual([]);
    const ofTheOther = version === 1 ? 'auth/login' : 'session/load';
    expect(await request(ofTheOther, {sessionId})).toMatchObject({error: {code: -32601}});
  });
});

test('the demo agent writes and runs itself in version 2, and shows what it did', async () => {
  const {prompt, updates, setup} = await open('the demo agent', 2);
  await prompt('/edit notes.md');
  expect(readFileSync(join(setup.cwd, 'notes.md'), 'utf8')).toContain('four lines');
  await prompt('/run echo one; echo two');
  const of = (kind: string) => updates().filter(({sessionUpdate}) => sessionUpdate === kind);
  const printed = of('terminal_output_chunk').map(({data}) => Buffer.from(String(data), 'base64').toString());
  expect(printed.join('')).toBe('one\ntwo\n');
  expect(of('terminal_update').at(-1)).toMatchObject({exitStatus: {exitCode: 0}});
});
