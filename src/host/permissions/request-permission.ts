import {basename} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {mentions} from '../../session/labels/mentions.ts';
import {isTitleOfRequest} from '../../session/transcript/patches.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import {requestedEffects} from './asked-effects.ts';
import {type DiffedFile, outdatedFiles, readDiffedFiles} from './diffed-files.ts';
import type {GrantedEffect} from './grants.ts';
import type {OfferedAnswers, OutdatedFile} from '../../session/state.ts';
import {isJsonObject, isNothing} from '../../text/json.ts';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import {evaluatePolicy, type PolicyDecision} from './evaluate-policy.ts';
import type {PermissionSubject} from './subject.ts';
import {
  allowOnceOption,
  hasOwnId,
  notAsSeen,
  type PermissionResult,
  type OpenRequest,
} from './pending-permissions.ts';
import {allowForSession, record, ruleFor} from './approve.ts';
import {folderNote} from './host-questions.ts';
import {writeSaved} from './guarded-operations.ts';
import {coverageOf} from './session-scope.ts';
import type {PermissionPrompt, DeniedRequest, KnownToolCall} from '../services.ts';
import {mergeToolCall, rootsIn, toolCallFacts} from './tool-call-facts.ts';
import {isInterrupted} from '../interrupts.ts';

/** "Requesting Permission". An approval by the user covers exactly the writes and the command in the request; one by the policy covers nothing more. */
export async function requestPermission(
  context: HostContext,
  asked: PermissionPrompt,
  withdrawn: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {options, grants, openRequests} = context;
  const {sessionId, toolCall} = asked.request;
  const {toolCallId} = toolCall;
  const interrupts = requestInterrupts(context, withdrawn);
  const of = {sessionId, toolCallId};
  const request = openRequests.add(of, mergeToolCall(toolCall, options.toolCall(of)));
  const {settled, evaluation} = await settle(context, asked, {request, interrupts}).finally(() =>
    openRequests.remove(request),
  );
  const {subject, policyDecision, offered, effects, diffed} = evaluation;
  record(context, {
    ...deniedOf(asked, evaluation),
    subject,
    policyDecision,
    settled,
    rule: offered.rule,
  });
  if (settled.decision.outcome === 'allowed' && settled.decision.by === 'user')
    for (const effect of effects) grants.add({sessionId, effect});
  allowForSession(context, of, {subject, settled, diffed});
  return responseOf(settled.option, asked.request);
}

/** The evaluation of a request at one point in time. */
interface Evaluation {
  readonly call: KnownToolCall;
  readonly title: string;
  /** See `folderOf`. */
  readonly folder: string | undefined;
  readonly subject: PermissionSubject;
  readonly policyDecision: PolicyDecision;
  readonly offered: OfferedAnswers;
  /** The effects that an approval covers. */
  readonly effects: readonly GrantedEffect[];
  /** The files that its diffs change, as they were on disk. */
  readonly files: ReadonlyMap<string, DiffedFile>;
  /** Their resolved paths when `offered` was said of them. */
  readonly diffed: readonly string[];
}

async function evaluate(
  context: HostContext,
  {request}: PermissionPrompt,
  call: KnownToolCall,
): Promise<Evaluation> {
  const {sessionId} = request;
  const folder = context.options.folderOf(sessionId);
  const there = inFolder(context, folder);
  const [facts, files] = [
    await toolCallFacts(call, context.roots, folder),
    await readDiffedFiles(there, call),
  ];
  const {kind, insideRoots, hasCommand, tool, paths, run, alsoRun, changedBy, cwd, title} = facts;
  const effects = await requestedEffects(there, call, files);
  const input = shownInput(call);
  const subject: PermissionSubject = {
    sessionId,
    access: {
      type: 'permission',
      kind,
      insideRoots,
      hasCommand,
      namesFile: paths.length > 0,
      isBlank: input === '' && !getsNothing(tool, call),
    },
    kind,
    tool,
    paths,
    command: run,
    alsoRun,
    changedBy,
    cwd,
    exactly: effects.find((effect) => effect.type === 'command'),
    rawInput: call.rawInput,
    call: {kind: call.kind ?? 'other', tool, title, input},
  };
  const policyDecision = await evaluatePolicy(context, subject);
  const diffed = [...files.keys()];
  return {
    call,
    title: title || request.toolCall.toolCallId,
    folder,
    subject,
    policyDecision,
    offered: {
      ...(allowOnceOption(request) && ruleFor(context, {subject, policyDecision})),
      ...coverageOf(subject, request.options, {diffed, cwd: context.roots.cwd}),
    },
    effects,
    files,
    diffed,
  };
}

/** What a request shows besides its title, for comparisons; empty if there is nothing. */
function shownInput({rawInput, content, locations}: KnownToolCall): string {
  const parts = content?.filter((part) => !isTitleOfRequest(part));
  const shown = [rawInput, parts, locations].map((part) => (isNothing(part) ? null : part));
  return shown.every((part) => part === null) ? '' : JSON.stringify(shown);
}

/** True for a tool of a server, whose name says all if it gets nothing. */
function getsNothing(tool: string | undefined, {kind, rawInput}: KnownToolCall): boolean {
  return kind === 'other' && tool !== undefined && isJsonObject(rawInput) && isNothing(rawInput);
}

interface RequestInProgress {
  readonly request: OpenRequest;
  readonly interrupts: ReturnType<typeof requestInterrupts>;
}

/** Decides a request or asks the user; returns the result with the evaluation it is based on. */
async function settle(
  context: HostContext,
  asked: PermissionPrompt,
  {request, interrupts}: RequestInProgress,
): Promise<{settled: PermissionResult; evaluation: Evaluation}> {
  const {pendingPermissions, openRequests} = context;
  const once = allowOnceOption(asked.request);
  const evaluated = followEvaluation(context, asked, request);
  const evaluation = await evaluated.current();
  const {effect} = evaluation.policyDecision;
  const by = effect === 'allow' && !once ? NO_YES : evaluation.policyDecision.by;
  const denied = deniedOf(asked, evaluation);
  // The agent may have changed it during the evaluation: show exactly what was evaluated.
  const toolCall = {...asked.request.toolCall, ...withFolder(evaluation)} as acp.ToolCallUpdate;
  const shown = {...asked, request: {...asked.request, toolCall}};
  if (!isInterrupted(interrupts) && effect === 'deny')
    return {settled: pendingPermissions.refuse(shown, {by, denied}), evaluation};
  if (!isInterrupted(interrupts) && effect === 'allow' && once)
    return {settled: pendingPermissions.choose(shown, once, by), evaluation};
  const outdated = outdatedFiles(evaluation.files);
  const settled = await pendingPermissions.ask(
    {...shown, ...evaluation.offered, ...(outdated.length > 0 && {outdated})},
    {
      ...interrupts,
      by,
      denied,
      changes: {
        follow: (changed) => (request.onChange = changed),
        async evaluate() {
          const {policyDecision, offered, files} = await evaluated.current();
          const refusedBy = policyDecision.effect === 'deny' ? policyDecision.by : undefined;
          return {refusedBy, offered, outdated: outdatedFiles(files)};
        },
      },
      recheck: evaluated.recheck,
      onEdited: async (text) => {
        const {call} = request;
        const {folder, files} = await evaluated.current();
        if (call !== request.call) return notAsSeen();
        return writeSaved(inFolder(context, folder), {call, files, text}, asked.request.sessionId);
      },
      onSettled: () => openRequests.remove(request),
    },
  );
  return {settled, evaluation: await evaluated.current()};
}

/** The evaluation of a request whose call the agent may change. */
function followEvaluation(context: HostContext, asked: PermissionPrompt, request: OpenRequest) {
  let latest: Evaluation | undefined;
  let evaluating: Promise<Evaluation> | undefined;

  async function evaluateAgain(): Promise<Evaluation> {
    while (latest?.call !== request.call) latest = await evaluate(context, asked, request.call);
    return latest;
  }

  /** Returns the evaluation of the call as it is now, and at the end of this. */
  function current(): Promise<Evaluation> {
    return (evaluating ??= evaluateAgain().finally(() => (evaluating = undefined)));
  }

  /** Reads the files that its diffs change again. */
  async function readAgain(): Promise<readonly OutdatedFile[] | 'as shown'> {
    const {call} = request;
    const shown = await current();
    const there = inFolder(context, shown.folder);
    const files = await readDiffedFiles(there, shown.call);
    const effects = await requestedEffects(there, shown.call, files);
    if (shown.call !== request.call || shown.policyDecision.effect === 'deny') return [];
    // It was changed after the answer, while an earlier change was evaluated.
    if (call !== request.call) return outdatedFiles(files);
    const outdated = outdatedFiles(files, shown.files);
    if (outdated.every(({why}) => why !== 'changed')) return 'as shown';
    latest = {...shown, files, effects};
    return outdated;
  }

  const hasDiffs = () => request.call.content?.some(({type}) => type === 'diff');
  // What a change has made of it must be known before it is allowed.
  const recheck = () => (evaluating || hasDiffs() ? readAgain() : undefined);
  return {current, recheck};
}

const NO_YES = 'a request without one answer that allows it once';

/** Adds the folder to the call of a command that does not name it. */
function withFolder({call, folder, subject: {access, cwd}}: Evaluation): KnownToolCall {
  const runsThere =
    folder !== undefined && cwd === folder && access.type === 'permission' && access.hasCommand;
  return runsThere ? {...call, content: [...(call.content ?? []), folderNote(folder)]} : call;
}

/** For a subagent in a folder of its own, where relative paths are resolved. */
function inFolder(context: HostContext, folder: string | undefined): HostContext {
  return {...context, roots: rootsIn(context.roots, folder)};
}

function deniedOf({request}: PermissionPrompt, {title, subject, policyDecision}: Evaluation) {
  return {
    method: 'session/request_permission',
    title: titleWithTarget(title, subject),
    kind: subject.kind,
    toolCallId: request.toolCall.toolCallId,
    sessionId: request.sessionId,
    allowedBy: allowOnceOption(request) && policyDecision.remedy,
    rule: policyDecision.rule,
  } satisfies DeniedRequest;
}

/** Appends the command or file to a title that does not contain it. */
function titleWithTarget(title: string, {command, paths}: PermissionSubject): string {
  const run = typeof command === 'string' ? command : command && quoteWords(command);
  const isSaid = (path: string) => mentions(title, path) || mentions(title, basename(path));
  const files = paths.flatMap(({named, aside}) => (aside || isSaid(named) ? [] : [named]));
  const access = run ?? files.join(', ');
  return access === '' || mentions(title, access) ? title : `${title}: ${access}`;
}

/** A no never has the ID of a yes: it is answered as cancelled instead. */
function responseOf(
  option: acp.PermissionOption | undefined,
  request: acp.RequestPermissionRequest,
): acp.RequestPermissionResponse {
  const isSent = option && (option.kind.startsWith('allow') || hasOwnId(option, request));
  return {outcome: isSent ? {outcome: 'selected', optionId: option.optionId} : {outcome: 'cancelled'}};
}
