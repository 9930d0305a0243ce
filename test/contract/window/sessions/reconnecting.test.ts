import {agent, methods} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {serveAgent} from '../../../support/servers/remote-server.ts';
import {openReady} from '../../../support/driver/chat.ts';

/** An agent that keeps its session, and never ends the turn of the first prompt. */
function keptAgent() {
  const {session} = methods.agent;
  return agent({name: 'kept'})
    .onRequest(methods.agent.initialize, () => ({protocolVersion: 1, agentCapabilities: {loadSession: true}}))
    .onRequest(session.new, () => ({sessionId: 's'}))
    .onRequest(session.load, () => ({}))
    .onRequest(session.prompt, async ({params, client}) => {
      const text = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
      await client.notify(methods.client.session.update, {
        sessionId: 's',
        update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: `heard ${text}`}},
      });
      return text === 'first' ? new Promise<never>(() => {}) : {stopReason: 'end_turn'};
    });
}

test.each(['ws', 'http'] as const)('draft and queue outlive a lost connection over %s', async (kind) => {
  const served = await serveAgent(keptAgent());
  const chat = await openReady({agent: served[kind], rows: 40});
  chat.type('first\r');
  await chat.sees('heard first');
  chat.type('second\r');
  await chat.sees('then  second');
  chat.type('my draft');
  await chat.sees('my draft');
  served.cut();
  await chat.hasSeen('Reconnected to the agent.');
  await chat.sees('paused  ');
  const screen = chat.screen();
  expect(screen).toContain('❯ my draft');
  expect(screen).toContain('paused  second');
  expect(screen).toContain('The connection was cut.');
  expect(screen.match(/heard first/g)).toHaveLength(1);
  expect(screen).not.toContain('heard second');
});
