import type * as acp from '@agentclientprotocol/sdk/unstable';
import {denied, refuse} from './answers.ts';
import {formsOfRequest} from './command-forms.ts';
import type {HostContext} from './host-context.ts';
import {commandToAsk, ownRequest, writeToAsk} from './own-requests.ts';
import type {AskOptions} from './permission-desk.ts';
import {decide, lowestLevel, type Subject} from './policy.ts';
import type {Answer, AskedPermission, Refusal} from './services.ts';
import {toolCallFacts} from './tool-call-facts.ts';

/** Ends of a request that are no answer. */
type Interrupts = Pick<AskOptions, 'withdrawn' | 'cancelled'>;

/** "Requesting Permission". What a person allows covers the write or command that follows; what the policy allows does not. */
export async function requestPermission(
  context: HostContext,
  asked: AskedPermission,
  withdrawn: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {options, desk, roots, grants} = context;
  const {request} = asked;
  const {sessionId, toolCall} = request;
  const interrupts = interruptsOf(context, withdrawn);
  const facts = await toolCallFacts(toolCall, options.toolCall(toolCall.toolCallId), roots);
  const subject: Subject = {type: 'permission', kind: facts.kind, insideRoots: facts.insideRoots};
  const {effect, by} = decide(subject, context.level);
  const once = request.options.find(({kind}) => kind === 'allow_once');
  if (effect === 'allow' && once && !isOver(interrupts))
    return responseOf(desk.choose(asked, once, by).option);
  const settled = await desk.ask(asked, {
    ...interrupts,
    by,
    denied: {
      method: 'session/request_permission',
      title: facts.title || toolCall.toolCallId,
      kind: facts.kind,
      toolCallId: toolCall.toolCallId,
      allowedBy: once && lowestLevel(subject),
    },
  });
  if (settled.decision.outcome === 'allowed')
    grants.add({...facts, sessionId, always: settled.option?.kind === 'allow_always'});
  return responseOf(settled.option);
}

function responseOf(option: acp.PermissionOption | undefined): acp.RequestPermissionResponse {
  return {outcome: option ? {outcome: 'selected', optionId: option.optionId} : {outcome: 'cancelled'}};
}

/** `fs/write_text_file`. */
export async function write(
  context: HostContext,
  request: acp.WriteTextFileRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.WriteTextFileResponse>> {
  const {files, grants, roots} = context;
  const {sessionId, content: newText} = request;
  const interrupts = interruptsOf(context, withdrawn);
  const subject: Subject = {type: 'write', insideRoots: true};
  let approved: acp.RequestPermissionRequest | undefined;
  const answer = await files.write(request, async (place) => {
    const {effect, by} = decide(subject, context.level);
    if (effect === 'allow' || grants.takeWrite(sessionId, place.path)) return undefined;
    const oldText = await files.textAt(place);
    const own = ownRequest(sessionId, writeToAsk(place, roots, {oldText, newText}));
    const refusal = await ask(context, own, {
      ...interrupts,
      by,
      denied: {
        method: 'fs/write_text_file',
        title: request.path,
        kind: 'edit',
        allowedBy: lowestLevel(subject),
      },
    });
    if (!refusal) approved = own;
    return refusal;
  });
  if (approved) report(context, approved, answer.ok ? 'completed' : 'failed');
  return answer;
}

/** `terminal/create`. */
export async function createTerminal(
  context: HostContext,
  create: acp.CreateTerminalRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.CreateTerminalResponse>> {
  const {grants, roots, terminals} = context;
  const {sessionId} = create;
  const interrupts = interruptsOf(context, withdrawn);
  const subject: Subject = {type: 'command'};
  let approved: acp.RequestPermissionRequest | undefined;
  const answer = await terminals.create(create, async (command) => {
    const {effect, by} = decide(subject, context.level);
    const {cwd, line} = command;
    if (effect === 'allow' || grants.takeCommand(sessionId, {forms: formsOfRequest(create), cwd}))
      return undefined;
    const request = ownRequest(sessionId, commandToAsk(command, create, roots));
    const refusal = await ask(context, request, {
      ...interrupts,
      by,
      denied: {method: 'terminal/create', title: line, kind: 'execute', allowedBy: lowestLevel(subject)},
    });
    if (!refusal) approved = request;
    return refusal;
  });
  if (approved) void reportCommand(context, approved, answer);
  return answer;
}

/** Asks for something that is the host's own to allow; undefined when it was. */
async function ask(
  context: HostContext,
  request: acp.RequestPermissionRequest,
  how: AskOptions,
): Promise<Refusal | undefined> {
  const cancelled = refuse('cancelled', 'The request was withdrawn, or its turn cancelled.');
  if (isOver(how)) return cancelled;
  const {outcome} = (await context.desk.ask({request}, how)).decision;
  if (outcome === 'allowed') return undefined;
  // What a cancelled turn leaves unfinished is marked by who cancels it.
  if (outcome !== 'cancelled') report(context, request, 'failed');
  if (outcome !== 'rejected') return cancelled;
  return denied(context.options.person ? 'The user refused it.' : refusedUnasked(how));
}

function refusedUnasked({by, denied: {allowedBy}}: AskOptions): string {
  return `${by} does not allow it, and nobody is there to be asked. --approve ${allowedBy} would allow it.`;
}

async function reportCommand(
  context: HostContext,
  request: acp.RequestPermissionRequest,
  answer: Answer<acp.CreateTerminalResponse>,
): Promise<void> {
  if (!answer.ok) return report(context, request, 'failed');
  report(context, request, 'in_progress');
  const exit = await context.terminals.waitForExit(answer.value.terminalId, new AbortController().signal);
  report(context, request, exit.ok && exit.value.exitCode === 0 ? 'completed' : 'failed');
}

/** Tells how a tool call of the host's own went on. */
function report(
  {options}: HostContext,
  {toolCall: {toolCallId}}: acp.RequestPermissionRequest,
  status: acp.ToolCallStatus,
): void {
  options.onUpdate({sessionUpdate: 'tool_call_update', toolCallId, status});
}

/** Taken before anything is awaited, so that a cancel is not missed. */
function interruptsOf({options, cancelling}: HostContext, withdrawn: AbortSignal): Interrupts {
  return {withdrawn, cancelled: options.isCancelling() ? AbortSignal.abort() : cancelling.signal};
}

function isOver({withdrawn, cancelled}: Interrupts): boolean {
  return withdrawn.aborted || cancelled.aborted;
}
