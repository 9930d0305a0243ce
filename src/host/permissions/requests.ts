import type * as acp from '@agentclientprotocol/sdk/unstable';
import {changingVariables} from '../../session/requests/variables.ts';
import {approve, type Approval, type HostRequest} from './approve.ts';
import {exactCommand} from '../terminals/same-command.ts';
import {isShellLine} from '../terminals/command.ts';
import type {FileSnapshot} from '../files/file-system.ts';
import type {WriteCover} from './grants.ts';
import type {DoneEffect} from './effect-entries.ts';
import {type HostContext, interruptsOf} from '../host-context.ts';
import {describeCommand, describeRead, describeWrite} from './host-permission-requests.ts';
import type {Answer, Refusal} from '../services.ts';

/** `fs/read_text_file`. Asks only if a rule says so. */
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
          subject: {sessionId, access: {type: 'read'}, kind: 'read', paths: [{named, real: place.path}]},
          isCovered: async () => false,
          describe: async () => describeRead(place, roots),
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
  const {sessionId, content, path: named} = request;
  const paths = [named];
  return whenApproved(context, withdrawn, {
    shownAs: () => ({type: 'write', paths, content}),
    work: (may) =>
      files.write(request, async ({place, isChanged}) => {
        const {path} = place;
        paths.push(path);
        let seen: FileSnapshot | undefined;
        let cover: WriteCover = {kind: 'none'};
        let written = content;
        const refusal = await may({
          sessionId,
          method: 'fs/write_text_file',
          title: named,
          subject: {
            sessionId,
            access: {type: 'write', insideRoots: true},
            kind: 'edit',
            paths: [{named, real: path}],
            rawInput: {content},
          },
          async isCovered() {
            seen = await files.snapshot(place);
            cover = grants.takeWrite(sessionId, {path, content, base: seen.fingerprint});
            return cover.kind === 'covered';
          },
          onEdited: (edited) => void (written = edited),
          async describe() {
            const {text: oldText} = seen ?? (await files.snapshot(place));
            return describeWrite(place, roots, {
              oldText,
              newText: written,
              approved: cover.kind === 'other' ? cover.approved : undefined,
              isChanged: isChanged || cover.kind === 'changed',
            });
          },
        });
        return refusal ?? {ok: true, base: seen?.fingerprint, content: written};
      }),
  });
}

/** `terminal/create`. */
export async function createTerminal(
  context: HostContext,
  create: acp.CreateTerminalRequest,
  {withdrawn, calledBy}: {readonly withdrawn: AbortSignal; readonly calledBy: string | undefined},
): Promise<Answer<acp.CreateTerminalResponse>> {
  const {grants, roots, terminals} = context;
  const {sessionId, args, env} = create;
  const command = isShellLine(create) ? create.command : [create.command, ...(args ?? [])];
  const variables = env ?? [];
  const changes = changingVariables(variables, command).map(({name}) => name);
  return whenApproved(context, withdrawn, {
    work: (may) =>
      terminals.create(create, (checked) => {
        const {folder, lookup, cwd} = checked;
        const exactly = exactCommand(command, {variables, folder, path: lookup.path});
        return may({
          sessionId,
          method: 'terminal/create',
          title: checked.line,
          subject: {
            sessionId,
            access: {type: 'command'},
            kind: 'execute',
            paths: [],
            cwd,
            command,
            exactly,
            changedBy: changes.length > 0 ? `it sets ${changes.join(', ')}` : undefined,
          },
          isCovered: async () => grants.takeCommand(sessionId, exactly),
          describe: async () => describeCommand(checked, create, roots),
          calledBy,
        });
      }),
    shownAs: ({terminalId}) => ({type: 'terminal', terminalId}),
    async completes({terminalId}) {
      const exit = await terminals.waitForExit(terminalId, new AbortController().signal);
      return exit.ok && exit.value.exitCode === 0;
    },
  });
}

interface ApprovedWork<T> {
  /** Calls `may` after its checks, and ends with the refusal if it gets one. */
  readonly work: (may: (own: HostRequest) => Promise<Refusal | undefined>) => Promise<Answer<T>>;
  /** For work that continues after its response; resolves to true if it succeeded. */
  readonly completes?: (value: T) => Promise<boolean>;
  /** What a tool call of the agent must contain to show it; absent for reads. */
  readonly shownAs?: (value: T) => DoneEffect['shownAs'];
}

/** Runs work that needs permission. If the user was asked, the tool call gets the outcome. */
async function whenApproved<T>(
  context: HostContext,
  withdrawn: AbortSignal,
  {work, completes, shownAs}: ApprovedWork<T>,
): Promise<Answer<T>> {
  const interrupts = interruptsOf(context, withdrawn);
  let approval: Approval = {};
  const answer = await work(async (own) => {
    // It was allowed but failed: it is asked about again next time.
    approval.asked?.report('failed');
    approval = await approve(context, own, interrupts);
    return approval.refusal;
  });
  const {asked, unasked} = approval;
  const ended = answer.ok && completes ? completes(answer.value) : Promise.resolve(answer.ok);
  if (asked && answer.ok && completes) asked.report('in_progress');
  if (asked) void ended.then((isWell) => asked.report(isWell ? 'completed' : 'failed'));
  if (!answer.ok || !shownAs) return answer;
  const done = {shownAs: shownAs(answer.value), ended};
  if (unasked) context.effects.add({...unasked, ...done});
  else if (asked && done.shownAs.type === 'terminal')
    context.effects.add({
      ...done,
      sessionId: asked.sessionId,
      decision: undefined,
      card: asked.card,
      toolCall: asked.asked,
    });
  return answer;
}
