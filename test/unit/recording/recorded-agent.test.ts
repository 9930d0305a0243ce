import {readdirSync, readFileSync} from 'node:fs';
import {setImmediate as settled} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {messageOf, type Message} from '../../../src/recording/exchanges.ts';
import {readRecording, type RecordingLine} from '../../../src/recording/format.ts';
import {createRecordedAgent} from '../../../src/recording/recorded-agent.ts';

const folder = new URL('../../../fixtures/wire/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));

function serve(life: readonly RecordingLine[]) {
  const said: unknown[] = [];
  const receive = createRecordedAgent(life, {
    send: (message) => said.push(message),
    print: (text) => said.push(text),
    stderr: (text) => said.push(`stderr ${text}`),
    exit: (code) => said.push(`exit ${code}`),
    pause: () => undefined,
  });
  const hear = async (...messages: readonly Message[]) => {
    for (const message of messages) receive(message);
    await settled();
    return said;
  };
  return {said, hear};
}

describe.each(files)('%s', (file) => {
  const {lines} = readRecording(readFileSync(new URL(file, folder), 'utf8'));
  const fromAgent = lines.flatMap((line) => (line.d === '<' ? [messageOf(line)] : []));

  test('a client that sends the same, with other IDs, gets the same in the same order', async () => {
    const {hear, said} = serve(lines);
    for (const line of lines) {
      const message = messageOf(line);
      if (line.d !== '>' || !message) continue;
      const isRequest = 'id' in message && 'method' in message;
      await hear(isRequest ? {...message, id: `mine ${String(message['id'])}`} : message);
    }
    const expected = fromAgent.map((message) =>
      message && 'method' in message
        ? message
        : Object.assign({}, message, {id: `mine ${String(message?.['id'])}`}),
    );
    expect(said).toEqual(expected);
  });
});

const to = (m: Message): RecordingLine => ({t: 0, d: '>', m});
const from = (m: Message): RecordingLine => ({t: 0, d: '<', m});

describe('what was recorded after a message of the client', () => {
  const life = [
    to({id: 1, method: 'session/prompt'}),
    from({id: 'p', method: 'session/request_permission'}),
    to({id: 'p', result: 'yes'}),
    from({method: 'done'}),
    from({id: 1, result: {}}),
  ];

  test('waits for it', async () => {
    const {hear} = serve(life);
    expect(await hear()).toEqual([]);
    expect(await hear({id: 7, method: 'session/prompt'})).toEqual([
      {id: 'p', method: 'session/request_permission'},
    ]);
    expect(await hear({id: 'p', result: 'no'})).toHaveLength(3);
  });
});

test('terminals have the IDs that the client gives them', async () => {
  const {hear} = serve([
    from({id: 1, method: 'terminal/create'}),
    to({id: 1, result: {terminalId: 'old'}}),
    from({method: 'x', params: {content: [{terminalId: 'old'}], other: 'old'}}),
  ]);
  expect((await hear({id: 1, result: {terminalId: 'new'}})).at(-1)).toEqual({
    method: 'x',
    params: {content: [{terminalId: 'new'}], other: 'old'},
  });
});

describe('a request', () => {
  const life = [
    to({id: 1, method: 'a'}),
    from({id: 1, result: 'of a'}),
    to({id: 2, method: 'b'}),
    from({id: 2, result: 'of b'}),
  ];

  test('that was recorded later skips what came before, which is answered when it arrives', async () => {
    const {hear} = serve(life);
    expect(await hear({id: 5, method: 'b'})).toEqual([{id: 5, result: 'of b'}]);
    expect(await hear({id: 6, method: 'a'})).toEqual([
      {id: 5, result: 'of b'},
      {id: 6, result: 'of a'},
    ]);
  });

  test('that was never recorded, or not so often, is an error that says so', async () => {
    const {hear} = serve(life);
    const said = await hear({id: 1, method: 'c'}, {id: 2, method: 'a'}, {id: 3, method: 'a'});
    expect(said).toEqual([
      {jsonrpc: '2.0', id: 1, error: {code: -32601, message: 'The recording has no c.'}},
      {
        jsonrpc: '2.0',
        id: 3,
        error: {code: -32603, message: 'The recording has a only once, and none is left.'},
      },
      {id: 2, result: 'of a'},
    ]);
  });
});

test("output, stderr and the agent's own exit are played, an exit requested by the client is not", async () => {
  const life = (asked: boolean): RecordingLine[] => [
    {t: 0, d: '<', text: 'Welcome'},
    {t: 0, d: '!', text: 'oops'},
    {t: 0, d: '#', e: 'exit', code: 7, signal: null, asked},
  ];
  expect(await serve(life(false)).hear()).toEqual(['Welcome', 'stderr oops', 'exit 7']);
  expect(await serve(life(true)).hear()).toEqual(['Welcome', 'stderr oops']);
});
