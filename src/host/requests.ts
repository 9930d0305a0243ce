import type * as acp from '@agentclientprotocol/sdk/unstable';
import {approve, type Approval, type OwnWish} from './approve.ts';
import {formsOfRequest, isHarmless} from './command-forms.ts';
import {isShellLine} from './command-line.ts';
import type {HostContext} from './host-context.ts';
import {interruptsOf, isOver} from './interrupts.ts';
import {judge, type Wish} from './judge.ts';
import {commandToAsk, readToAsk, writeToAsk} from './own-requests.ts';
import {onceOf, type Settled} from './permission-desk.ts';
import {record} from './record.ts';
import {offeredRule} from './rules/offered.ts';
import type {Answer, AskedPermission, Refusal} from './services.ts';
import {toolCallFacts, type ToolCallFacts} from './tool-call-facts.ts';

/** "Requesting Permission". What a person allows covers the write or command that follows; what the policy allows does not. */
export async function requestPermission(
  context: HostContext,
  asked: AskedPermission,
  withdrawn: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {options, desk, roots, grants} = context;
  const {request} = asked;
  const {sessionId, toolCall} = request;
  const {toolCallId} = toolCall;
  const interrupts = interruptsOf(context, withdrawn);
  const facts = await toolCallFacts(toolCall, options.toolCall(toolCallId), roots);
  const {kind, insideRoots, tool} = facts;
  const wish: Wish = {
    subject: {type: 'permission', kind, insideRoots},
    kind,
    tool,
    paths: facts.named,
    command: facts.run,
  };
  const judgement = await judge(context, wish);
  const {effect, by, remedy} = judgement;
  const once = onceOf(request);
  const title = facts.title || toolCallId;
  const method = 'session/request_permission';
  const denied = {method, title, kind, toolCallId, allowedBy: once && remedy, rule: judgement.rule};
  const rule = once && offeredRule(wish, judgement, roots.cwd);
  const settle = async (): Promise<Settled> => {
    if (!isOver(interrupts) && effect === 'deny') return desk.refuse(asked, {by, denied});
    if (!isOver(interrupts) && effect === 'allow' && once) return desk.choose(asked, once, by);
    return desk.ask({...asked, ...(rule !== undefined && {rule})}, {...interrupts, by, denied});
  };
  const settled = await settle();
  record(context, {sessionId, ...denied, wish, judgement, settled, rule});
  // What a rule allowed does not cover more than this request.
  if (settled.decision.outcome === 'allowed' && settled.decision.by === 'user')
    grants.add({
      ...(await stillShown(context, facts, toolCallId)),
      sessionId,
      always: settled.option?.kind === 'allow_always',
    });
  return responseOf(settled.option);
}

/**
 * What was asked for and still stood on the screen when it was answered: an agent may change its tool call meanwhile, and the
 * screen shows the tool call.
 */
async function stillShown(
  {options, roots}: HostContext,
  asked: ToolCallFacts,
  toolCallId: acp.ToolCallId,
): Promise<Pick<ToolCallFacts, 'paths' | 'command' | 'cwd'>> {
  const known = options.toolCall(toolCallId);
  if (!known) return asked;
  const shown = await toolCallFacts(known, undefined, roots);
  return {
    paths: asked.paths.filter((path) => shown.paths.includes(path)),
    command: new Set([...asked.command].filter((form) => shown.cwd === asked.cwd && shown.command.has(form))),
    cwd: asked.cwd,
  };
}

function responseOf(option: acp.PermissionOption | undefined): acp.RequestPermissionResponse {
  return {outcome: option ? {outcome: 'selected', optionId: option.optionId} : {outcome: 'cancelled'}};
}

/** `fs/read_text_file`: asks nobody, unless a rule is about it. */
export async function read(
  context: HostContext,
  request: acp.ReadTextFileRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.ReadTextFileResponse>> {
  const {files, rules, roots} = context;
  if (!rules.restrictsReading) return files.read(request, withdrawn);
  const {sessionId, path: named} = request;
  return whenApproved(context, withdrawn, {
    work: (may) =>
      files.read(request, withdrawn, (place) =>
        may({
          sessionId,
          method: 'fs/read_text_file',
          title: named,
          wish: {subject: {type: 'read'}, kind: 'read', paths: [{named, real: place.path}]},
          isCovered: () => false,
          toAsk: async () => readToAsk(place, roots),
        }),
      ),
  });
}

/** `fs/write_text_file`. */
export async function write(
  context: HostContext,
  request: acp.WriteTextFileRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.WriteTextFileResponse>> {
  const {files, grants, roots} = context;
  const {sessionId, content: newText, path: named} = request;
  return whenApproved(context, withdrawn, {
    work: (may) =>
      files.write(request, (place) =>
        may({
          sessionId,
          method: 'fs/write_text_file',
          title: named,
          wish: {
            subject: {type: 'write', insideRoots: true},
            kind: 'edit',
            paths: [{named, real: place.path}],
          },
          isCovered: () => grants.takeWrite(sessionId, place.path),
          toAsk: async () => writeToAsk(place, roots, {oldText: await files.textAt(place), newText}),
        }),
      ),
  });
}

/** `terminal/create`. */
export async function createTerminal(
  context: HostContext,
  create: acp.CreateTerminalRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.CreateTerminalResponse>> {
  const {grants, roots, terminals} = context;
  const {sessionId, command, args, env} = create;
  const changes = (env ?? []).filter((variable) => !isHarmless(variable)).map(({name}) => name);
  return whenApproved(context, withdrawn, {
    work: (may) =>
      terminals.create(create, (checked) =>
        may({
          sessionId,
          method: 'terminal/create',
          title: checked.line,
          wish: {
            subject: {type: 'command'},
            kind: 'execute',
            paths: [],
            command: isShellLine(create) ? command : [command, ...(args ?? [])],
            changedBy: changes.length > 0 ? `it sets ${changes.join(', ')}` : undefined,
          },
          isCovered: () => grants.takeCommand(sessionId, {forms: formsOfRequest(create), cwd: checked.cwd}),
          toAsk: async () => commandToAsk(checked, create, roots),
        }),
      ),
    async goesOn({terminalId}, report) {
      report('in_progress');
      const exit = await terminals.waitForExit(terminalId, new AbortController().signal);
      return exit.ok && exit.value.exitCode === 0;
    },
  });
}

type Report = NonNullable<Approval['asked']>['report'];

interface ApprovedWork<T> {
  /** Calls back once it has checked what it is to do, and ends with the refusal where it gets one. */
  readonly work: (may: (own: OwnWish) => Promise<Refusal | undefined>) => Promise<Answer<T>>;
  /** For what goes on after its answer: resolves to whether it ended well. */
  readonly goesOn?: (value: T, report: Report) => Promise<boolean>;
}

/** Does work of the host's own that has to be allowed; where the user was asked, the tool call hears how it ended. */
async function whenApproved<T>(
  context: HostContext,
  withdrawn: AbortSignal,
  {work, goesOn}: ApprovedWork<T>,
): Promise<Answer<T>> {
  const interrupts = interruptsOf(context, withdrawn);
  let approval: Approval = {};
  const answer = await work(async (own) => {
    approval = await approve(context, own, interrupts);
    return approval.refusal;
  });
  const {asked} = approval;
  if (!asked) return answer;
  const ended = (isWell: boolean) => asked.report(isWell ? 'completed' : 'failed');
  if (answer.ok && goesOn) void goesOn(answer.value, asked.report).then(ended);
  else ended(answer.ok);
  return answer;
}
