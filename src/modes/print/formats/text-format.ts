import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Include} from '../../../cli/options.ts';
import type {ToolCallEntry} from '../../../session/entries.ts';
import type {SessionEvent, Update} from '../../../session/events.ts';
import {commandLabel} from '../../../session/labels/command-label.ts';
import {resultText, withoutFence} from '../../../session/labels/result-text.ts';
import {shownContent} from '../../../session/labels/shown-content.ts';
import {stateLabel} from '../../../session/labels/tool-labels.ts';
import {plainResult} from '../../../session/labels/result-rows.ts';
import {toolCall} from '../../../session/selectors.ts';
import type {SessionState} from '../../../session/state.ts';
import {subagentFacts, subagentName} from '../../../session/subagents/names.ts';
import {isWorking, subagentForDisplay, subagentEntry} from '../../../session/subagents/tree.ts';
import {visibleText} from '../../../session/transcript/content.ts';
import {changesIn, type FileChange} from '../../../session/transcript/diffs.ts';
import {stepStatus} from '../../../session/transcript/patches.ts';
import {compactNumber, cost} from '../../../text/format.ts';
import {sanitize, sanitizeLine} from '../../../text/sanitize.ts';
import {createMessageStream, spokenText} from '../answer.ts';
import type {Output} from '../../../cli/output.ts';
import type {RunResult} from '../schema.ts';
import type {Format, FormatContext, RunEvent} from './format.ts';
import {hasRun, isCallUpdate} from '../../../session/transcript/tool-status.ts';

/** Streams the answer on stdout, and progress on stderr. */
export function createText(context: FormatContext): Format {
  const stream = createTextStream(context);
  return {
    narrates: true,
    onEvent: (step) => stream.onStep(step),
    finish(result) {
      stream.end();
      if (context.include.has('usage')) stream.print(usageLine(result.usage));
    },
  };
}

type TextOutput = Pick<Output, 'isTerminal' | 'write' | 'flush'>;

interface TextStreamContext extends Pick<FormatContext, 'include'> {
  readonly stdout: TextOutput;
  /** Progress; the same output as for the answer, if both are read together. */
  readonly stderr: TextOutput;
}

/** Streams the agent's messages, and progress in lines of its own. */
export function createTextStream({stdout, stderr, include}: TextStreamContext) {
  const isShared = stdout === stderr || (stdout.isTerminal && stderr.isTerminal);
  const answer = createMessageStream((text) => stdout.write(text), stdout.isTerminal ? sanitize : undefined);
  function print(line: string): void {
    if (isShared) {
      answer.breakLine();
      stdout.flush();
    }
    stderr.write(`${line}\n`);
    if (isShared) stderr.flush();
  }

  const narrator = createNarrator(include, print);
  return {
    onStep(step: RunEvent): void {
      const {part} = step;
      if (!part) {
        narrator.onStep(step);
        return;
      }
      narrator.flush();
      if (part.replaces) print(`The agent has ${part.text === '' ? 'withdrawn' : 'changed'} its message.`);
      answer.push(part);
    },
    /** Prints a line of the caller's. */
    print,
    /** Ends incomplete lines. */
    end(): void {
      narrator.flush();
      answer.end();
    },
  };
}

/** Number of lines at the end of a tool's output with `--include tools`. */
const MAX_OUTPUT_LINES = 20;
const BOXES: Readonly<Record<ReturnType<typeof stepStatus>, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
};

function toolBegins(call: ToolCallEntry): string {
  return `tool: ${sanitizeLine(call.title)} (${stateLabel(call)})`;
}

/** Returns the command, if the title does not contain it, and how it ended. */
function toolEnds(call: ToolCallEntry, {terminals}: Pick<SessionState, 'terminals'>): string {
  const parts = [call.title, commandLabel(call, terminals)].filter((text) => text !== undefined);
  return `tool: ${sanitizeLine(parts.join(': '))} (${stateLabel(call)})`;
}

/** Returns a tool's result, indented below its line. */
function toolOutput(call: ToolCallEntry, state: SessionState): string[] {
  const parts = [
    ...shownContent(call, state.terminals).map((item) => textOf(item, call, state)),
    plainResult(resultText(call)),
  ];
  const lines = parts
    .map((text) => text.trimEnd())
    .filter((text) => text !== '')
    .flatMap((text) => text.split('\n'));
  const shown = lines.slice(-MAX_OUTPUT_LINES).map((line) => `  ${line}`);
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [`  … ${hidden} earlier lines`, ...shown] : shown;
}

/** Text of the state, which is already sanitized. */
function textOf(item: acp.ToolCallContent, {kind}: ToolCallEntry, state: SessionState): string {
  if (item.type === 'content') return withoutFence(plainResult(visibleText([item.content])).trimEnd());
  if (item.type === 'diff')
    return changesIn({content: [item], kind})
      .map(changeLine)
      .join('');
  return state.terminals.get(item.terminalId)?.output ?? '';
}

const DOES: Readonly<Record<FileChange['does'], string>> = {
  edit: 'changes',
  delete: 'deletes',
  move: 'moves',
  copy: 'copies',
  other: 'changes',
};

function changeLine({does, path, oldPath}: FileChange): string {
  return `${DOES[does]} ${oldPath === undefined ? path : `${oldPath} to ${path}`}`;
}

function planLines(entries: readonly acp.PlanEntry[]): string[] {
  return entries.map((step) => `plan: ${BOXES[stepStatus(step)]} ${sanitizeLine(step.content)}`);
}

/** Returns a plan in prose, without blank lines. */
function planText(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => `plan: ${sanitizeLine(line)}`);
}

function noticeLine(level: string, text: string): string {
  const name = level === 'warning' || level === 'error' ? level : 'notice';
  return `${name}: ${sanitizeLine(text)}`;
}

function usageLine({tokens, context, cost: amount}: RunResult['usage']): string {
  const parts = [
    tokens && `${compactNumber(tokens.input)} tokens in, ${compactNumber(tokens.output)} out`,
    context && `context ${compactNumber(context.used)} of ${compactNumber(context.size)}`,
    amount && cost(amount),
  ].filter((part) => part !== null);
  return `usage: ${parts.length > 0 ? parts.join(', ') : 'not reported by the agent'}`;
}

/** Prints lines about progress besides the answer. */
function createNarrator(include: ReadonlySet<Include>, print: (line: string) => void) {
  const tools = createToolNarrator(include, print);
  const thoughts = createLineWriter('thought', print);
  const outside = createLineWriter('notice', print);

  function flush(): void {
    thoughts.flush();
    outside.flush();
  }

  function stream(writer: LineWriter, content: acp.ContentBlock): void {
    (writer === thoughts ? outside : thoughts).flush();
    writer.push(spokenText(content) ?? '');
  }

  /** True for an update with streaming text. */
  function streamed(update: Update, inTurn: boolean): boolean {
    if (update.sessionUpdate === 'agent_message_chunk' && !inTurn) stream(outside, update.content);
    else if (update.sessionUpdate === 'agent_thought_chunk' && include.has('thoughts'))
      stream(thoughts, update.content);
    else return false;
    return true;
  }

  function printUpdate(update: Update): void {
    if (update.sessionUpdate === 'notice') {
      const {severity, title, description} = update;
      print(noticeLine(severity, description ? `${title}: ${description}` : title));
    } else if (include.has('plan')) {
      for (const line of linesOfPlan(update)) print(line);
    }
  }

  const narrateSubagents = createSubagentNarrator(include, (line) => {
    flush();
    print(line);
  });

  let promptEntry = 0;
  return {
    onStep({event, state}: RunEvent): void {
      narrateSubagents(event, state);
      if (event.type === 'session_update') {
        if (streamed(event.update, state.turn.kind !== 'idle')) return;
        flush();
        tools.onUpdate(event.update, state);
        printUpdate(event.update);
      } else if (event.type === 'notice') print(noticeLine(event.level, event.text));
      else if (event.type === 'elicitation_refused') print(noticeLine('warning', event.text));
      else if (event.type === 'prompt_started') {
        flush();
        promptEntry = state.entries.length;
      } else if (event.type === 'prompt_ended') {
        flush();
        tools.endAll(state, promptEntry);
      }
    },
    /** Ends an incomplete line before other output. */
    flush,
  };
}

/** Returns a plan's steps, its text, or the name of its file. */
function linesOfPlan(update: Update): readonly string[] {
  if (update.sessionUpdate === 'plan') return planLines(update.entries);
  if (update.sessionUpdate !== 'plan_update') return [];
  const {plan} = update;
  switch (plan.type) {
    case 'items':
      return planLines(plan.entries);
    case 'markdown':
      return planText(plan.content);
    case 'file':
      return planText(plan.uri);
    default:
      return [];
  }
}

type ToolNarrator = ReturnType<typeof createToolNarrator>;

/** Prints each tool call when it has ended; with `--include tools` also its start and its result. */
function createToolNarrator(include: ReadonlySet<Include>, print: (line: string) => void) {
  const isDetailed = include.has('tools');
  const begun = new Set<acp.ToolCallId>();
  const ended = new Set<acp.ToolCallId>();

  function printStart(call: ToolCallEntry): void {
    if (!isDetailed || begun.has(call.toolCallId)) return;
    begun.add(call.toolCallId);
    print(toolBegins(call));
  }

  function printEnd(call: ToolCallEntry, state: SessionState): void {
    if (ended.has(call.toolCallId)) return;
    ended.add(call.toolCallId);
    print(toolEnds(call, state));
    if (isDetailed) for (const line of toolOutput(call, state)) print(line);
  }

  return {
    onUpdate(update: Update, state: SessionState): void {
      if (!isCallUpdate(update)) return;
      const call = toolCall(state, update.toolCallId);
      if (!call) return;
      if (hasRun(call.status)) printEnd(call, state);
      else printStart(call);
    },
    /** Prints the calls after a prompt that the agent never ended, e.g. after a cancel. */
    endAll(state: SessionState, promptEntry: number): void {
      for (const entry of state.entries.slice(promptEntry))
        if (entry.type === 'tool_call') printEnd(entry, state);
    },
  };
}

/** Prints when a subagent starts and ends, and the tools that it used, each with its name. */
function createSubagentNarrator(include: ReadonlySet<Include>, print: (line: string) => void) {
  const tools = new Map<string, ToolNarrator>();
  const lastStates = new Map<string, string | undefined>();

  function printActivity(id: string, state: SessionState): void {
    const entry = subagentEntry(state, id);
    // What it waits for is answered at once, or reported as rejected.
    const now = entry && isWorking(entry) ? 'working' : entry?.state;
    if (!entry || lastStates.get(id) === now) return;
    lastStates.set(id, now);
    const facts = subagentFacts(entry, state.subagents[id]?.session);
    if (facts.length > 0) print(`subagent ${subagentName(state, id)}: ${facts.join(', ')}`);
  }

  function toolsOf(id: string, state: SessionState): ToolNarrator {
    const known = tools.get(id);
    if (known) return known;
    const made = createToolNarrator(include, (line) => print(`subagent ${subagentName(state, id)}: ${line}`));
    tools.set(id, made);
    return made;
  }

  return (event: SessionEvent, state: SessionState): void => {
    if (event.type !== 'session_update' && event.type !== 'subagent_updated') return;
    const {update} = event;
    if (update.sessionUpdate === 'subagent_update') printActivity(update.sessionId, state);
    if (event.type !== 'subagent_updated') return;
    const {sessionId} = event;
    const session = subagentForDisplay(state, sessionId);
    if (session) toolsOf(sessionId, state).onUpdate(update, session);
  };
}

type LineWriter = ReturnType<typeof createLineWriter>;

/** Passes on streamed text as whole lines with a name as prefix; blank lines are omitted. */
function createLineWriter(name: string, print: (line: string) => void) {
  let rest = '';
  function printLines(text: string): void {
    for (const line of sanitize(text).split('\n')) if (line.trim() !== '') print(`${name}: ${line}`);
  }
  return {
    push(text: string): void {
      const end = text.lastIndexOf('\n');
      if (end === -1) {
        rest += text;
        return;
      }
      printLines(rest + text.slice(0, end));
      rest = text.slice(end + 1);
    },
    /** Writes an incomplete last line. */
    flush(): void {
      printLines(rest);
      rest = '';
    },
  };
}

/** Writes only the last message, at the end. */
export function createQuiet({stdout}: FormatContext): Format {
  return {
    finish(_result, last) {
      if (last !== undefined) stdout.write(`${stdout.isTerminal ? sanitize(last) : last}\n`);
    },
  };
}
