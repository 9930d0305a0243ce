import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {agent, methods, type AgentApp, type AgentContext} from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {failureSentence} from '../../../src/shared/failure-messages.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {idle, notices} from '../conversation/open-conversation.ts';
import {faultyNetwork} from './faulty-network.ts';
import {openRemote, scriptedBridge} from './open-remote.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {serveAgent} from '../../support/servers/remote-server.ts';

const {initialize, session} = methods.agent;

interface Server {
  readonly app: AgentApp;
  /** How often each method was called. */
  readonly calls: string[];
}

/** An agent that keeps its session across connections and runs `turn` in a turn, then waits forever unless that returns a stop reason. */
function keptAgent(
  capabilities: object,
  turn: (client: AgentContext, sessionId: string) => Promise<'end_turn' | undefined>,
): Server {
  const calls: string[] = [];
  const reported: string[] = [];
  const say = (client: AgentContext, sessionId: string, text: string) =>
    client.notify(methods.client.session.update, {
      sessionId,
      update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
    });
  const app = agent({name: 'kept'})
    .onRequest(initialize, () => ({protocolVersion: 1, agentCapabilities: capabilities}))
    .onRequest(session.new, () => {
      calls.push('new');
      return {sessionId: 's'};
    })
    .onRequest(session.load, async ({client}) => {
      calls.push('load');
      for (const text of reported) await say(client, 's', text);
      return {};
    })
    .onRequest(session.resume, () => {
      calls.push('resume');
      return {};
    })
    .onRequest(session.prompt, async ({client, params}) => {
      const text = params.prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
      calls.push(`prompt ${text}`);
      reported.push(`heard ${text}`);
      await say(client, 's', `heard ${text}`);
      const ended = text === 'again' ? 'end_turn' : await turn(client, 's');
      return ended ? {stopReason: ended} : new Promise<never>(() => {});
    });
  return {app, calls};
}

const isReady = ({connection}: SessionState) => connection.kind === 'ready';
const isBack = (state: SessionState) =>
  isReady(state) && notices(state).includes('Reconnected to the agent.');
const shown = (state: SessionState) => JSON.stringify(state.entries);

describe.each(['ws', 'http'] as const)('a connection over %s that is lost', (kind) => {
  test('during a stream is restored with the session loaded, and the prompt is reported as interrupted', async () => {
    const {app, calls} = keptAgent({loadSession: true}, async () => undefined);
    const served = await serveAgent(app);
    const {prompt, until} = await openRemote(served[kind]);
    prompt('one');
    await until((state) => shown(state).includes('heard one'), 'the beginning of the answer');
    served.cut();
    const lost = await until(({lastTurn}) => lastTurn !== undefined, 'the end of the turn');
    const outcome = lost.lastTurn?.outcome;
    expect(outcome).toMatchObject({kind: 'failed', failure: {kind: 'connection_lost', reconnects: true}});
    expect(outcome?.kind === 'failed' && failureSentence(outcome.failure)).toMatch(
      /Lost the connection.*Reconnecting/,
    );
    const back = await until(isBack, 'the reconnection');
    expect(calls).toEqual(['new', 'prompt one', 'load']);
    expect(shown(back)).toContain('heard one');
    expect(notices(back).filter((text) => text.includes('Reconnected'))).toHaveLength(1);
    prompt('again');
    await until((state) => shown(state).includes('heard again') && idle(state), 'the next turn');
  });

  test('while a permission request waits cancels the request', async () => {
    const {app} = keptAgent({sessionCapabilities: {resume: {}}}, async (client, sessionId) => {
      void client
        .request(methods.client.session.requestPermission, {
          sessionId,
          toolCall: {toolCallId: 't', title: 'write it', status: 'pending'},
          options: [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}],
        })
        .catch(() => {});
      return undefined;
    });
    const served = await serveAgent(app);
    const {prompt, until} = await openRemote(served[kind]);
    prompt('one');
    await until(({pending}) => pending.length === 1, 'the permission');
    served.cut();
    const back = await until(isBack, 'the reconnection');
    expect(back.pending).toEqual([]);
  });

  test('during a tool call ends that call, and resumes the session if it cannot be loaded', async () => {
    const {app, calls} = keptAgent({sessionCapabilities: {resume: {}}}, async (client, sessionId) => {
      await client.notify(methods.client.session.update, {
        sessionId,
        update: {sessionUpdate: 'tool_call', toolCallId: 't', title: 'work', status: 'in_progress'},
      });
      return undefined;
    });
    const served = await serveAgent(app);
    const {prompt, until} = await openRemote(served[kind]);
    prompt('one');
    await until(({entries}) => entries.some(({type}) => type === 'tool_call'), 'the tool call');
    served.cut();
    const back = await until(isBack, 'the reconnection');
    expect(calls).toEqual(['new', 'prompt one', 'resume']);
    expect(shown(back)).not.toContain('in_progress');
    expect(shown(back)).toContain('heard one');
  });

  test('and rejected on reconnection is reported at once', async () => {
    let status: number | undefined;
    const {app} = keptAgent({loadSession: true}, async () => undefined);
    const served = await serveAgent(app, {refuse: () => status});
    const {until} = await openRemote(served[kind]);
    status = 401;
    served.cut();
    const {connection} = await until((state) => state.connection.kind === 'failed', 'the failure');
    expect(connection).toMatchObject({failure: {kind: 'remote', reason: 'status', detail: '401'}});
  });

  test.each([503, 406])('is retried as long as the server is away or answers %i', async (away) => {
    let status: number | undefined;
    let refused = 0;
    const {app, calls} = keptAgent({loadSession: true}, async () => 'end_turn');
    const served = await serveAgent(app, {
      refuse: () => {
        if (status !== undefined && ++refused === 2) status = undefined;
        return status;
      },
    });
    const {until, prompt} = await openRemote(served[kind]);
    prompt('one');
    await until(idle, 'the end of the turn');
    status = away;
    served.cut();
    const isRepeated = ({connection}: SessionState) =>
      connection.kind === 'starting' && connection.attempt === 2;
    await until(isRepeated, 'the second attempt');
    await until(isBack, 'the reconnection');
    expect(calls).toEqual(['new', 'prompt one', 'load']);
  });

  test('is retried when the agent does not answer', async () => {
    const {app, calls} = keptAgent({loadSession: true}, async () => 'end_turn');
    const served = await serveAgent(app);
    const network = await faultyNetwork(served.port);
    const {until, prompt} = await openRemote(network.through(served[kind]), {}, {startSeconds: 1});
    prompt('one');
    await until(idle, 'the end of the turn');
    const silent = await serveAgent(scriptedBridge('silent'));
    network.leadTo(silent.port);
    network.cut();
    await until(
      ({connection}) => connection.kind === 'starting' && connection.attempt === 2,
      'another attempt',
    );
    network.leadTo(served.port);
    await until(isBack, 'the reconnection');
    expect(calls).toEqual(['new', 'prompt one', 'load']);
  });

  test.each<[name: string, times: number, isReached: (keys: string, state: SessionState) => boolean]>([
    ['lose', 2, (keys) => existsSync(keys)],
    ['late', 1, (_, {live}) => live?.work !== undefined],
  ])(
    'before anything is heard of a prompt of version 2, sends that again: %s',
    async (name, times, isReached) => {
      const keys = join(temporaryFolder(), 'keys');
      const served = await serveAgent(scriptedBridge('newer', keys));
      const offer = {fs: false, terminal: false, protocolVersion: 2} as const;
      const {conversation, state, until, sent} = await openRemote(served[kind], {}, {offer});
      const submit = (text: string) =>
        conversation.changeQueue({
          kind: 'submit',
          prompt: {text, content: [{type: 'text', text}]},
          place: 'last',
        });
      await submit('hello');
      await until((state) => shown(state).includes('hello') && idle(state), 'the first turn');
      await submit(name);
      const prompts = () => sent().filter(({method}) => method === 'session/prompt');
      await expect.poll(() => isReached(keys, state())).toBe(true);
      served.cut();
      const back = await until(
        (state) => isBack(state) && idle(state) && (times === 1 || state.lastTurn?.turn === 3),
        'the end',
      );
      const [first, ...again] = prompts()
        .slice(1)
        .map(({params}) => params?.['idempotencyKey']);
      expect(again).toEqual(times === 1 ? [] : [first]);
      expect(back.entries.filter(({type}) => type === 'user_message')).toHaveLength(2);
    },
  );

  test('is given up by the user', async () => {
    const {app} = keptAgent({loadSession: true}, async () => undefined);
    const served = await serveAgent(app);
    const {conversation, until} = await openRemote(served[kind]);
    await served.end();
    await until(({connection}) => connection.kind === 'starting', 'the attempts');
    conversation.cancel();
    const {connection} = await until((state) => state.connection.kind === 'lost', 'the end of the attempts');
    expect(connection).toMatchObject({failure: {kind: 'connection_lost'}});
  });

  test('is given up by the user while the agent does not answer', async () => {
    const {app} = keptAgent({loadSession: true}, async () => undefined);
    const served = await serveAgent(app);
    const network = await faultyNetwork(served.port);
    const {conversation, until} = await openRemote(network.through(served[kind]));
    const silent = await serveAgent(scriptedBridge('silent'));
    network.leadTo(silent.port);
    network.cut();
    const isAsked = ({connection}: SessionState) =>
      connection.kind === 'starting' && connection.step === 'initializing';
    await until(isAsked, 'the request to the agent');
    conversation.cancel();
    const {connection} = await until(
      (state) => state.connection.kind === 'failed',
      'the end of the attempts',
    );
    expect(connection).toMatchObject({failure: {kind: 'no_answer'}});
  });
});

test('a connection over http that is accepted again, but not its session, is reported at once', async () => {
  let refuses = false;
  const {app} = keptAgent({loadSession: true}, async () => 'end_turn');
  const served = await serveAgent(app, {
    refuse: ({headers}) => (refuses && headers['acp-connection-id'] !== undefined ? 403 : undefined),
  });
  const {until, prompt} = await openRemote(served.http);
  prompt('one');
  await until(idle, 'the end of the turn');
  refuses = true;
  served.cut();
  const {connection} = await until((state) => state.connection.kind === 'failed', 'the failure');
  expect(connection).toMatchObject({failure: {kind: 'connection_lost', status: 403}});
  expect(connection.kind === 'failed' && failureSentence(connection.failure)).toMatch(
    /The server answered 403.*Check the token.*start a new one/,
  );
});

test('an event stream over http that ends during a turn counts as a lost connection', async () => {
  const {app, calls} = keptAgent({loadSession: true}, async () => undefined);
  const served = await serveAgent(app);
  const {prompt, until} = await openRemote(served.http);
  prompt('one');
  await until((state) => shown(state).includes('heard one'), 'the beginning of the answer');
  served.endStreams();
  const {lastTurn} = await until((state) => state.lastTurn !== undefined, 'the end of the turn');
  expect(lastTurn?.outcome).toMatchObject({
    kind: 'failed',
    failure: {kind: 'connection_lost', reconnects: true},
  });
  await until(isBack, 'the reconnection');
  expect(calls).toEqual(['new', 'prompt one', 'load']);
});
