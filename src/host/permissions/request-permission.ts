import {basename} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {quoteWords} from '../../text/shell-quote.ts';
import {askedEffects} from './asked-effects.ts';
import type {GrantedEffect} from './approvals.ts';
import {type HostContext, interruptsOf, isOver} from '../host-context.ts';
import {judge, type Judgement, type Wish} from './evaluate-policy.ts';
import {onceOf, type Settled, type WaitingRequest, type StandingRequest} from './pending-permissions.ts';
import {record} from './approve.ts';
import {offeredRule} from '../rules/offered-rules.ts';
import type {AskedPermission, DeniedRequest} from '../services.ts';
import {laidOver, toolCallFacts, type AskedCall} from './tool-call-facts.ts';

/**
 * "Requesting Permission". What a person allows covers exactly the writes and the command that the request showed; what the
 * policy allows covers nothing more.
 */
export async function requestPermission(
  context: HostContext,
  asked: AskedPermission,
  withdrawn: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {options, grants, standing} = context;
  const {sessionId, toolCall} = asked.request;
  const {toolCallId} = toolCall;
  const interrupts = interruptsOf(context, withdrawn);
  const of = {sessionId, toolCallId};
  const request = standing.add(of, laidOver(toolCall, options.toolCall(of)));
  const {settled, weighed} = await settle(context, asked, {request, interrupts}).finally(() =>
    standing.remove(request),
  );
  const {wish, judgement, rule, effects} = weighed;
  record(context, {sessionId, ...deniedOf(asked, weighed), wish, judgement, settled, rule});
  if (settled.decision.outcome === 'allowed' && settled.decision.by === 'user')
    for (const effect of effects)
      grants.add({sessionId, effect, always: settled.option?.kind === 'allow_always'});
  return responseOf(settled.option);
}

/** What a request comes to, as it stands at one time. */
interface Weighed {
  readonly call: AskedCall;
  readonly title: string;
  readonly wish: Wish;
  readonly judgement: Judgement;
  /** The rule that it offers. */
  readonly rule: string | undefined;
  /** What a yes to it covers. */
  readonly effects: readonly GrantedEffect[];
}

async function weigh(context: HostContext, {request}: AskedPermission, call: AskedCall): Promise<Weighed> {
  const facts = await toolCallFacts(call, context.roots);
  const {kind, insideRoots, hasCommand, tool, named, alsoNamed, run, alsoRun, changedBy, cwd, title} = facts;
  const namesFile = named.length + alsoNamed.length > 0;
  const wish: Wish = {
    subject: {type: 'permission', kind, insideRoots, hasCommand, namesFile},
    kind,
    tool,
    paths: named,
    alsoNamed,
    command: run,
    alsoRun,
    changedBy,
    cwd,
  };
  const judgement = await judge(context, wish);
  return {
    call,
    title: title || request.toolCall.toolCallId,
    wish,
    judgement,
    rule:
      onceOf(request) &&
      offeredRule(wish, judgement, {cwd: context.roots.cwd, path: context.options.env['PATH']}),
    effects: await askedEffects(context, call),
  };
}

interface Standing {
  readonly request: StandingRequest;
  readonly interrupts: ReturnType<typeof interruptsOf>;
}

/** Decides on a request or asks, and tells what the request was when that happened. */
async function settle(
  context: HostContext,
  asked: AskedPermission,
  {request, interrupts}: Standing,
): Promise<{settled: Settled; weighed: Weighed}> {
  const {desk, standing} = context;
  let weighed = await weigh(context, asked, request.call);
  while (weighed.call !== request.call) weighed = await weigh(context, asked, request.call);
  const {effect, by} = weighed.judgement;
  const {rule, call} = weighed;
  const denied = deniedOf(asked, weighed);
  const once = onceOf(asked.request);
  // The agent may have changed it while it was weighed: what is shown is what was weighed.
  const toolCall = {...asked.request.toolCall, ...call} as acp.ToolCallUpdate;
  const shown = {...asked, request: {...asked.request, toolCall}};
  if (!isOver(interrupts) && effect === 'deny') return {settled: desk.refuse(shown, {by, denied}), weighed};
  if (!isOver(interrupts) && effect === 'allow' && once)
    return {settled: desk.choose(shown, once, by), weighed};
  let latest = Promise.resolve(weighed);
  const settled = await desk.ask(
    {...shown, ...(rule !== undefined && {rule})},
    {
      ...interrupts,
      by,
      denied,
      onAsked(waiting) {
        request.onChange = () => {
          waiting.offer(undefined);
          latest = weighAgain(context, asked, {request, waiting});
        };
      },
      onSettled: () => standing.remove(request),
    },
  );
  return {settled, weighed: await latest};
}

/** A request that the agent changed is judged anew. What would now be allowed goes on asking: the user has it before him. */
async function weighAgain(
  context: HostContext,
  asked: AskedPermission,
  {request, waiting}: {readonly request: StandingRequest; readonly waiting: WaitingRequest},
): Promise<Weighed> {
  const {call} = request;
  const weighed = await weigh(context, asked, call);
  const {judgement, rule} = weighed;
  if (call !== request.call) return weighed;
  if (judgement.effect === 'deny') waiting.refuse(judgement.by);
  else waiting.offer(rule);
  return weighed;
}

function deniedOf({request}: AskedPermission, {title, wish, judgement}: Weighed) {
  return {
    method: 'session/request_permission',
    title: namedBy(title, wish),
    kind: wish.kind,
    toolCallId: request.toolCall.toolCallId,
    allowedBy: onceOf(request) && judgement.remedy,
    rule: judgement.rule,
  } satisfies DeniedRequest;
}

/** A title that does not say which command or file it is about, with that behind it. */
function namedBy(title: string, {command, paths}: Wish): string {
  const run = typeof command === 'string' ? command : command && quoteWords(command);
  const files = paths.map(({named}) => named).filter((path) => !title.includes(basename(path)));
  const subject = run ?? files.join(', ');
  return subject === '' || title.includes(subject) ? title : `${title}: ${subject}`;
}

function responseOf(option: acp.PermissionOption | undefined): acp.RequestPermissionResponse {
  return {outcome: option ? {outcome: 'selected', optionId: option.optionId} : {outcome: 'cancelled'}};
}
