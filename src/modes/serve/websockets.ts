import type {Socket} from 'node:net';
import {DEFAULT_MAX_MESSAGE_BYTES} from '@agentclientprotocol/sdk/unstable';
import type {NodeWebSocketUpgradeServer} from '@agentclientprotocol/sdk/experimental/node';
import {WebSocketServer, type WebSocket} from 'ws';
import {endWhenGone, type WebSocketLimits} from './gone-clients.ts';

/** The WebSocket server, which detects clients that are gone. */
export function upgradeServer(limits: WebSocketLimits): NodeWebSocketUpgradeServer {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: DEFAULT_MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  return {
    on: (event, listener) => void server.on(event, listener),
    off: (event, listener) => void server.off(event, listener),
    handleUpgrade(...[request, socket, head, callback]) {
      server.handleUpgrade(request, socket, head, (client) => {
        endWhenGone(client, {...limits, socket: request.socket});
        writeTogether(client, request.socket);
        callback(client);
      });
    },
  };
}

/** Writes messages that are sent in the same turn of the event loop together: a system call takes longer than all else that is done for a small message. */
function writeTogether(client: WebSocket, socket: Socket): void {
  const send = client.send.bind(client) as (...message: readonly unknown[]) => void;
  let isCorked = false;
  client.send = (...message: readonly unknown[]) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      process.nextTick(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    send(...message);
  };
}
