import {Console} from 'node:console';
import {Readable, Writable} from 'node:stream';
import {ndJsonStream} from '@agentclientprotocol/sdk/unstable';
import {connectDemoAgent} from './agent.ts';
import {login, LOGIN} from './sign-in.ts';

if (process.argv.at(-1) === LOGIN) {
  await login();
  process.exit(0);
}
/**
 * The built-in demo agent: a real ACP agent over stdio in its own process, offline and scripted. `ACP_TUI_DEMO_PACE=0` turns off the pauses that make
 * streaming visible.
 */
const pace = Number(process.env['ACP_TUI_DEMO_PACE'] ?? 1);
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const output = Writable.toWeb(process.stdout);

// Standard output belongs to the protocol: console output of libraries goes to standard error.
globalThis.console = new Console(process.stderr);
const options = {pace: Number.isFinite(pace) ? pace : 1};
const connection = connectDemoAgent(ndJsonStream(output, input), options);
await connection.closed;
process.exit(0);
