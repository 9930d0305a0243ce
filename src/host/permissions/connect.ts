import type * as acp from '@agentclientprotocol/sdk/unstable';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import type {Connection} from '../services.ts';
import {approve} from './approve.ts';
import {coveredBy} from './session-scope.ts';
import {describeConnection} from './host-questions.ts';

/** Programs open many connections to a host, and again after a refusal: an answer is for all of them. */
const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'allow', name: 'Allow in this turn', kind: 'allow_once'},
  {optionId: 'session', name: 'Allow for this session', kind: 'allow_always'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

/** Returns whether a program in the sandbox may connect to a host. */
export function connect(context: HostContext, {sessionId, host}: Connection): Promise<boolean> {
  return context.answeredHosts.answer(coveredBy(host), async (turnOver) => {
    const shown = describeConnection(host);
    const {refusal, asked} = await approve(
      context,
      {
        sessionId,
        method: 'network',
        title: shown.title,
        subject: {sessionId, access: {type: 'connection', host}, kind: 'fetch', paths: []},
        isCovered: async () => false,
        describe: async () => shown,
        options: OPTIONS,
      },
      requestInterrupts(context, turnOver),
    );
    asked?.report('completed');
    // What was allowed without asking is decided again each time.
    return {isAllowed: !refusal, isKept: refusal !== undefined || asked !== undefined};
  });
}
