import {randomUUID} from 'node:crypto';
import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {CallOfSession, HostOptions} from '../services.ts';
import type {PermissionDecision} from '../../session/entries.ts';
import {isFields} from '../../text/json.ts';
import {runInput} from '../../session/requests/run-input.ts';
import {unwrapped} from '../terminals/same-command.ts';
import {type ToolCallDescription, hostToolCallId} from './tool-call-facts.ts';

/** A completed write or a started command. */
export interface DoneEffect {
  readonly sessionId: acp.SessionId;
  /** What allowed it without asking; undefined if acp-tui's own card asked. */
  readonly decision: PermissionDecision | undefined;
  /** That card. */
  readonly card?: acp.ToolCallId;
  /** As it would have been shown when asking. */
  readonly toolCall: ToolCallDescription;
  /** What a tool call of the agent must contain to show this effect. */
  readonly shownAs:
    | {
        readonly type: 'terminal';
        readonly terminalId: acp.TerminalId;
        /** See `ExactCommand`. */
        readonly forms: ReadonlySet<string>;
      }
    | {readonly type: 'write'; readonly paths: readonly string[]; readonly content: string};
  /** Resolves to true if it succeeded. */
  readonly ended: Promise<boolean>;
}

/**
 * Makes sure that every effect is in the transcript, with what allowed it: on the agent's own card if that shows this terminal or diff, or has the same command or
 * write as its input, else as its own entry. It stays there whatever the agent sends later.
 * A command that was asked about gets its output on its card.
 */
export interface EffectEntries {
  add(effect: DoneEffect): void;
  /** Called for every update of a tool call by the agent. */
  toolCallUpdated(
    sessionId: acp.SessionId,
    update: Pick<acp.ToolCallUpdate, 'toolCallId' | 'content' | 'status'>,
  ): void;
  /** Adds entries for effects that the agent has not shown yet. */
  settle(): void;
  /** Called before a text of the agent is shown: what it may be about comes first, unless a running call may still show it. */
  agentSpoke(sessionId: acp.SessionId): void;
  /** Tool calls of the last turn are forgotten. */
  turnStarted(): void;
}

/** How long an agent has to show an effect, in milliseconds. */
const GRACE_MS = 500;
/** Number of newest tool calls of a turn that are kept. */
const MAX_CALLS = 200;

/** A tool call with the content of one of its updates. */
interface ShownCall extends CallOfSession {
  readonly content: readonly acp.ToolCallContent[];
}

type Options = Pick<HostOptions, 'cwd' | 'permissions' | 'onUpdate' | 'toolCall'>;

export function createEffectEntries(options: Options): EffectEntries {
  const waiting = new Map<DoneEffect, NodeJS.Timeout>();
  const outcomes = new WeakMap<DoneEffect, acp.ToolCallStatus>();
  const running = new Set<acp.ToolCallId>();
  let calls: readonly ShownCall[] = [];
  /** Calls of the turn that no effect was added to, newest first. */
  let free: readonly CallOfSession[] = [];
  /** Effects of the turn that a call of the agent shows, newest first. */
  let shown: readonly {readonly call: CallOfSession; readonly effect: DoneEffect}[] = [];

  const decide = (call: CallOfSession, decision: PermissionDecision) =>
    options.permissions.resolved(randomUUID(), call, decision);

  function mark(effect: DoneEffect, {sessionId, toolCallId}: CallOfSession): void {
    const call = {sessionId, toolCallId};
    stopWaiting(effect);
    shown = [{call, effect}, ...shown].slice(0, MAX_CALLS);
    // A decision of the user or a rule about the card itself takes precedence.
    const hasDecision = options.toolCall(call)?.permission !== undefined;
    if (effect.decision && !hasDecision) decide(call, effect.decision);
  }

  function create(effect: DoneEffect): void {
    stopWaiting(effect);
    const {sessionId, toolCall: asked, decision, ended, card} = effect;
    const update = (sessionUpdate: acp.SessionUpdate) => options.onUpdate(sessionId, sessionUpdate);
    const content = contentOf(effect);
    const named = card === undefined ? free.find((call) => isInputOf(call, effect, options)) : undefined;
    if (named) {
      free = free.filter((call) => call !== named);
      const {toolCallId} = named;
      const before = options.toolCall(named)?.content ?? [];
      update({sessionUpdate: 'tool_call_update', toolCallId, content: [...before, ...content]});
      return mark(effect, named);
    }
    const toolCallId = card ?? hostToolCallId();
    const title = asked.title ?? '';
    const status = outcomes.get(effect) ?? 'in_progress';
    if (card !== undefined) return update({sessionUpdate: 'tool_call_update', toolCallId, content});
    update({...withoutNull(asked), sessionUpdate: 'tool_call', toolCallId, title, content, status});
    if (decision) decide({sessionId, toolCallId}, decision);
    if (status !== 'in_progress') return;
    void ended.then((succeeded) =>
      update({sessionUpdate: 'tool_call_update', toolCallId, status: statusOf(succeeded)}),
    );
  }

  function stopWaiting(effect: DoneEffect): void {
    clearTimeout(waiting.get(effect));
    waiting.delete(effect);
  }

  return {
    add(effect) {
      void effect.ended.then((succeeded) => outcomes.set(effect, statusOf(succeeded)));
      const showing = calls.find((call) => shows(call, effect, options.cwd));
      if (showing) mark(effect, showing);
      else waiting.set(effect, setTimeout(() => create(effect), GRACE_MS).unref());
    },
    toolCallUpdated(sessionId, {toolCallId, content, status}) {
      if (status === 'completed' || status === 'failed') running.delete(toolCallId);
      else running.add(toolCallId);
      const isKnown = [...calls, ...free].some((call) => isOf(call, {sessionId, toolCallId}));
      if (!isKnown) free = [{sessionId, toolCallId}, ...free].slice(0, MAX_CALLS);
      if (!content) return;
      const call = {sessionId, toolCallId, content};
      const missing = shown.filter((each) => isOf(each.call, call) && !shows(call, each.effect, options.cwd));
      const kept = [...content, ...missing.flatMap(({effect}) => contentOf(effect))];
      if (missing.length > 0)
        options.onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, content: kept});
      if (content.length === 0) return;
      calls = [call, ...calls].slice(0, MAX_CALLS);
      for (const effect of waiting.keys()) if (shows(call, effect, options.cwd)) mark(effect, call);
    },
    settle: () => [...waiting.keys()].forEach(create),
    agentSpoke(sessionId) {
      if (running.size > 0) return;
      for (const effect of waiting.keys()) if (effect.sessionId === sessionId) create(effect);
    },
    turnStarted() {
      calls = [];
      free = [];
      shown = [];
      running.clear();
    },
  };
}

function statusOf(succeeded: boolean): acp.ToolCallStatus {
  return succeeded ? 'completed' : 'failed';
}

function shows({sessionId, content}: ShownCall, effect: DoneEffect, cwd: string): boolean {
  const {shownAs} = effect;
  return (
    sessionId === effect.sessionId &&
    content.some((part) => {
      if (shownAs.type === 'terminal')
        return part.type === 'terminal' && part.terminalId === shownAs.terminalId;
      if (part.type !== 'diff' || !shownAs.paths.includes(resolve(cwd, part.path))) return false;
      return (
        part.newText === shownAs.content || (part.newText !== '' && shownAs.content.includes(part.newText))
      );
    })
  );
}

/** Returns what shows an effect in a tool call. */
function contentOf({toolCall, shownAs}: DoneEffect): acp.ToolCallContent[] {
  const {type} = shownAs;
  return [
    ...(toolCall.content ?? []),
    ...(type === 'terminal' ? [{type, terminalId: shownAs.terminalId}] : []),
  ];
}

function isOf(call: CallOfSession, {sessionId, toolCallId}: CallOfSession): boolean {
  return call.sessionId === sessionId && call.toolCallId === toolCallId;
}

/** True if a call's input is the same command, or the path and the content of the same write. */
function isInputOf(
  call: CallOfSession,
  {sessionId, shownAs}: DoneEffect,
  {cwd, toolCall}: Pick<Options, 'cwd' | 'toolCall'>,
): boolean {
  const {rawInput} = toolCall(call) ?? {};
  if (call.sessionId !== sessionId || !isFields(rawInput)) return false;
  if (shownAs.type === 'terminal') {
    const command = runInput(rawInput)?.command;
    const forms = command === undefined ? [] : unwrapped(command, {cwd, path: undefined});
    return forms.some((form) => shownAs.forms.has(JSON.stringify(form)));
  }
  const texts = Object.values(rawInput).filter((value) => typeof value === 'string');
  return texts.includes(shownAs.content) && texts.some((text) => shownAs.paths.includes(resolve(cwd, text)));
}

function withoutNull({kind, locations, rawInput}: ToolCallDescription) {
  return {...(kind && {kind}), ...(locations && {locations}), ...(rawInput !== undefined && {rawInput})};
}
