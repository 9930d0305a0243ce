import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

/** A connection through the network between the tests' client and server, which the tests can disturb. */
export interface FaultyNetwork {
  /** The URL with the port of this network. */
  readonly through: (url: string) => string;
  /** Leads later connections to another port of this computer. */
  readonly leadTo: (port: number) => void;
  /** Cuts all connections. */
  readonly cut: () => void;
  /** Passes on half of the next bytes that the server sends, and then cuts everything. */
  readonly halve: () => void;
  /** Drops everything on the current connections, without closing them. */
  readonly stall: () => void;
}

/** Forwards to a port of this computer until the end of the test. */
export async function faultyNetwork(port: number): Promise<FaultyNetwork> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let halves = false;
  let to = port;
  const cut = () => pairs.forEach((pair) => pair.forEach((socket) => socket.destroy()));
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.once('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (halves) client.write(bytes.subarray(0, bytes.length / 2), cut);
      else client.write(bytes);
      halves = false;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    cut();
    server.close();
  });
  const {port: own} = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(`:${port}/`, `:${own}/`),
    leadTo: (other) => void (to = other),
    cut,
    halve: () => {
      halves = true;
    },
    stall() {
      for (const pair of pairs)
        for (const socket of pair) {
          socket.removeAllListeners('data');
          socket.resume();
        }
    },
  };
}
