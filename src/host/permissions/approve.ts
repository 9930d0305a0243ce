import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DecisionRecord} from '../../session/requests/permission-rules.ts';
import {type HostContext} from '../host-context.ts';
import {offeredRule} from '../rules/offered-rules.ts';
import type {OfferedAnswers} from '../../session/state.ts';
import {
  deny,
  refuse,
  type HostResponse,
  type CallOfSession,
  type DeniedRequest,
  type PermissionPrompt,
  type Refusal,
} from '../services.ts';
import {commandLine} from '../terminals/command.ts';
import type {DoneEffect, NamedEffect} from './effect-entries.ts';
import {evaluatePolicy, type PolicyDecision} from './evaluate-policy.ts';
import {coverageOf, sessionScope} from './session-scope.ts';
import type {PermissionSubject} from './subject.ts';
import {hostPermissionRequest} from './host-questions.ts';
import type {Result} from '../../shared/failure.ts';
import {isAskedAgain, notTaken, type PermissionResult} from './pending-permissions.ts';
import {type Interrupts, isInterrupted} from '../interrupts.ts';
import {hostToolCallId, type ToolCallDescription} from './tool-call-facts.ts';

/** An operation that the host itself asks permission for. */
export interface HostRequest {
  readonly sessionId: acp.SessionId;
  readonly method: string;
  readonly title: string;
  readonly subject: PermissionSubject;
  /** If it was decided before. */
  readonly policyDecision?: PolicyDecision;
  /** True if an earlier answer covers it, which is used up by that. */
  readonly isCovered: () => Promise<boolean>;
  /** What a call of the agent must contain to be the one that is asked about. */
  readonly shownAs?: (() => NamedEffect['shownAs']) | undefined;
  /** What is shown when the user is asked. */
  readonly describe: () => Promise<ToolCallDescription>;
  /** Returns what it is with another content or command of the user's; absent if that cannot be changed. */
  readonly edit?: ((text: string) => Promise<HostResponse<EditedRequest>>) | undefined;
  /** The custom command that runs it. */
  readonly calledBy?: string | undefined;
  /** Allow and reject by default. */
  readonly options?: acp.PermissionOption[];
}

export interface EditedRequest extends Pick<HostRequest, 'title' | 'subject' | 'describe'> {
  /** Called before it is allowed, or asked about again. */
  readonly take: () => void;
}

export interface Approval {
  /** Set if it was allowed without asking: what allowed it, and how it would have been shown. */
  readonly unasked?: Pick<DoneEffect, 'sessionId' | 'decision' | 'toolCall'>;
  readonly refusal?: Refusal;
  /** The tool call shown to the user, of which the outcome must be reported: acp-tui's own, or the agent's. */
  readonly asked?: Pick<DoneEffect, 'sessionId' | 'card' | 'call' | 'toolCall'> & {
    readonly report: (status: acp.ToolCallStatus) => void;
  };
}

/** Decides by policy, and asks the user if nothing decides. */
export async function approve(
  context: HostContext,
  own: HostRequest,
  interrupts: Interrupts,
): Promise<Approval> {
  const {sessionId, method, title, subject} = own;
  const policyDecision = own.policyDecision ?? (await evaluatePolicy(context, subject));
  const {effect, by} = policyDecision;
  const decided = {sessionId, method, title, kind: subject.kind, subject, policyDecision};
  const cancelled = refuse('cancelled', 'The request was withdrawn, or its turn cancelled.');
  if (isInterrupted(interrupts) && isStillToDo(subject)) return {refusal: cancelled};
  if (effect === 'allow' || (effect === 'ask' && (await own.isCovered()))) {
    const decision = allowedUnasked(effect === 'allow' ? by : 'an earlier answer');
    // Reads need no permission unless a rule applies.
    if (subject.access.type !== 'read' || policyDecision.isByRule)
      record(context, {...decided, settled: {decision}});
    if (subject.access.type === 'read') return {};
    return {unasked: {sessionId, decision, toolCall: await own.describe()}};
  }
  const shownAs = own.shownAs?.();
  const call = shownAs && context.effects.takeCall({sessionId, shownAs});
  const {toolCallId = hostToolCallId()} = call ?? {};
  const shown = {...decided, offered: ruleFor(context, decided), described: await own.describe()};
  if (isInterrupted(interrupts)) return {refusal: cancelled};
  const {settled, described, ...latest} = await askAbout(context, own, {toolCallId, interrupts, shown});
  record(context, {...latest, settled, rule: latest.offered.rule});
  allowForSession(context, {sessionId, toolCallId}, {subject: latest.subject, settled, diffed: []});
  const {outcome} = settled.decision;
  // How its own call ends is the agent's to say.
  const report = call ? () => undefined : reporter(context, {sessionId, toolCallId});
  const of = call ? {call} : {card: toolCallId};
  if (outcome === 'allowed') return {asked: {sessionId, report, toolCall: described, ...of}};
  // The caller that cancels a turn marks what stays unfinished.
  if (outcome !== 'cancelled') report('failed');
  return {refusal: outcome === 'rejected' ? deny(whyRefused(settled, latest.policyDecision)) : cancelled};
}

/** True for a command or a change that nothing may allow once the turn is cancelled. */
function isStillToDo({access}: PermissionSubject): boolean {
  return access.type === 'command' || (access.type === 'write' && access.isDone !== true);
}

/** What is decided about, as it is shown. */
interface ShownRequest extends Omit<Decided, 'settled' | 'rule'> {
  readonly offered: OfferedAnswers;
  readonly described: ToolCallDescription;
}

interface Asking {
  /** Of acp-tui's own call, or of the agent's. */
  readonly toolCallId: acp.ToolCallId;
  readonly interrupts: Interrupts;
  readonly shown: ShownRequest;
}

/** Asks the user. What the user makes of it is decided like a new request: it is refused, allowed, or asked about again if more than the level requires it. */
async function askAbout(
  context: HostContext,
  own: HostRequest,
  asking: Asking,
): Promise<ShownRequest & {readonly settled: PermissionResult}> {
  const {toolCallId, interrupts, shown} = asking;
  const {sessionId} = own;
  let latest = shown;
  // What is approved is what its call shows then.
  const showEdited = () =>
    context.options.onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, ...latest.described});
  async function onEdited(text: string): Promise<Result<'allow_once' | 'asked_again'>> {
    const edited = await own.edit?.(text);
    if (!edited?.ok) return notTaken(edited?.message);
    const {subject, describe, take} = edited.value;
    const policyDecision = await evaluatePolicy(context, subject);
    const {effect, by, rule: askedBy} = policyDecision;
    if (effect === 'deny') return notTaken(`Refused by ${by}.`);
    const described = await describe();
    if (isInterrupted(interrupts)) return notTaken();
    take();
    const title = `${edited.value.title}, changed by you`;
    const offered = ruleFor(context, {subject, policyDecision});
    latest = {...latest, title, subject, policyDecision, offered, described};
    if (effect === 'ask' && askedBy !== undefined) return {ok: true, value: 'asked_again'};
    showEdited();
    return {ok: true, value: 'allow_once'};
  }
  const {effect, by} = shown.policyDecision;
  const request = hostPermissionRequest(sessionId, shown.described, {options: own.options, toolCallId});
  const denied = deniedOf(shown);
  const covered = coverageOf(shown.subject, request.options, {diffed: [], cwd: context.roots.cwd});
  const settled =
    effect === 'deny'
      ? context.pendingPermissions.refuse({request, isOfHost: true}, {by, denied})
      : await context.pendingPermissions.ask(promptOf(own, request, {...shown.offered, ...covered}), {
          ...interrupts,
          by,
          denied,
          onEdited: own.edit && onEdited,
        });
  if (!isAskedAgain(settled)) return {...latest, settled};
  showEdited();
  return askAbout(context, own, {...asking, shown: latest});
}

function deniedOf({method, title, kind, sessionId, policyDecision}: ShownRequest): DeniedRequest {
  const {remedy: allowedBy, rule} = policyDecision;
  return {method, title, kind, sessionId, allowedBy, rule};
}

/** Returns the rule that is offered with a request, or why there is none. */
export function ruleFor(
  {roots, options}: HostContext,
  {subject, policyDecision}: Pick<Decided, 'subject' | 'policyDecision'>,
): OfferedAnswers {
  return offeredRule(subject, policyDecision, {cwd: roots.cwd, path: options.env['PATH']});
}

function promptOf(
  {edit, calledBy}: HostRequest,
  request: PermissionPrompt['request'],
  offered: OfferedAnswers,
): PermissionPrompt {
  return {
    request,
    isOfHost: true,
    ...offered,
    ...(edit && {isDoneHere: true}),
    ...(calledBy !== undefined && {calledBy}),
  };
}

function allowedUnasked(by: string): PermissionResult['decision'] {
  return {outcome: 'allowed', option: undefined, by};
}

function whyRefused(
  {decision}: PermissionResult,
  {effect, by, isByRule, remedy, rule}: PolicyDecision,
): string {
  if (decision.by === 'user') return 'The user rejected it.';
  if (effect === 'deny') return `Refused by ${by}.`;
  const remedied = remedy === undefined ? '' : ` --approve ${remedy} would allow it.`;
  const isProtected = !isByRule && rule !== undefined;
  const why = isByRule
    ? `${by} requires asking`
    : isProtected
      ? `It names a ${by}`
      : `${by} does not allow it`;
  return `${why}, and there is no user to ask.${remedied}`;
}

/** Reports progress of a tool call that the host created. */
function reporter({options}: HostContext, {sessionId, toolCallId}: CallOfSession) {
  return (status: acp.ToolCallStatus) =>
    options.onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, status});
}

/** An answer for the session covers more than its request. */
export function allowForSession(
  {grants, options, roots}: HostContext,
  call: CallOfSession,
  {subject, settled: {option, decision}, diffed}: AnsweredRequest,
): void {
  if (decision.outcome !== 'allowed' || decision.by !== 'user' || option?.kind !== 'allow_always') return;
  const answer = option.name;
  const given = sessionScope(subject, answer, {diffed, cwd: roots.cwd});
  if (!given) return;
  grants.addForSession({sessionId: call.sessionId, answer, ...given});
  options.permissions.resolved(randomUUID(), call, {...decision, covers: given.covers});
}

interface AnsweredRequest {
  readonly subject: PermissionSubject;
  readonly settled: PermissionResult;
  /** The files inside the roots that its diffs change, resolved. */
  readonly diffed: readonly string[];
}

interface Decided extends Pick<DecisionRecord, 'sessionId' | 'method' | 'title' | 'kind'> {
  readonly subject: PermissionSubject;
  readonly policyDecision: PolicyDecision;
  readonly settled: Pick<PermissionResult, 'decision' | 'key' | 'asRule'>;
  /** The suggested rule. */
  readonly rule?: string | undefined;
}

/** Reports a decision and the rule that it adds. */
export function record({options}: HostContext, decided: Decided): void {
  const {sessionId, method, title, kind, subject, policyDecision, settled, rule} = decided;
  const {outcome, option, by} = settled.decision;
  const {command} = subject;
  const paths = subject.paths.filter(({aside}) => !aside);
  options.onDecision({
    sessionId,
    method,
    title,
    kind,
    outcome,
    by,
    ...(option !== undefined && {option}),
    ...(settled.key !== undefined && {key: settled.key}),
    ...(policyDecision.effect === 'ask' && {askedBy: policyDecision.by}),
    ...(paths.length > 0 && {paths: paths.map(({named, real}) => real ?? named)}),
    ...(command !== undefined && {command: asLine(command)}),
    ...(policyDecision.unresolved !== undefined && {unresolved: policyDecision.unresolved}),
  });
  if (settled.asRule && rule !== undefined) options.onRule(rule);
}

function asLine(command: NonNullable<PermissionSubject['command']>): string {
  if (typeof command === 'string') return command;
  const [program = '', ...args] = command;
  return commandLine({command: program, args});
}
