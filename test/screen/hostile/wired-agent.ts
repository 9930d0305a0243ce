import {readElicitationRequest} from '../../../src/host/elicitation/elicit.ts';
import {connect} from '../../../src/protocol/connect.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {lineTransport} from '../../support/program/line-transport.ts';
import type {Untimed} from '../../support/session/conversation.ts';

export interface WiredAgent {
  /** A line of its standard output; resolves when it has been read. */
  readonly prints: (line: string) => Promise<void>;
  readonly end: () => void;
}

/** An agent whose lines go through the transport, the normalizer and the SDK, and become events. */
export function wireAgent(report: (event: Untimed<SessionEvent>) => void): WiredAgent {
  const transport = lineTransport();
  let asked = 0;
  const connection = connect(
    transport,
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
  return {
    async prints(line) {
      transport.receive(line);
      await transport.drained();
    },
    end: () => connection.close(),
  };
}
