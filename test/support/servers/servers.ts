import {readFileSync} from 'node:fs';
import {createServer as createHttp, type IncomingMessage, type RequestListener, type Server} from 'node:http';
import {createServer as createHttps} from 'node:https';
import {connect, type AddressInfo, type Socket} from 'node:net';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';

const fixture = (name: string) => fileURLToPath(new URL(`../../../fixtures/tls/${name}`, import.meta.url));

/** The file of the authority that signed the certificate of `serveTls`. */
export const authority = fixture('ca.pem');

/** Serves on the loopback address until the end of the test; resolves to the URL. */
export async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createHttp(listener))}`;
}

export async function serveTls(listener: RequestListener): Promise<string> {
  const server = createHttps(
    {cert: readFileSync(fixture('server.pem')), key: readFileSync(fixture('server-key.pem'))},
    listener,
  );
  return `https://127.0.0.1:${await listen(server)}`;
}

export interface Proxy {
  readonly port: number;
  /** The requested targets, and the credentials sent. */
  readonly asked: {readonly target: string | undefined; readonly credentials: string | undefined}[];
}

/** A proxy that answers CONNECT as a real one does, or rejects it with a status. */
export async function serveProxy({refuses}: {readonly refuses?: number} = {}): Promise<Proxy> {
  const asked: Proxy['asked'][number][] = [];
  const server = createHttp((_, response) => void response.writeHead(500).end());
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push({target: request.url, credentials: request.headers['proxy-authorization']});
    socket.on('error', () => {});
    if (refuses !== undefined) {
      socket.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  return {port: await listen(server), asked};
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
