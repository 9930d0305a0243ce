import type * as acp from '@agentclientprotocol/sdk/unstable';
import {type HostContext, interruptsOf} from '../host-context.ts';
import type {TargetHost} from '../rules/rule-target.ts';
import type {Connection} from '../services.ts';
import {approve} from './approve.ts';

/** Programs open many connections to a host, and again after a refusal: an answer is for all of them. */
const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'allow', name: 'Allow in this turn', kind: 'allow_once'},
  {optionId: 'session', name: 'Allow for this session', kind: 'allow_always'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

/** Returns whether a program in the sandbox may connect to a host. */
export function connect(context: HostContext, {sessionId, host, port}: Connection): Promise<boolean> {
  return context.answeredHosts.answer(host.name, async (turnOver) => {
    const title = `Connect to ${host.name}:${port}`;
    const {refusal, asked} = await approve(
      context,
      {
        sessionId,
        method: 'network',
        title,
        subject: {sessionId, access: {type: 'connection', host}, kind: 'fetch', paths: []},
        isCovered: async () => false,
        describe: async () => ({title, kind: 'fetch', content: [text(whereItLeads(host))]}),
        options: OPTIONS,
      },
      interruptsOf(context, turnOver),
    );
    asked?.report('completed');
    // What was allowed without asking is decided again each time.
    return {isAllowed: !refusal, isKept: refusal !== undefined || asked !== undefined};
  });
}

function whereItLeads({isPrivate}: TargetHost): string {
  return isPrivate
    ? 'A program in the sandbox wants to reach this computer or its network.'
    : 'A program in the sandbox wants to reach this host.';
}

function text(words: string): acp.ToolCallContent {
  return {type: 'content', content: {type: 'text', text: words}};
}
