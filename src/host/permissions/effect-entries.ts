import {randomUUID} from 'node:crypto';
import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionDecision} from '../../session/state.ts';
import {ownToolCallId, type Asked} from './host-permission-requests.ts';
import type {HostOptions} from '../services.ts';

/** A write or a command that was done. */
export interface DoneEffect {
  /** What allowed it without asking; undefined where a card of our own asked about it. */
  readonly decision: PermissionDecision | undefined;
  /** That card. */
  readonly card?: acp.ToolCallId;
  /** As it would have been asked about. */
  readonly asked: Asked;
  /** What a call of the agent has to show for the effect to be seen in it. */
  readonly shownAs:
    | {readonly type: 'terminal'; readonly terminalId: acp.TerminalId}
    | {readonly type: 'write'; readonly paths: readonly string[]; readonly content: string};
  /** Resolves to whether it ended well. */
  readonly ended: Promise<boolean>;
}

/**
 * Sees to it that what was done stands in the transcript, with what allowed it unasked: on the agent's own card where that
 * shows this very terminal or diff, else as an entry of its own. A command that was asked about gets its output there.
 */
export interface EffectEntries {
  add(effect: DoneEffect): void;
  /** A call of the agent, with its content as far as this update tells it. */
  told(update: Pick<acp.ToolCallUpdate, 'toolCallId' | 'content'>): void;
  /** What the agent has not shown by now gets its entry. */
  settle(): void;
  /** What calls showed in the last turn counts for nothing in the next. */
  turnStarted(): void;
}

/** How long an agent has to show what it does, in milliseconds. */
const GRACE_MS = 500;
/** How many calls of a turn are remembered, the newest. */
const MOST_CALLS = 200;

type Options = Pick<HostOptions, 'cwd' | 'permissions' | 'onUpdate' | 'toolCall'>;

export function createEffectEntries(options: Options): EffectEntries {
  const waiting = new Map<DoneEffect, NodeJS.Timeout>();
  const outcomes = new WeakMap<DoneEffect, acp.ToolCallStatus>();
  let calls: readonly Pick<acp.ToolCallUpdate, 'toolCallId' | 'content'>[] = [];

  const decide = (toolCallId: acp.ToolCallId, decision: PermissionDecision) =>
    options.permissions.resolved(randomUUID(), toolCallId, decision);

  function mark(effect: DoneEffect, toolCallId: acp.ToolCallId): void {
    stopWaiting(effect);
    // What the user or a rule said of the card itself says more.
    const isSaid = options.toolCall(toolCallId)?.permission !== undefined;
    if (effect.decision && !isSaid) decide(toolCallId, effect.decision);
  }

  function create(effect: DoneEffect): void {
    stopWaiting(effect);
    const {asked, shownAs, decision, ended, card} = effect;
    const toolCallId = card ?? ownToolCallId();
    const terminal = shownAs.type === 'terminal' ? [shownAs] : [];
    const content = [...(asked.content ?? []), ...terminal];
    const title = asked.title ?? '';
    const status = outcomes.get(effect) ?? 'in_progress';
    if (card !== undefined) return options.onUpdate({sessionUpdate: 'tool_call_update', toolCallId, content});
    options.onUpdate({...withoutNull(asked), sessionUpdate: 'tool_call', toolCallId, title, content, status});
    if (decision) decide(toolCallId, decision);
    if (status !== 'in_progress') return;
    void ended.then((isWell) =>
      options.onUpdate({sessionUpdate: 'tool_call_update', toolCallId, status: statusOf(isWell)}),
    );
  }

  function stopWaiting(effect: DoneEffect): void {
    clearTimeout(waiting.get(effect));
    waiting.delete(effect);
  }

  return {
    add(effect) {
      void effect.ended.then((isWell) => outcomes.set(effect, statusOf(isWell)));
      const showing = calls.find((call) => shows(call, effect, options.cwd));
      if (showing) mark(effect, showing.toolCallId);
      else waiting.set(effect, setTimeout(() => create(effect), GRACE_MS).unref());
    },
    told(call) {
      if (!call.content?.length) return;
      calls = [call, ...calls].slice(0, MOST_CALLS);
      for (const effect of waiting.keys())
        if (shows(call, effect, options.cwd)) mark(effect, call.toolCallId);
    },
    settle() {
      for (const effect of waiting.keys()) create(effect);
    },
    turnStarted() {
      calls = [];
    },
  };
}

function statusOf(isWell: boolean): acp.ToolCallStatus {
  return isWell ? 'completed' : 'failed';
}

function shows({content}: Pick<acp.ToolCallUpdate, 'content'>, {shownAs}: DoneEffect, cwd: string): boolean {
  return (content ?? []).some((part) => {
    if (shownAs.type === 'terminal')
      return part.type === 'terminal' && part.terminalId === shownAs.terminalId;
    if (part.type !== 'diff' || !shownAs.paths.includes(resolve(cwd, part.path))) return false;
    return (
      part.newText === shownAs.content || (part.newText !== '' && shownAs.content.includes(part.newText))
    );
  });
}

function withoutNull({kind, locations, rawInput}: Asked) {
  return {...(kind && {kind}), ...(locations && {locations}), ...(rawInput !== undefined && {rawInput})};
}
