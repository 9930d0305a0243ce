import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {HostContext} from './host-context.ts';
import {interruptsOf} from './interrupts.ts';
import {ownRequest} from './own-requests.ts';
import type {UserQuestion} from './services.ts';

/**
 * Asks the user something that is ours and no agent's, with all that protects the prompt of permission requests: no key
 * typed before answers it, and a yes needs all of the text to have been on the screen.
 */
export async function askUser(
  context: HostContext,
  {title, text, yes, no}: UserQuestion,
  sessionId: acp.SessionId,
): Promise<boolean | undefined> {
  const {desk, options} = context;
  if (!options.person) return undefined;
  const sides: acp.PermissionOption[] = [
    {optionId: 'yes', name: yes, kind: 'allow_once'},
    {optionId: 'no', name: no, kind: 'reject_once'},
  ];
  const asked: acp.ToolCallContent = {type: 'content', content: {type: 'text', text}};
  const request = {...ownRequest(sessionId, {title, kind: 'other', content: [asked]}), options: sides};
  const interrupts = interruptsOf(context, new AbortController().signal);
  const settled = await desk.ask(
    {request, asker: 'acp-tui'},
    {
      ...interrupts,
      by: 'acp-tui',
      denied: {method: 'trust', title, allowedBy: undefined},
    },
  );
  const {decision, key} = settled;
  options.onDecision({
    sessionId,
    method: 'trust',
    title,
    kind: 'other',
    outcome: decision.outcome,
    by: decision.by,
    ...(decision.option !== undefined && {option: decision.option}),
    ...(key !== undefined && {key}),
  });
  const {toolCallId} = request.toolCall;
  const isYes = decision.outcome === 'allowed';
  options.onUpdate({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: isYes ? 'completed' : 'failed',
  });
  return decision.outcome === 'cancelled' ? undefined : isYes;
}
