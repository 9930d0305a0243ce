import {spawn} from 'node:child_process';
import {Readable, Writable} from 'node:stream';
import {client, ndJsonStream} from '@agentclientprotocol/sdk/unstable';

/** The minimum that a client can do with the SDK: one prompt, its text to standard output. `node minimal-client.ts <prompt> <agent…>` */
const [prompt = 'ping', command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'inherit']});
const stream = ndJsonStream(
  Writable.toWeb(child.stdin),
  Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
);

const app = client().onNotification('session/update', ({params: {update}}) => {
  if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
    process.stdout.write(update.content.text);
  }
});
await app.connectWith(stream, async (agent) => {
  await agent.request('initialize', {protocolVersion: 1, clientCapabilities: {}});
  const {sessionId} = await agent.request('session/new', {cwd: process.cwd(), mcpServers: []});
  await agent.request('session/prompt', {sessionId, prompt: [{type: 'text', text: prompt}]});
});
child.stdin.end();
