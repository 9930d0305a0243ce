import type {Connection} from '../../../src/protocol/connection.ts';
import type {LineTransport} from '../program/line-transport.ts';

/** Has an agent at the other end of a transport answer that it speaks version 2. */
export async function initialize2(connection: Connection, transport: LineTransport): Promise<void> {
  const asked = transport.nextSent();
  const initialized = connection.initialize({fs: false, terminal: false, protocolVersion: 2});
  const {id} = JSON.parse(await asked) as {readonly id: unknown};
  const result = {protocolVersion: 2, info: {name: 'hostile', version: '1'}, capabilities: {session: {}}};
  transport.receive(JSON.stringify({jsonrpc: '2.0', id, result}));
  const {ok} = await initialized;
  if (!ok) throw new Error('the agent was not initialized');
}
