import {randomUUID} from 'node:crypto';
import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {CallOfSession, HostOptions} from '../services.ts';
import type {PermissionDecision} from '../../session/entries.ts';
import {isWrite} from '../../session/transcript/diffs.ts';
import {isJsonObject} from '../../text/json.ts';
import {runInput} from '../../session/requests/run-input.ts';
import {unwrapCommand} from '../terminals/same-command.ts';
import {type ToolCallDescription, hostToolCallId} from './tool-call-facts.ts';
import {hasRun} from '../../session/transcript/tool-status.ts';

interface ShownCommand {
  readonly type: 'terminal';
  /** See `ExactCommand`. */
  readonly forms: ReadonlySet<string>;
}

interface ShownWrite {
  readonly type: 'write';
  readonly paths: readonly string[];
  /** Of the whole file; null if there was none, undefined if it is unknown. */
  readonly before?: string | null | undefined;
  readonly content: string;
}

/** A completed write or a started command. */
export interface DoneEffect {
  readonly sessionId: acp.SessionId;
  /** What allowed it without asking; undefined if acp-tui's own card asked. */
  readonly decision: PermissionDecision | undefined;
  /** That card. */
  readonly card?: acp.ToolCallId;
  /** The agent's call that was asked about instead. */
  readonly call?: CallOfSession;
  /** As it would have been shown when asking. */
  readonly toolCall: ToolCallDescription;
  /** What a tool call of the agent must contain to show this effect. */
  readonly shownAs: (ShownCommand & {readonly terminalId: acp.TerminalId}) | ShownWrite;
  /** Resolves to true if it succeeded. */
  readonly ended: Promise<boolean>;
}

/**
 * Makes sure that every effect is in the transcript, with what allowed it: on the agent's own card if that shows this terminal or diff, or has the same command or
 * write as its input, else as its own entry. It stays there whatever the agent sends later.
 * A command that was asked about gets its output on its card.
 */
export interface EffectEntries {
  /** Returns the running call of the agent whose input, or whose diffs, are what is asked about, if nobody has decided about it. No other effect is added to it. */
  takeCall(effect: NamedEffect): CallOfSession | undefined;
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

/** What names an effect before it happens. */
export interface NamedEffect extends Pick<DoneEffect, 'sessionId'> {
  readonly shownAs: ShownCommand | ShownWrite;
}

/** How long an agent has to show an effect, in milliseconds. */
const GRACE_MS = 500;
/** Number of newest tool calls of a turn, and of effects that calls show, that are kept. */
const MAX_CALLS = 200;

/** A tool call with the content of one of its updates. */
interface ShownCall extends CallOfSession {
  readonly content: readonly acp.ToolCallContent[];
}

type Options = Pick<HostOptions, 'cwd' | 'permissions' | 'onUpdate' | 'toolCall'>;

export function createEffectEntries(options: Options): EffectEntries {
  const waiting = new Map<DoneEffect, NodeJS.Timeout>();
  /** Those on cards of acp-tui's own, which a call of the agent may still show. */
  const ownCards = new Set<DoneEffect>();
  const outcomes = new WeakMap<DoneEffect, acp.ToolCallStatus>();
  const calls = createCallsOfTurn(options);
  const shownEffects = createShownEffects(options);

  function mark(effect: DoneEffect, call: CallOfSession): void {
    stopWaiting(effect);
    ownCards.delete(effect);
    shownEffects.add(call, effect);
    // A decision of the user or a rule about the card itself takes precedence.
    const hasDecision = options.toolCall(call)?.permission !== undefined;
    if (effect.decision && !hasDecision) decide(options, call, effect.decision);
  }

  function create(effect: DoneEffect): void {
    stopWaiting(effect);
    const {sessionId, card, call} = effect;
    const content = contentOf(effect);
    const named = card === undefined ? (call ?? calls.takeNamed(effect)) : undefined;
    if (named) {
      addTo(named, content, options);
      return mark(effect, named);
    }
    ownCards.add(effect);
    if (card === undefined) return report(effect, outcomes.get(effect) ?? 'in_progress', options);
    options.onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId: card, content});
  }

  function stopWaiting(effect: DoneEffect): void {
    clearTimeout(waiting.get(effect));
    waiting.delete(effect);
  }

  return {
    add(effect) {
      void effect.ended.then((succeeded) => outcomes.set(effect, statusOf(succeeded)));
      const call = calls.showing(effect);
      if (call) mark(effect, call);
      else if (effect.card !== undefined || effect.call) create(effect);
      else waiting.set(effect, setTimeout(() => create(effect), GRACE_MS).unref());
    },
    toolCallUpdated(sessionId, toolCall) {
      calls.updated(sessionId, toolCall);
      const {toolCallId, content} = toolCall;
      if (!content) return;
      const call = {sessionId, toolCallId, content};
      shownEffects.keep(call);
      if (content.length === 0) return;
      for (const effects of [waiting.keys(), ownCards])
        for (const effect of effects) if (shows(call, effect, options.cwd)) mark(effect, call);
    },
    settle: () => [...waiting.keys()].forEach(create),
    agentSpoke(sessionId) {
      if (calls.areRunning()) return;
      for (const effect of waiting.keys()) if (effect.sessionId === sessionId) create(effect);
    },
    takeCall: (effect) => calls.takeNamed(effect, calls.isUndecided),
    turnStarted() {
      calls.clear();
      ownCards.clear();
    },
  };
}

/** Reports a call of its own for an effect, as an agent would. */
function report(effect: DoneEffect, status: acp.ToolCallStatus, options: Options): void {
  const {sessionId, toolCall: asked, decision, ended} = effect;
  const update = (sessionUpdate: acp.SessionUpdate) => options.onUpdate(sessionId, sessionUpdate);
  const toolCallId = hostToolCallId();
  const shown = {toolCallId, title: asked.title ?? '', content: contentOf(effect), status};
  update({...withoutNull(asked), sessionUpdate: 'tool_call', ...shown});
  if (decision) decide(options, {sessionId, toolCallId}, decision);
  if (status !== 'in_progress') return;
  void ended.then((succeeded) =>
    update({sessionUpdate: 'tool_call_update', toolCallId, status: statusOf(succeeded)}),
  );
}

function addTo(call: CallOfSession, content: ShownCall['content'], {toolCall, onUpdate}: Options): void {
  const {sessionId, toolCallId} = call;
  const all = [...(toolCall(call)?.content ?? []), ...content];
  onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, content: all});
}

function decide(
  {permissions}: Options,
  {sessionId, toolCallId}: CallOfSession,
  decision: PermissionDecision,
): void {
  permissions.resolved(randomUUID(), {sessionId, toolCallId}, decision);
}

/** A tool call of the agent with its newest content. */
interface CallOfTurn extends ShownCall {
  /** True as long as no effect was added to it. */
  readonly isFree: boolean;
}

/** The calls of the agent in a turn. What an update costs does not depend on their number. */
function createCallsOfTurn(options: Options) {
  const running = new Set<acp.ToolCallId>();
  /** By session and ID, the newest last. */
  const calls = new Map<string, CallOfTurn>();

  function newest(holds: (call: CallOfTurn) => boolean): CallOfTurn | undefined {
    return [...calls.values()].findLast(holds);
  }

  return {
    updated(sessionId: acp.SessionId, {toolCallId, content, status}: acp.ToolCallUpdate): void {
      if (hasRun(status)) running.delete(toolCallId);
      else running.add(toolCallId);
      const key = keyOf({sessionId, toolCallId});
      const {content: before = [], isFree = true} = calls.get(key) ?? {};
      calls.set(key, {sessionId, toolCallId, content: content?.length ? content : before, isFree});
      const [oldest] = calls.keys();
      if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
    },
    showing: (effect: DoneEffect) => newest((call) => shows(call, effect, options.cwd)),
    /** Returns a call whose input names an effect. No other effect is added to it. */
    takeNamed(
      effect: NamedEffect,
      mayBe: (call: CallOfSession) => boolean = () => true,
    ): CallOfSession | undefined {
      const named = newest((call) => call.isFree && mayBe(call) && isInputOf(call, effect, options));
      if (named) calls.set(keyOf(named), {...named, isFree: false});
      return named;
    },
    isUndecided: (call: CallOfSession) =>
      running.has(call.toolCallId) && options.toolCall(call)?.permission === undefined,
    areRunning: () => running.size > 0,
    clear: () => {
      calls.clear();
      running.clear();
    },
  };
}

function keyOf({sessionId, toolCallId}: CallOfSession): string {
  return JSON.stringify([sessionId, toolCallId]);
}

/** The effects that calls of the agent show, also of earlier turns: they stay there whatever the agent sends later. */
function createShownEffects({cwd, onUpdate}: Pick<Options, 'cwd' | 'onUpdate'>) {
  /** Newest first. */
  let shown: readonly {readonly call: CallOfSession; readonly effect: DoneEffect}[] = [];
  return {
    add({sessionId, toolCallId}: CallOfSession, effect: DoneEffect): void {
      const call = {sessionId, toolCallId};
      shown = [{call, effect}, ...shown].slice(0, MAX_CALLS);
    },
    /** Adds the effects of a call again that its new content does not show. */
    keep(call: ShownCall): void {
      const {sessionId, toolCallId} = call;
      const missing = shown.filter((each) => isOf(each.call, call) && !shows(call, each.effect, cwd));
      if (missing.length === 0) return;
      const content = [...call.content, ...missing.flatMap(({effect}) => contentOf(effect))];
      onUpdate(sessionId, {sessionUpdate: 'tool_call_update', toolCallId, content});
    },
  };
}

function statusOf(succeeded: boolean): acp.ToolCallStatus {
  return succeeded ? 'completed' : 'failed';
}

/** True if a call shows all of an effect: its terminal, or a write by one of its diffs or by all of them together. */
function shows({sessionId, content}: ShownCall, effect: DoneEffect, cwd: string): boolean {
  const {shownAs, toolCall} = effect;
  if (sessionId !== effect.sessionId) return false;
  if (shownAs.type === 'terminal')
    return content.some((part) => part.type === 'terminal' && part.terminalId === shownAs.terminalId);
  const isOf = (path: string) => shownAs.paths.includes(resolve(cwd, path));
  const diffs = content.filter((part) => part.type === 'diff' && isOf(part.path));
  const before = toolCall.content?.findLast((part) => part.type === 'diff')?.oldText;
  return [diffs, ...diffs.map((diff) => [diff])].some((each) =>
    isWrite(each, {isOf, before, after: shownAs.content}),
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

/** True if a call's input is the same command, or the path and the content of the same write, or if its diffs are this write. */
function isInputOf(
  call: CallOfSession,
  {sessionId, shownAs}: NamedEffect,
  {cwd, toolCall}: Pick<Options, 'cwd' | 'toolCall'>,
): boolean {
  const {rawInput, content} = toolCall(call) ?? {};
  if (call.sessionId !== sessionId) return false;
  const isOf = (path: string) => shownAs.type === 'write' && shownAs.paths.includes(resolve(cwd, path));
  if (shownAs.type === 'write' && isWrite(content, {isOf, before: shownAs.before, after: shownAs.content}))
    return true;
  if (!isJsonObject(rawInput)) return false;
  if (shownAs.type === 'terminal') {
    const command = runInput(rawInput)?.command;
    const forms = command === undefined ? [] : unwrapCommand(command, {cwd, path: undefined});
    return forms.some((form) => shownAs.forms.has(JSON.stringify(form)));
  }
  const texts = Object.values(rawInput).filter((value) => typeof value === 'string');
  return texts.includes(shownAs.content) && texts.some(isOf);
}

function withoutNull({kind, locations, rawInput}: ToolCallDescription) {
  return {...(kind && {kind}), ...(locations && {locations}), ...(rawInput !== undefined && {rawInput})};
}
