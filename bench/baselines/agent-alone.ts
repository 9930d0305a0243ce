import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';

const REQUESTS = [
  ['initialize', {protocolVersion: 1, clientCapabilities: {}}],
  ['session/new', {cwd: process.cwd(), mcpServers: []}],
  ['session/prompt', {sessionId: 'bench', prompt: [{type: 'text', text: 'ping'}]}],
] as const;

/** One prompt from a client without any cost: milliseconds from the agent's start to its exit. */
export async function agentAlone([command = '', ...args]: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command, args, {stdio: ['pipe', 'pipe', 'ignore']});
  const ended = new Promise((resolve) => child.on('close', resolve));
  const answers = createInterface({input: child.stdout});
  for (const [id, [method, params]] of REQUESTS.entries()) {
    child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
    await new Promise<void>((resolve) => {
      answers.on('line', (line) => (JSON.parse(line) as {id?: number}).id === id && resolve());
    });
  }
  child.stdin.end();
  await ended;
  return performance.now() - start;
}
