import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';
import {openReady, temporaryFolder, untilTurnsEnd} from '../support/driver/chat.ts';
import {ask, say} from './real-agent.ts';
import {LAB} from './lab/folder.ts';
import {freePort} from '../support/servers/free-port.ts';

const script = fileURLToPath(new URL('lab/agent.ts', import.meta.url));

/** Starts `qwen serve` for this folder; resolves when it takes connections. */
async function serveQwen(cwd: string, port: number): Promise<ChildProcess> {
  const words = [script, 'qwen', path.join(cwd, '.home'), '--', 'serve', '--port', String(port)];
  const env = {...process.env, ACP_TUI_LAB: LAB};
  const server = spawn(process.execPath, words, {cwd, env, stdio: ['ignore', 'pipe', 'pipe']});
  onTestFinished(() => void server.kill());
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('/acp WebSocket transport enabled')) server.emit('serves');
    });
  await once(server, 'serves');
  return server;
}

test('a restart of qwen serve during a turn over a WebSocket loses nothing', async () => {
  const cwd = temporaryFolder('qwen-serve');
  const port = await freePort();
  const before = await serveQwen(cwd, port);
  const chat = await openReady({cwd, agent: `ws://127.0.0.1:${port}/acp`, rows: 60});
  await ask(chat, 'say hello', 'Hello from the');
  say(chat, 'slow');
  await chat.sees('Esc', 15);
  before.kill();
  await once(before, 'exit');
  await chat.hasSeen('Lost the connection', 20);
  await serveQwen(cwd, port);
  await chat.hasSeen('Reconnected to the agent.', 60);
  expect(chat.history().match(/Hello from the/g)).toHaveLength(1);
  chat.type('say hello\r');
  await untilTurnsEnd(chat, 3);
});
