import {createServer} from 'node:net';
import {join} from 'node:path';
import {once} from 'node:events';
import {expect, onTestFinished, test} from 'vitest';
import {createMessageConnection, SocketMessageReader, SocketMessageWriter} from 'vscode-jsonrpc/node';
import {takeLock} from '../../../../src/service/lock.ts';
import {messages} from '../../../../src/service/messages.ts';
import {servicePlace} from '../../../../src/service/socket-place.ts';
import {fakeAgent, openChat, temporaryFolder} from '../../../support/driver/chat.ts';
import {conversation, origin, playConversation, storeIn, valueOf} from '../../storage/stores.ts';

/** A service of another version, which has this process. */
async function openService(state: string): Promise<void> {
  const place = valueOf(servicePlace(state));
  takeLock(place.lock);
  const service = createServer((socket) => {
    const connection = createMessageConnection(
      new SocketMessageReader(socket),
      new SocketMessageWriter(socket),
    );
    connection.onRequest(messages.hello, () => ({version: '0.0.1', pid: process.pid}));
    connection.listen();
  }).listen(place.socket);
  onTestFinished(() => void service.close());
  await once(service, 'listening');
}

test('a session of a service of another version is not resumed in a window, and others are', async () => {
  const home = temporaryFolder('home');
  const state = join(home, '.local/state/acp-tui');
  await openService(state);
  const record = () => {
    const recorder = valueOf(storeIn(state).record(origin));
    playConversation(recorder, conversation([['one', 'yes']]));
    return recorder;
  };
  const [running, ended] = [record(), record()];
  onTestFinished(() => running.close());
  ended.close();
  const agent = fakeAgent('echo');
  const refused = openChat({home, agent, args: ['-r', running.id() ?? '']});
  await refused.sees('acp-tui service stop');
  expect(refused.screen()).toContain('It is version 0.0.1');
  expect(await refused.ended()).toBe(1);
  await openChat({home, agent, args: ['-r', ended.id() ?? '']}).sees("can't resume");
});
