import type * as acp from '@agentclientprotocol/sdk/unstable';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import type {Connection} from '../services.ts';
import {approve} from './approve.ts';
import {coveredBy} from './session-scope.ts';
import {evaluatePolicy} from './evaluate-policy.ts';
import {hostWithPort} from '../rules/rule-target.ts';
import {describeConnection} from './host-questions.ts';

/** Programs open many connections to a host, and again after a refusal: an answer is for all of them. */
const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'allow', name: 'Allow in this turn', kind: 'allow_once'},
  {optionId: 'session', name: 'Allow for this session', kind: 'allow_always'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

/** Returns whether a program in the sandbox may connect to a host. */
export async function connect(context: HostContext, {sessionId, host}: Connection): Promise<boolean> {
  const subject = {sessionId, access: {type: 'connection', host}, kind: 'fetch', paths: []} as const;
  // What was answered about a host is no answer to a rule, which may be about one of its ports.
  const policyDecision = await evaluatePolicy(context, subject);
  const {isByRule, by} = policyDecision;
  const about = isByRule ? `${by} ${hostWithPort(host)}` : coveredBy(host);
  return context.answeredHosts.answer(about, async (turnOver) => {
    const shown = describeConnection(host);
    const {refusal, asked} = await approve(
      context,
      {
        sessionId,
        method: 'network',
        title: shown.title,
        subject,
        policyDecision,
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
