import type * as acp from '@agentclientprotocol/sdk/unstable';
import {visibleText} from './transcript/content.ts';
import type {Entry, EntryType, ToolCallEntry} from './entries.ts';
import {
  type Choice,
  choiceWithId,
  configOptionOfCategory,
  modeListChoices,
  modelListChoices,
  modesOf,
  optionChoices,
} from './settings/options.ts';
import {isPlanFinished} from './transcript/plans.ts';
import {memoize} from './memoize.ts';
import type {PendingPermission, PendingRequest, PendingUrl, PlanState, SessionState} from './state.ts';
import {isWorking, sessionOf} from './subagents/tree.ts';
import {findToolCall} from './transcript/tool-calls.ts';
import {isFinished} from './transcript/tool-status.ts';

/*
 * Selectors for front ends. Each returns an existing reference, or the same one for the same part of the state, so that a view is redrawn only if its part has
 * changed.
 */

const NO_CHOICES: readonly Choice[] = [];

/** The available modes: a config option of the category `mode`, or the session's `modes`. */
export function modeChoices(session: SessionState): readonly Choice[] {
  const option = configOptionOfCategory(session, 'mode');
  if (option !== undefined) return optionChoices(option);
  const modes = modesOf(session);
  return modes === undefined ? NO_CHOICES : modeListChoices(modes.availableModes);
}

export function currentMode(session: SessionState): Choice | undefined {
  const option = configOptionOfCategory(session, 'mode');
  if (option?.type === 'select') return choiceWithId(optionChoices(option), option.currentValue);
  const modes = modesOf(session);
  return modes && choiceWithId(modeListChoices(modes.availableModes), modes.currentModeId);
}

/** The available models: a config option of the category `model`, or the legacy `models` block. */
export function modelChoices(session: SessionState): readonly Choice[] {
  const option = configOptionOfCategory(session, 'model');
  if (option !== undefined) return optionChoices(option);
  return session.models === undefined ? NO_CHOICES : modelListChoices(session.models.availableModels);
}

export function currentModel(session: SessionState): Choice | undefined {
  const option = configOptionOfCategory(session, 'model');
  if (option?.type === 'select') return choiceWithId(optionChoices(option), option.currentValue);
  if (session.models === undefined) return undefined;
  return choiceWithId(modelListChoices(session.models.availableModels), session.models.currentModelId);
}

/** The plan to show above the prompt: the newest unfinished one. */
export function activePlan(session: SessionState): PlanState | undefined {
  return session.plans.findLast((plan) => !isPlanFinished(plan));
}

/** What the last turn changed in the folder, until the next prompt; undefined if it is not covered. */
export function changesOfLastTurn({turn, turnChanges, lastTurn}: SessionState): SessionState['turnChanges'] {
  return turn.kind === 'idle' && turnChanges?.turn === lastTurn?.turn ? turnChanges : undefined;
}

/** True if no session is open, and none had to be: nothing has to be decided before one is. */
export function hasNoSession({connection, entries}: SessionState): boolean {
  const isOpenable = connection.kind === 'no_session' && connection.failure === undefined;
  return isOpenable && !entries.some(({type}) => type === 'user_message');
}

/** True if a session is open and accepts prompts. */
export function isReady(session: SessionState): boolean {
  return session.connection.kind === 'ready';
}

/** True if no turn is running. */
export function isIdle(session: SessionState): boolean {
  return session.turn.kind === 'idle';
}

export function pendingRequest(session: SessionState, id: string): PendingRequest | undefined {
  return session.pending.find((request) => request.id === id);
}

/** True for an opened URL: it only waits for the agent's confirmation. */
export function isOpenedLink(request: PendingRequest): boolean {
  return request.kind === 'url' && request.isOpened;
}

/** A choice of the user about a URL; `cancelled`, `declined` and `done` are answers. */
export type LinkChoice = 'open' | 'declined' | 'cancelled' | 'done' | 'open_again' | 'give_up';

const ASKED: readonly LinkChoice[] = ['open', 'declined', 'cancelled'];
const OPENED: readonly LinkChoice[] = ['done', 'open_again', 'give_up'];

/** Returns the choices for a URL request, in the order of their numbers. */
export function linkChoices({isOpened}: PendingUrl): readonly LinkChoice[] {
  return isOpened ? OPENED : ASKED;
}

/** Returns the index of the `reject_once` option; -1 if there is none. */
export function rejectOption(request: PendingPermission): number {
  return request.options.findIndex((option) => option.kind === 'reject_once');
}

/** True if one of the agent's options rejects. */
export function canReject({options}: PendingPermission): boolean {
  return options.some(isRefusing);
}

export function isRefusing({kind}: acp.PermissionOption): boolean {
  return kind === 'reject_once' || kind === 'reject_always';
}

/** True if a request waits for the user. */
export function isAsking({pending}: SessionState): boolean {
  return pending.some((request) => !isOpenedLink(request));
}

/** Number of newest entries that are searched for running tools. */
const NEAR = 50;

/** Returns the running tool calls of the turn, oldest first. */
export function runningTools({entries, turn}: SessionState): readonly ToolCallEntry[] {
  if (turn.kind === 'idle') return [];
  return entries
    .slice(-NEAR)
    .filter((entry) => entry.type === 'tool_call')
    .filter(({status, turn: its}) => !isFinished(status) && its === turn.turn);
}

/** Returns the entry of a tool call in the open session. */
export function toolCall(session: SessionState, toolCallId: acp.ToolCallId): ToolCallEntry | undefined {
  const entry = session.entries.get(findToolCall(session, toolCallId));
  return entry?.type === 'tool_call' ? entry : undefined;
}

/** Returns the tool call of a request, as the request shows it. */
export function requestedToolCall(session: SessionState, request: PendingRequest): ToolCallEntry | undefined {
  if (request.kind === 'permission') return request.call;
  const {toolCallId, subagent} = request;
  return toolCallId === undefined ? undefined : toolCall(sessionOf(session, subagent), toolCallId);
}

/** Returns the ids of the terminals shown in an entry. */
export function terminalIds(entry: Entry): readonly acp.TerminalId[] {
  if (entry.type === 'shell_command') return [entry.terminalId];
  if (entry.type !== 'tool_call') return [];
  return entry.content.flatMap((part) => (part.type === 'terminal' ? [part.terminalId] : []));
}

const textOf = memoize(visibleText);

/** Returns the text of a message for display: without images, and without content meant for the model only. */
export function messageText(entry: {readonly content: readonly acp.ContentBlock[]}): string {
  return textOf(entry.content);
}

/**
 * True while an entry may still change. A tool call that its agent never ended is over with its turn; one outside of turns is live until the next turn, and
 * while a request shows it.
 */
export function isLive(session: SessionState, entry: Entry): boolean {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return !entry.complete;
    case 'tool_call':
      return (
        !isFinished(entry.status) && (isOfCurrentTurn(session, entry) || isAskedOutsideTurns(session, entry))
      );
    case 'compaction':
      return entry.status === 'in_progress' && isOfCurrentTurn(session, entry);
    case 'subagent':
      // Some agents announce a subagent before they report that it works.
      return (entry.state === undefined || isWorking(entry)) && isOfCurrentTurn(session, entry);
    case 'shell_command':
      return isCommandRunning(session, entry.terminalId);
    case 'plan':
    case 'notice':
    case 'session_message':
    case 'unknown':
    case 'turn_end':
    case 'failure':
    case 'elicitation':
      return false;
  }
}

function isAskedOutsideTurns({pending}: SessionState, {turn, toolCallId}: ToolCallEntry): boolean {
  return (
    turn === undefined &&
    pending.some((request) => request.kind === 'permission' && request.toolCallId === toolCallId)
  );
}

function isCommandRunning({terminals}: SessionState, id: acp.TerminalId): boolean {
  const terminal = terminals.get(id);
  return terminal !== undefined && terminal.exit === undefined && !terminal.released;
}

function isOfCurrentTurn(session: SessionState, entry: Entry): boolean {
  const turn = session.turn.kind === 'idle' ? undefined : session.turn.turn;
  return isReady(session) && entry.turn === turn && Number(entry.id) >= session.sessionStart;
}

const SAID: ReadonlySet<EntryType> = new Set(['user_message', 'shell_command']);

/** True for a session without messages or commands. */
export function hasNoPrompts({queue, entries}: SessionState): boolean {
  return !queue.isSending && !entries.some(({type}) => SAID.has(type));
}

/** True if none waits to be sent, either. */
export function isUnused(session: SessionState): boolean {
  return hasNoPrompts(session) && session.queue.prompts.length === 0;
}

/** True if nothing waits to be sent by itself. */
export function isUntouched(session: SessionState): boolean {
  return isUnused(session) || (session.queue.isPaused && hasNoPrompts(session));
}
