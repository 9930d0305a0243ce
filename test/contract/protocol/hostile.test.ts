import {describe, expect, test} from 'vitest';
import {connectFake, openFake, textOf} from './connect-fake.ts';

const offer = {fs: true, terminal: true};
const endTurn = {ok: true, value: {stopReason: 'end_turn'}};

describe('at the start', () => {
  test('a banner and log lines on stdout are ignored and not answered', async () => {
    const {prompt, said, wire, log} = await openFake(['banner']);
    expect(await prompt('hello there')).toMatchObject(endTurn);
    expect(said()).toBe('hello there');
    expect(log.join('\n')).toContain('Fake agent 1.0.0');
    expect(
      wire.filter(({direction}) => direction === 'to_agent').map(({line}) => JSON.parse(line).id),
    ).toEqual([0, 1, 2]);
    expect(wire.map(({line}) => line)).toContain('[debug] session ready');
  });

  test('a program that prints its usage is not an ACP agent', async () => {
    const {connection} = await connectFake(['not-acp']);
    expect(await connection.initialize(offer)).toEqual({
      ok: false,
      failure: {kind: 'not_acp', command: 'fake', sample: 'usage: frobnicate [options] <file>'},
    });
  });

  test('a program that echoes is not an ACP agent', async () => {
    const {connection} = await connectFake(['cat']);
    expect(await connection.initialize(offer)).toMatchObject({failure: {kind: 'not_acp'}});
  });

  test('an agent that exits before it answers is lost', async () => {
    const {connection, process} = await connectFake(['exits-early']);
    expect(await connection.initialize(offer)).toMatchObject({failure: {kind: 'connection_lost'}});
    expect(await connection.closed).toMatchObject({kind: 'connection_lost'});
    expect(await process.exited).toEqual({code: 3, signal: null});
    expect(process.stderrTail()).toContain('FAKE_API_KEY is not set');
  });

  test('another protocol version is a failure with both versions', async () => {
    const {connection} = await connectFake(['version-2']);
    expect(await connection.initialize(offer)).toEqual({
      ok: false,
      failure: {kind: 'protocol_version', ours: 1, theirs: 2},
    });
  });

  test('the output of a silent program is known', async () => {
    const {connection, log} = await connectFake(['banner']);
    await expect.poll(() => log).not.toEqual([]);
    expect(connection.nonProtocolOutput()).toBe('Fake agent 1.0.0');
    await connection.initialize(offer);
    expect(connection.nonProtocolOutput()).toBeUndefined();
  });
});

describe('during a turn', () => {
  test('100,000 updates arrive whole, in order, before the response', async () => {
    const {prompt, updates} = await openFake(['flood', '100000']);
    expect(await prompt('go')).toMatchObject(endTurn);
    expect(updates).toHaveLength(100_000);
    const outOfPlace = updates.findIndex((update, index) => textOf([update]) !== `${index} `);
    expect(outOfPlace).toBe(-1);
  });

  test('an agent that crashes keeps what it sent', async () => {
    const {prompt, connection, updates, process} = await openFake(['crash']);
    expect(await prompt('go')).toMatchObject({ok: false, failure: {kind: 'connection_lost'}});
    expect(updates.map(({sessionUpdate}) => sessionUpdate)).toEqual(['agent_message_chunk', 'tool_call']);
    expect(await connection.closed).toMatchObject({kind: 'connection_lost'});
    await process.exited;
    expect(process.stderrTail()).toBe('fake-agent: out of cheese\n');
    expect(await connection.setMode('session-1', 'x')).toMatchObject({failure: {kind: 'connection_lost'}});
  });

  test('an agent that is killed is lost', async () => {
    const {prompt, process} = await openFake(['crash', 'SIGKILL']);
    expect(await prompt('go')).toMatchObject({failure: {kind: 'connection_lost'}});
    expect(await process.exited).toEqual({code: null, signal: 'SIGKILL'});
  });

  test('half a message before the output closes is ignored', async () => {
    const {prompt, said} = await openFake(['closes-output']);
    expect(await prompt('go')).toMatchObject({failure: {kind: 'connection_lost'}});
    expect(said()).toBe('half a ');
  });

  test('a line over 32 MiB ends the connection and keeps what came before', async () => {
    const {prompt, said, connection} = await openFake(['huge']);
    const failure = {kind: 'message_too_large', limitBytes: 32 * 1024 * 1024};
    expect(await prompt('go')).toEqual({ok: false, failure});
    expect(said()).toBe('before');
    expect(await connection.closed).toEqual(failure);
  });

  test('a line just under 32 MiB is a normal message', async () => {
    const size = 32 * 1024 * 1024 - 1000;
    const {prompt, said} = await openFake(['huge', String(size)]);
    expect(await prompt('go')).toMatchObject(endTurn);
    expect(said()).toHaveLength('before'.length + size);
  });

  test('broken lines do not affect the valid ones', async () => {
    const {prompt, updates, wire} = await openFake(['malformed']);
    expect(await prompt('go')).toMatchObject(endTurn);
    expect(textOf(updates)).toBe('first sécond 🙂 third');
    const answers = wire
      .filter(({direction}) => direction === 'to_agent')
      .map(({line}) => JSON.parse(line))
      .filter(({error}) => error);
    expect(answers.map(({id, error}) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32600],
    ]);
  });

  test('unknown requests get an error, unknown updates are kept', async () => {
    const {prompt, updates, said, log} = await openFake(['unknowns']);
    expect(await prompt('go')).toMatchObject(endTurn);
    expect(said()).toBe('_fake/ask: -32601\nfake/ask_without_underscore: -32601\nsession/fly: -32601\n');
    expect(updates.slice(0, 4)).toMatchObject([
      {sessionUpdate: '_unknown', kind: 'hologram', json: expect.stringContaining('"wave"')},
      {sessionUpdate: 'tool_call', toolCallId: 'u-1', kind: 'other', status: 'in_progress'},
      {sessionUpdate: '_unknown', kind: 'agent_message_chunk', json: expect.stringContaining('hologram')},
      {sessionUpdate: '_unknown', kind: 'none', json: '{"content":"no kind at all"}'},
    ]);
    expect(log).toContain('ignored a notification: _fake/notice');
    expect(log).toContain('ignored a notification: fake/notice_without_underscore');
  });

  test('unexpected and duplicate responses and late updates are tolerated, in order', async () => {
    const {prompt, updates} = await openFake(['disorder']);
    expect(await prompt('go')).toMatchObject(endTurn);
    const beforeAnswer = updates.length;
    expect(textOf(updates)).toBe('before the turn\nin the turn\n');
    expect(beforeAnswer).toBe(3);
    await expect.poll(() => textOf(updates)).toContain('after the turn\n');
  });

  test('a turn that never ends ends with the connection', async () => {
    const {prompt, connection, updates} = await openFake(['hangs']);
    const turn = prompt('go');
    await expect.poll(() => updates).toHaveLength(1);
    connection.close();
    expect(await turn).toMatchObject({failure: {kind: 'connection_lost'}});
    expect(await connection.closed).toBeUndefined();
  });

  test('updates after a cancellation still arrive before the response', async () => {
    const {prompt, connection, session, said, updates} = await openFake(['ignores-cancel', '3']);
    const turn = prompt('go');
    await expect.poll(() => updates).toHaveLength(1);
    connection.cancel(session.sessionId);
    expect(await turn).toMatchObject(endTurn);
    expect(said()).toBe('started more 0 more 1 more 2 ');
  });
});

describe('a request of the agent', () => {
  test.each(['now', 'later'])(
    'that it cancels %s aborts the handler and is answered with -32800',
    async (when) => {
      let aborted = false;
      const {prompt, said, connection, session} = await openFake(['withdraws', when], {
        requestPermission: (_, signal) => {
          if (when === 'later') connection.cancel(session.sessionId);
          return new Promise(() => signal.addEventListener('abort', () => (aborted = true)));
        },
      });
      expect(await prompt('go')).toMatchObject({ok: true});
      expect(said()).toContain('"code":-32800');
      expect(aborted).toBe(true);
    },
  );

  test('without a handler is answered with -32601', async () => {
    const {prompt, said} = await openFake(['fs']);
    await prompt('read a.txt');
    expect(JSON.parse(said())).toMatchObject({code: -32601});
  });

  test('with invalid parameters is answered with -32602', async () => {
    const {prompt, said} = await openFake(['fs'], {readTextFile: async () => ({content: 'never'})});
    await prompt('read a.txt 1.5');
    expect(JSON.parse(said())).toMatchObject({code: -32602});
  });
});

test('the wire is tapped in both directions before corrections', async () => {
  const {prompt, wire} = await openFake([
    'updates',
    '[{"sessionUpdate":"current_mode_update","modeId":"ask"}]',
  ]);
  await prompt('hi');
  const lines = wire.map(({direction, line}) => `${direction}: ${line}`);
  expect(lines[0]).toMatch(/^to_agent: {"jsonrpc":"2.0","id":0,"method":"initialize"/);
  expect(lines).toContain(
    'from_agent: {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","update":{"sessionUpdate":"current_mode_update","modeId":"ask"}}}',
  );
});
