import type * as acp from '@agentclientprotocol/sdk/unstable';
import {terminalText} from '../../export/text.ts';
import type {
  CompactionEntry,
  Entry,
  NoticeEntry,
  SessionMessageEntry,
  SubagentEntry,
  ToolCallEntry,
  ToolStatus,
} from '../../session/entries.ts';
import type {SessionState} from '../../session/state.ts';
import {codeFence} from '../../text/format.ts';
import {isJsonObject, jsonOf} from '../../text/json.ts';
import type {Update} from '../../session/events.ts';
import {shownContent} from '../../session/labels/shown-content.ts';
import {textPart} from '../../session/transcript/content.ts';
import {fileChangeOf} from '../../session/transcript/diffs.ts';
import {STABLE_PLAN} from '../../session/transcript/plans.ts';
import {isCallUpdate} from '../../session/transcript/tool-status.ts';

type Terminals = SessionState['terminals'];

/** An update as an editor gets it: of the schema, or of a kind that only agents and editors know. */
export type EditorUpdate = Update | {readonly sessionUpdate: string};

/** Returns a transcript, from an entry on, as the updates with which an agent replays a session ("Loading Sessions"). */
export function transcriptUpdates({entries, plans, terminals}: SessionState, from = 0): readonly Update[] {
  const unfinished = plans.filter(({finishedEntry}) => finishedEntry === undefined);
  return [
    ...entries.slice(from).flatMap((entry) => entryUpdates(entry, terminals)),
    ...unfinished.map(({content}) => planUpdate(content)),
  ];
}

function entryUpdates(entry: Entry, terminals: Terminals): readonly Update[] {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      // Two messages in a row would be one without IDs.
      return messageUpdates(
        `${entry.type}_chunk`,
        entry.content,
        entry.messageId ?? (entry.complete ? entry.id : undefined),
      );
    case 'tool_call':
      return [{sessionUpdate: 'tool_call', ...toolCallOf(entry, terminals)}];
    case 'plan':
      return [planUpdate(entry.content)];
    case 'notice':
      return entry.source === 'agent' ? [noticeUpdate(entry)] : [];
    case 'compaction':
    case 'subagent':
    case 'session_message':
      return [draftUpdate(entry)];
    // The protocol has no updates for what acp-tui adds.
    default:
      return [];
  }
}

/** Returns an update for each block of a message. */
export function messageUpdates(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  content: readonly acp.ContentBlock[],
  messageId?: string,
): readonly acp.SessionUpdate[] {
  return content.map((block) => ({
    sessionUpdate,
    content: block,
    ...(messageId !== undefined && {messageId}),
  }));
}

export function noticeUpdate({level, text}: Pick<NoticeEntry, 'level' | 'text'>): Update {
  return {sessionUpdate: 'notice', severity: level, title: text};
}

function draftUpdate(entry: CompactionEntry | SubagentEntry | SessionMessageEntry): Update {
  switch (entry.type) {
    case 'compaction': {
      const {compactionId, status, summary, error} = entry;
      const update = {compactionId, status, summary: [...summary], ...(error !== undefined && {error})};
      return {sessionUpdate: 'compaction_update', ...update};
    }
    case 'subagent': {
      const {sessionId, title = null, description = null, state, stopReason} = entry;
      const update = {
        sessionId,
        title,
        description,
        ...(state !== undefined && {state: {state, stopReason}}),
      };
      return {sessionUpdate: 'subagent_update', ...update};
    }
    case 'session_message': {
      const {messageId, sender = null, recipient = null, content} = entry;
      const update = {messageId, senderSessionId: sender, recipientSessionId: recipient};
      return {sessionUpdate: 'session_message', ...update, content: [...content]};
    }
  }
}

function planUpdate(plan: acp.PlanUpdateContent): Update {
  const isStable = plan.type === 'items' && plan.planId === STABLE_PLAN;
  return isStable ? {sessionUpdate: 'plan', entries: plan.entries} : {sessionUpdate: 'plan_update', plan};
}

/** The plan for an editor that has only the stable one: text is a step of it, since each update replaces the plan. */
function stablePlan(plan: acp.PlanUpdateContent): Update {
  if (plan.type === 'items') return {sessionUpdate: 'plan', entries: plan.entries};
  const content = plan.type === 'file' ? plan.uri : plan.content;
  return {sessionUpdate: 'plan', entries: [{content, priority: 'medium', status: 'in_progress'}]};
}

/** Version 1 has no status for a cancelled call, nor for a paused one. */
const STATUSES: Readonly<Record<ToolStatus, acp.ToolCallStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  paused: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
};

/** Returns the ID by which editors know a call: that under which acp-tui has shown it first. */
export function callIdOf({toolCallId, askedAs = toolCallId}: ToolCallEntry): acp.ToolCallId {
  return askedAs;
}

/** Returns a tool call as it is now. */
export function toolCallOf(entry: ToolCallEntry, terminals: Terminals): acp.ToolCall {
  const {title, name, kind, status, locations, rawInput, rawOutput} = entry;
  return {
    toolCallId: callIdOf(entry),
    title,
    kind,
    status: STATUSES[status],
    content: withTerminalText(entry, terminals).map((part) => withDeletion(part, kind)),
    locations: [...locations],
    ...(name !== undefined && {name}),
    ...(rawInput !== undefined && {rawInput}),
    ...(rawOutput !== undefined && {rawOutput}),
  };
}

/** Says of a diff that it deletes its file, as agents do ("Represent deleted files in diff"). */
function withDeletion(part: acp.ToolCallContent, kind: acp.ToolKind): acp.ToolCallContent {
  if (part.type !== 'diff' || fileChangeOf(part, kind)?.does !== 'delete') return part;
  const deleted = {...part, deleted: true};
  return deleted;
}

/** Commands run in acp-tui's terminals, which an editor does not have: their output, as text instead, and once, whatever texts the agent sends beside it. */
function withTerminalText(
  call: Parameters<typeof shownContent>[0],
  terminals: Terminals,
): acp.ToolCallContent[] {
  const hasTerminal = call.content.some(({type}) => type === 'terminal');
  return (hasTerminal ? shownContent(call, terminals) : call.content).map((part) => {
    const terminal = part.type === 'terminal' ? terminals.get(part.terminalId) : undefined;
    if (part.type !== 'terminal') return part;
    const text = terminal ? `$ ${terminal.command ?? ''}\n${terminalText(terminal)}`.trimEnd() : '';
    return textPart(codeFence(text));
  });
}

/** Returns what an editor gets of an update that only those take that have offered to: text for the others, if it says something. */
export function supportedUpdates(
  update: EditorUpdate,
  {session, subagents, plan}: acp.ClientCapabilities,
): readonly EditorUpdate[] {
  const known = update as Update;
  switch (known.sessionUpdate) {
    case 'notice':
      return session?.notices ? [update] : remarkUpdates([known.title, known.description]);
    case 'subagent_update':
      return subagents ? [update] : remarkUpdates([known.title && `Subagent: ${known.title}`]);
    case 'compaction_update':
      if (session?.compaction) return [update];
      return known.status === 'in_progress' ? [] : remarkUpdates([COMPACTED[known.status], known.error]);
    case 'compaction_summary_chunk':
      return session?.compaction ? [update] : [];
    case 'session_message':
    case 'session_message_chunk':
      return subagents ? [update] : [];
    case 'plan_update':
      return plan ? [update] : [stablePlan(known.plan)];
    case 'plan_removed':
      return plan ? [update] : NO_PLAN;
    default:
      return [update];
  }
}

const NO_PLAN: readonly acp.SessionUpdate[] = [{sessionUpdate: 'plan', entries: []}];

const COMPACTED: Readonly<Record<string, string>> = {
  completed: 'The conversation was compacted.',
  failed: 'The conversation could not be compacted.',
};

/** Sentences between the messages of a transcript. */
export function remarkUpdates(texts: readonly (string | null | undefined)[]): readonly acp.SessionUpdate[] {
  const said = texts.filter(Boolean).join(' ');
  return said === '' ? [] : messageUpdates('agent_message_chunk', [{type: 'text', text: `\n\n${said}\n\n`}]);
}

/** Returns an agent's update for the editor: unchanged, except for terminals. Undefined for one that cannot be sent again. */
export function forwardableUpdate(update: Update, terminals: Terminals): readonly EditorUpdate[] | undefined {
  if (update.sessionUpdate === '_unknown') {
    const original = jsonOf(update.json);
    return isJsonObject(original) ? [original as unknown as EditorUpdate] : undefined;
  }
  if (!isCallUpdate(update) || !update.content?.some(({type}) => type === 'terminal')) return [update];
  const {content, rawInput} = update;
  return [{...update, content: withTerminalText({content, rawInput}, terminals)}];
}
