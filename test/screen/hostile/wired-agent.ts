import {setImmediate} from 'node:timers/promises';
import {readElicitationRequest} from '../../../src/host/elicitation/elicit.ts';
import type {SchemaVersion} from '../../support/hostile/from-schema.ts';
import {connect} from '../../../src/protocol/connect.ts';
import {v2Transport} from '../../../src/protocol/v2/v2-transport.ts';
import {initialize2} from '../../support/hostile/initialize-2.ts';
import {lineTransport} from '../../support/program/line-transport.ts';
import type {UntimedEvent} from '../../support/session/build.ts';

export interface WiredAgent {
  /** A line of its standard output; resolves when it has been read. */
  readonly prints: (line: string) => Promise<void>;
  readonly end: () => void;
}

/** An agent whose lines go through the transport, the normalizer and the SDK, and become events. */
export async function wireAgent(
  report: (event: UntimedEvent) => void,
  version: SchemaVersion,
): Promise<WiredAgent> {
  const transport = lineTransport();
  let asked = 0;
  const connection = connect(
    version === 2 ? v2Transport(transport) : transport,
    {
      sessionUpdate: (_, update) => report({type: 'session_update', update}),
      requestPermission(permission) {
        report({type: 'permission_requested', id: `asked-${asked++}`, ...permission});
        return new Promise(() => {});
      },
      createElicitation(request) {
        const read = readElicitationRequest(request);
        if (typeof read !== 'string')
          report({type: 'elicitation_requested', id: `asked-${asked++}`, asked: read});
        return new Promise(() => {});
      },
    },
    {clientInfo: {name: 'test', version: '0'}},
  );
  if (version === 2) await initialize2(connection, transport);
  return {
    async prints(line) {
      transport.receive(line);
      await transport.drained();
      // What was translated is read in a later turn of the event loop.
      await setImmediate();
    },
    end: () => connection.close(),
  };
}
