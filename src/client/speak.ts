import type {AgentProcess} from '../agents/launch.ts';
import {connect} from '../protocol/connect.ts';
import type {Connection} from '../protocol/connection.ts';
import type {Transport} from '../protocol/transport.ts';
import {stdioTransport} from '../protocol/transports/stdio.ts';
import type {ClientContext} from './context.ts';
import {createHandlers} from './handlers.ts';
import type {WireWatch} from './options.ts';
import type {UpdateRouter} from './update-router.ts';

/** Speaks the protocol with an agent that was launched. Brings the SDK with it, so it is loaded when one was. */
export function speak(context: ClientContext, process: AgentProcess, updates: UpdateRouter): Connection {
  const {options, link, wire} = context;
  return connect(paced(stdioTransport(process), wire.pace), createHandlers(context, updates), {
    clientInfo: {name: 'acp-tui', title: 'acp-tui', version: options.version},
    command: options.agent.label,
    onWire(message) {
      wire.onWire?.(message);
      wire.onEvent?.({kind: 'message', pid: process.pid, ...message});
    },
    log: link.log,
  });
}

/** A transport whose lines wait while somebody downstream is slow. */
function paced(transport: Transport, pace: WireWatch['pace']): Transport {
  if (!pace) return transport;
  const gate = new TransformStream<readonly string[], readonly string[]>({
    async transform(lines, controller) {
      controller.enqueue(lines);
      await pace();
    },
  });
  return {...transport, lines: transport.lines.pipeThrough(gate)};
}
