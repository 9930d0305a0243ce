import {relative} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {changingVariables} from '../../session/requests/variables.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import type {FileSnapshot} from '../files/file-system.ts';
import type {RootedPath, Roots} from '../files/roots.ts';
import {type HostContext, requestInterrupts} from '../host-context.ts';
import {hostWithPort, type TargetHost} from '../rules/rule-target.ts';
import type {HostQuestion, UserChoice} from '../services.ts';
import type {CheckedCommand} from '../terminals/command.ts';
import type {WriteCover} from './grants.ts';
import {type ToolCallDescription, hostToolCallId} from './tool-call-facts.ts';
import {textPart} from '../../session/transcript/content.ts';

/** The options of most permission requests created by the host. */
const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'allow', name: 'Allow', kind: 'allow_once'},
  {optionId: 'reject', name: 'Reject', kind: 'reject_once'},
];

interface HostRequestFields {
  readonly options?: acp.PermissionOption[] | undefined;
  /** The agent's call that it is about; a new one by default. */
  readonly toolCallId?: acp.ToolCallId | undefined;
}

/** Creates a permission request like an agent's for an operation that the agent did not ask about, so that the same card shows it. */
export function hostPermissionRequest(
  sessionId: acp.SessionId,
  asked: ToolCallDescription,
  {options = OPTIONS, toolCallId = hostToolCallId()}: HostRequestFields = {},
): acp.RequestPermissionRequest {
  return {sessionId, toolCall: {...asked, toolCallId, status: 'pending'}, options};
}

export function describeRead({path}: RootedPath, roots: Roots): ToolCallDescription {
  return {title: `Read ${relative(roots.cwd, path) || path}`, kind: 'read', locations: [{path}]};
}

interface WriteTexts {
  /** Null if there is no file yet, undefined if its content cannot be shown. */
  readonly oldText: string | null | undefined;
  readonly newText: string;
  /** The content that was approved for this file instead. */
  readonly approved: string | undefined;
  /** True if the file changed after this write was approved. */
  readonly isChanged: boolean;
}

export function describeWrite(place: RootedPath, roots: Roots, texts: WriteTexts): ToolCallDescription {
  const {path} = place;
  const {oldText = null, newText, approved} = texts;
  const unseen = 'The current content is not text or too large to show, and will be replaced.';
  const changed = 'The file has changed since you saw it. Writing now changes this:';
  const other = 'This is not what you approved for this file. The differences:';
  const diff = (from: string | null) => ({type: 'diff' as const, path, oldText: from, newText});
  return {
    title: `Write ${relative(roots.cwd, path) || path}`,
    kind: 'edit',
    locations: [{path}],
    content: [
      ...(approved === undefined
        ? []
        : [textPart(other), diff(approved), textPart('And the change in the file:')]),
      ...(texts.isChanged ? [textPart(changed)] : []),
      ...(texts.oldText === undefined ? [textPart(unseen)] : []),
      diff(oldText),
    ],
  };
}

interface NewContent {
  /** The file, if it was read already. */
  readonly seen: FileSnapshot | undefined;
  readonly cover: WriteCover;
  readonly isChanged: boolean;
  readonly newText: string;
}

/** Describes a write of the content that is asked about now. */
export async function describeNew(
  {files, roots}: HostContext,
  place: RootedPath,
  {seen, cover, isChanged, newText}: NewContent,
): Promise<ToolCallDescription> {
  const {text: oldText} = seen ?? (await files.snapshot(place));
  return describeWrite(place, roots, {
    oldText,
    newText,
    approved: cover.kind === 'other' ? cover.approved : undefined,
    isChanged: isChanged || cover.kind === 'changed',
  });
}

export function describeCommand(
  command: CheckedCommand,
  {env}: acp.CreateTerminalRequest,
  roots: Roots,
): ToolCallDescription {
  const {line, cwd} = command;
  const given = env ?? [];
  const changing = changingVariables(given, line);
  const variables = changing.map(({name, value}) => `${name}=${quoteWord(value)}`);
  const others = given.filter((variable) => !changing.includes(variable));
  const where = cwd === roots.cwd ? [] : [inFolder(cwd)];
  const having = variables.length === 0 ? [] : ['with', ...variables];
  const how = [...where, ...having];
  return {
    title: line,
    kind: 'execute',
    rawInput: {command: line, ...(others.length > 0 && {env: valuesOf(others)})},
    content: how.length === 0 ? [] : [textPart(how.join('\n'))],
  };
}

export function describeConnection(host: TargetHost) {
  const where = host.isPrivate
    ? 'this computer or its network. The answer is for this port only.'
    : 'this host. The answer is for all of its ports.';
  return {
    title: `Connect to ${hostWithPort(host)}`,
    kind: 'fetch',
    content: [textPart(`A program in the sandbox wants to reach ${where}`)],
  } satisfies ToolCallDescription;
}

function valuesOf(variables: readonly acp.EnvVariable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map(({name, value}) => [name, value]));
}

/** Returns a note on the folder in which a command runs. */
export function folderNote(folder: string): acp.ToolCallContent {
  return textPart(inFolder(folder));
}

const inFolder = (folder: string) => `in ${folder}`;

/** Asks the user a question of acp-tui's own with two answers. */
export async function askUser(
  context: HostContext,
  {yes, ...question}: HostQuestion,
  sessionId: acp.SessionId,
): Promise<boolean | undefined> {
  const chosen = await askChoice(context, {...question, choices: [yes]}, sessionId);
  return chosen === undefined ? undefined : chosen === 0;
}

/**
 * Asks the user a question of acp-tui's own, with the protections of a permission request: keys typed before it appeared do not answer it, and a choice
 * requires that all of its text was on the screen.
 */
export async function askChoice(
  context: HostContext,
  {title, text, choices, no, withdrawn = new AbortController().signal}: UserChoice,
  sessionId: acp.SessionId,
): Promise<number | undefined> {
  const {pendingPermissions, options} = context;
  if (!options.hasUser) return undefined;
  const sides: acp.PermissionOption[] = [
    ...choices.map((name, index) => ({optionId: `yes-${index}`, name, kind: 'allow_once' as const})),
    {optionId: 'no', name: no, kind: 'reject_once'},
  ];
  const request = hostPermissionRequest(
    sessionId,
    {title, kind: 'other', content: [textPart(text)]},
    {options: sides},
  );
  const interrupts = requestInterrupts(context, withdrawn);
  const {option, decision, key} = await pendingPermissions.ask(
    {request, asker: 'acp-tui'},
    {
      ...interrupts,
      by: 'acp-tui',
      denied: {method: 'trust', title, allowedBy: undefined},
    },
  );
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
  const status = decision.outcome === 'allowed' ? 'completed' : 'failed';
  options.onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, status});
  if (decision.outcome === 'cancelled' || !option) return undefined;
  return option.kind === 'allow_once' ? sides.indexOf(option) : -1;
}
