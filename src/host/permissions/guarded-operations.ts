import {relative} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {changingVariables} from '../../session/requests/variables.ts';
import {approve, type Approval, type EditedRequest, type HostRequest} from './approve.ts';
import type {CommandToApprove} from '../terminals/command.ts';
import {exactCommand, type ExactCommand} from '../terminals/same-command.ts';
import {fingerprintOf, type FileSnapshot} from '../files/file-system.ts';
import type {WriteCover} from './grants.ts';
import type {DoneEffect} from './effect-entries.ts';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import {describeCommand, describeNew, describeRead, describeWrite} from './host-questions.ts';
import {
  accept,
  codes,
  type CompletedEdit,
  deny,
  type HostResponse,
  type KnownToolCall,
  type Refusal,
  type KeepOptions,
  type SandboxWrite,
} from '../services.ts';
import type {Result} from '../../shared/failure.ts';
import {type DiffedFile, readDiffedFiles} from './diffed-files.ts';
import {notTaken} from './pending-permissions.ts';
import {hostToolCallId, type ToolCallDescription} from './tool-call-facts.ts';
import {evaluatePolicy} from './evaluate-policy.ts';
import type {TargetPath} from '../rules/rule-target.ts';
import type {PermissionSubject} from './subject.ts';
import {textPart} from '../../session/transcript/content.ts';

/** `fs/read_text_file`. Asks only if a rule says so. */
export async function read(
  context: HostContext,
  request: acp.ReadTextFileRequest,
  withdrawn: AbortSignal,
): Promise<HostResponse<acp.ReadTextFileResponse>> {
  const {files, rules, roots, options} = context;
  if (!rules().restrictsReading && !options.sandbox) return files.read(request, withdrawn);
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

interface WriteOptions {
  readonly withdrawn: AbortSignal;
  /** Set if the user has saved it in place of what the agent would write itself. */
  readonly saved?: SavedChange;
}

interface SavedChange {
  /** What the agent would write. */
  readonly proposed: string;
  /** The fingerprint of the file when that was shown. */
  readonly base: string;
  /** Called if the file is another one by now, before the user is asked about it. */
  readonly onChanged: () => void;
}

/** `fs/write_text_file`. What the user made of its content is kept until it is written, and asked about again if the file has changed meanwhile. */
export async function write(
  context: HostContext,
  request: acp.WriteTextFileRequest,
  {withdrawn, saved}: WriteOptions,
): Promise<HostResponse<acp.WriteTextFileResponse>> {
  const {files, grants, roots, options} = context;
  const {sessionId, content, path: named} = request;
  const [paths, proposed] = [[named], saved?.proposed ?? content];
  let [written, isAllowed] = [content, false];
  let card: ToolCallDescription | undefined;
  const answer = await whenApproved(context, withdrawn, {
    shownAs: () => ({type: 'write', paths, content: written}),
    work: (may) =>
      files.write(request, async ({place, isChanged}) => {
        const {path} = place;
        paths.push(path);
        let seen: FileSnapshot | undefined;
        let cover: WriteCover = {kind: 'none'};
        const subject = writeSubject(sessionId, {named, real: path}, written);
        if (saved && !isChanged) {
          const refusal = await refuseSaved(context, subject);
          if (refusal) return refusal;
          const {text: oldText} = await files.snapshot(place);
          card = describeWrite(place, roots, {oldText, newText: content, approved: undefined, isChanged});
          return {ok: true, base: saved.base, content};
        }
        card = undefined;
        saved?.onChanged();
        const describe = (newText: string) => describeNew(context, place, {seen, cover, isChanged, newText});
        const refusal = await may({
          sessionId,
          method: 'fs/write_text_file',
          title: named,
          subject,
          async isCovered() {
            seen = await files.snapshot(place);
            if (saved || written !== content) return false;
            cover = grants.takeWrite(sessionId, {path, content, base: seen.fingerprint});
            return cover.kind === 'covered';
          },
          edit: async (edited) =>
            accept({
              title: named,
              subject: writeSubject(sessionId, {named, real: path}, edited),
              describe: () => describe(edited),
              take: () => void (written = edited),
            }),
          describe: () => describe(written),
          shownAs: saved ? undefined : () => ({type: 'write', paths, before: seen?.text, content: written}),
        });
        isAllowed = refusal === undefined;
        return refusal ?? {ok: true, base: seen?.fingerprint, content: written};
      }),
  });
  if (answer.ok) rememberWrite(context, {sessionId, paths, content: written});
  if (answer.ok && card && written !== proposed) options.onUpdate(sessionId, writtenCard(card));
  const edit = {path: named, before: proposed, after: written, state: saved ? 'instead' : 'done'} as const;
  if (isAllowed || answer.ok) await reportEdit(context, edit, answer);
  return answer;
}

/** The path that was shown had no links in it. */
async function refuseSaved(context: HostContext, subject: PermissionSubject): Promise<Refusal | undefined> {
  const moved = subject.paths.find(({named, real}) => real !== named);
  if (moved) return deny(`A link leads from ${moved.named} to ${moved.real} by now.`);
  const {effect, by} = await evaluatePolicy(context, subject);
  return effect === 'deny' ? deny(`Refused by ${by}.`) : undefined;
}

/** Reports what the user has made of a request that was allowed. */
async function reportEdit(
  {options}: HostContext,
  edit: CompletedEdit,
  answer: HostResponse<unknown>,
): Promise<void> {
  if (edit.before === edit.after) return;
  await options.onEdited?.(answer.ok ? edit : {...edit, state: 'gone', why: answer.message});
}

/** What the user has seen is no news at the end of the turn. */
function rememberWrite(
  {grants, findProtected}: HostContext,
  {
    sessionId,
    paths,
    content,
  }: Pick<acp.WriteTextFileRequest, 'sessionId' | 'content'> & {readonly paths: readonly string[]},
): void {
  if (findProtected(paths).length === 0) return;
  const base = fingerprintOf(Buffer.from(content));
  for (const path of paths) grants.add({sessionId, effect: {type: 'write', path, content, base}});
}

function writeSubject(sessionId: acp.SessionId, path: TargetPath, content: string): PermissionSubject {
  return {
    sessionId,
    access: {type: 'write', insideRoots: true},
    kind: 'edit',
    paths: [path],
    rawInput: {content},
  };
}

/** A call of acp-tui's own for what is already done. */
function writtenCard({content, locations, title}: ToolCallDescription): acp.SessionUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: hostToolCallId(),
    title: title ?? '',
    kind: 'edit',
    status: 'completed',
    ...(content && {content}),
    ...(locations && {locations}),
  };
}

/**
 * Writes what the user made of a change that an agent would make itself, under the same guards. Resolves when it is written, or once the user is asked again
 * because the file has changed: then the agent's own change is rejected in any case.
 */
export async function writeSaved(
  context: HostContext,
  {call, files, text}: {readonly call: KnownToolCall; readonly files: ShownFiles; readonly text: string},
  sessionId: acp.SessionId,
): Promise<Result<'reject_once'>> {
  const [[path, shown] = [], ...others] = [...files];
  const parts = call.content ?? [];
  const last = parts.findLast((part) => part.type === 'diff');
  if (!path || !shown || !last || others.length > 0)
    return notTaken('Only one file in the workspace can be changed here.');
  const edited = {...last, newText: text};
  const content = parts.map((part) => (part === last ? edited : part));
  const isWhole = shown.content === last.newText;
  const saved = isWhole ? text : (await readDiffedFiles(context, {...call, content})).get(path)?.content;
  if (shown.content === undefined || saved === undefined)
    return notTaken(`${shown.named} does not match this change, so that what you saved cannot be written.`);
  const {promise, resolve} = Promise.withResolvers<Result<'reject_once'>>();
  const rejected = () => resolve({ok: true, value: 'reject_once'});
  const change = {proposed: shown.content, base: shown.base, onChanged: rejected};
  void write(
    context,
    {sessionId, path, content: saved},
    {withdrawn: new AbortController().signal, saved: change},
  ).then((answer) => (answer.ok ? rejected() : resolve(notTaken(answer.message))));
  return promise;
}

type ShownFiles = ReadonlyMap<string, DiffedFile>;

/** `terminal/create`. */
export async function createTerminal(
  context: HostContext,
  create: acp.CreateTerminalRequest,
  {withdrawn, calledBy}: {readonly withdrawn: AbortSignal; readonly calledBy: string | undefined},
): Promise<HostResponse<acp.CreateTerminalResponse>> {
  const {grants, terminals} = context;
  const {sessionId} = create;
  let [before, isAllowed] = ['', false];
  let runs: CheckedRequest | undefined;
  const answer = await whenApproved<acp.CreateTerminalResponse>(context, withdrawn, {
    work: (may) =>
      terminals.create(create, async (command, check) => {
        const first = commandRequest(context, create, command);
        runs = first;
        before = command.line;
        const refusal = await may({
          ...first,
          isCovered: async () => grants.takeCommand(sessionId, first.exactly),
          calledBy,
          shownAs: () => ({type: 'terminal', forms: first.exactly.forms}),
          edit: calledBy === undefined ? edit : undefined,
        });
        isAllowed = refusal === undefined;
        return refusal ?? accept(runs.command);

        async function edit(text: string): Promise<HostResponse<EditedRequest>> {
          // The last line ends in an editor.
          const line = text.replace(/(?<![\r\n])[\r\n]+$/, '');
          const changed = line === before ? accept(command) : await check(line);
          if (!changed.ok) return changed;
          const edited = commandRequest(context, create, changed.value);
          return accept({...edited, take: () => void (runs = edited)});
        }
      }),
    shownAs: ({terminalId}) => ({type: 'terminal', terminalId, forms: runs?.exactly.forms ?? new Set()}),
    async completes({terminalId}) {
      const exit = await terminals.waitForExit(terminalId, new AbortController().signal);
      return exit.ok && exit.value.exitCode === 0;
    },
  });
  const after = runs?.command.line ?? before;
  if (isAllowed) await reportEdit(context, {path: undefined, before, after, state: 'done'}, answer);
  return answer;
}

interface CheckedRequest extends Pick<
  HostRequest,
  'sessionId' | 'method' | 'title' | 'subject' | 'describe'
> {
  readonly command: CommandToApprove;
  readonly exactly: ExactCommand;
}

/** What is decided about a command that was checked. */
function commandRequest(
  {roots}: HostContext,
  create: acp.CreateTerminalRequest,
  checked: CommandToApprove,
): CheckedRequest {
  const {sessionId, env} = create;
  const variables = env ?? [];
  const {folder, lookup, cwd, command} = checked;
  const changes = changingVariables(variables, command).map(({name}) => name);
  const exactly = exactCommand(command, {variables, folder, path: lookup.path});
  return {
    command: checked,
    exactly,
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
    describe: async () => describeCommand(checked, create, roots),
  };
}

const KEEP: acp.PermissionOption[] = [
  {optionId: 'keep', name: 'Keep it', kind: 'allow_once'},
  {optionId: 'undo', name: 'Undo it', kind: 'reject_once'},
];

/** Returns whether it is kept, as a write that the agent would have asked about; undefined if nobody has decided. */
export async function keepWritten(
  context: HostContext,
  all: readonly SandboxWrite[],
  {sessionId, isTooLate}: KeepOptions,
): Promise<boolean | undefined> {
  const {roots, grants} = context;
  const isApproved = ({path, after, isAlso}: SandboxWrite) =>
    after !== undefined &&
    isAlso === undefined &&
    grants.takeWrite(sessionId, {path, content: after, base: fingerprintOf(Buffer.from(after))}).kind ===
      'covered';
  const writes = all.filter((write) => !isApproved(write));
  if (writes.length === 0) return true;
  const shown = (path: string) => relative(roots.cwd, path) || path;
  const title = `Keep what was written in the sandbox: ${writes.map(({path}) => shown(path)).join(', ')}`;
  const text = [
    'Something runs this later by itself, and the sandbox cannot hold it. Since the turn before it was written, by the agent or another program:',
    ...writes.map(({path, what}) => `${shown(path)}: ${what}`),
  ].join('\n');
  const {refusal, asked} = await approve(
    context,
    {
      sessionId,
      method: 'sandbox',
      title,
      subject: {
        sessionId,
        access: {type: 'write', insideRoots: true, isDone: true},
        kind: 'edit',
        paths: writes.map(({path}) => ({named: path, real: path})),
      },
      isCovered: async () => false,
      describe: async () => ({
        title,
        kind: 'edit',
        locations: writes.map(({path}) => ({path})),
        content: [textPart(text), ...writes.flatMap(diffOf)],
      }),
      options: KEEP,
    },
    // Also at the end of a turn that was cancelled.
    {
      withdrawn: new AbortController().signal,
      cancelled: isTooLate ? AbortSignal.abort() : context.cancelling.signal,
    },
  );
  asked?.report('completed');
  if (!refusal) return true;
  return refusal.code === codes.cancelled ? undefined : false;
}

function diffOf({path, before, after = ''}: SandboxWrite): readonly acp.ToolCallContent[] {
  return [{type: 'diff', path, oldText: before ?? null, newText: after}];
}

interface ApprovedWork<T> {
  /** Calls `may` after its checks, and ends with the refusal if it gets one. */
  readonly work: (may: (own: HostRequest) => Promise<Refusal | undefined>) => Promise<HostResponse<T>>;
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
): Promise<HostResponse<T>> {
  const interrupts = requestInterrupts(context, withdrawn);
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
  else if (asked && (asked.call || done.shownAs.type === 'terminal'))
    context.effects.add({...asked, ...done, decision: undefined});
  return answer;
}
