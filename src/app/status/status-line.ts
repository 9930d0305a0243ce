import type {Hint} from '../keymap/hints.ts';
import {currentMode, currentModel} from '../../session/selectors.ts';
import {configOptionOfCategory, optionValueName} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {unattendedBy} from '../../session/settings/unattended.ts';
import type {ApprovalLevel} from '../../session/settings/approval.ts';
import {compactNumber, cost, duration} from '../../text/format.ts';
import {keyFor, leaderKeyFor, UNBOUND} from '../keymap/key-names.ts';
import {keysFor} from '../keymap/keymap.ts';
import {backTarget, type BackTarget} from '../back-target.ts';
import {isEmpty} from '../editor/draft.ts';
import {isShell} from '../queue/shell-commands.ts';
import {replayText} from '../pages/replay.ts';
import {activeSession, activeDraft} from '../sessions.ts';
import {sessionTitle} from '../../session/titles.ts';
import {chosenStatus, type StatusItem} from '../preferences.ts';
import type {AppState, Tab} from '../state.ts';
import {displayAgentName} from '../../session/labels/labels.ts';
import {sessionKeys, waitingSessionNumbers} from '../open-sessions.ts';

/** The parts of the status line, in order; undefined parts are unknown or not worth showing. */
export interface StatusLine {
  /** The vim mode and pending keys: `NORMAL 2d`. */
  readonly editing: string | undefined;
  /** The position of a replay. */
  readonly replay: string | undefined;
  readonly agent: string;
  /** The position of the active session if several are open: `2/3`. */
  readonly place: string | undefined;
  /** Other sessions that wait for an answer, and the key that shows the first of them. */
  readonly waiting: string | undefined;
  readonly mode: string | undefined;
  /** The settings in which the agent does not ask, and a mode in which it asks less; `mode` is undefined if it is one of them. */
  readonly unattended: string | undefined;
  readonly model: string | undefined;
  /** The reasoning effort: `effort high`, `thinking on`. */
  readonly effort: string | undefined;
  /** What is auto-approved, if anything. */
  readonly approval: ApprovalLevel | undefined;
  readonly isSandboxed: boolean;
  /** `share` is between 0 and 1. */
  readonly context: {readonly share: number; readonly text: string} | undefined;
  readonly cost: string | undefined;
  readonly folder: string;
  /** The title of the session. */
  readonly session: string | undefined;
  /** How long it is open. */
  readonly time: string;
  readonly branch: string | undefined;
  /** The parts to show, in this order; undefined for the usual ones. */
  readonly items: readonly StatusItem[] | undefined;
  /** What the user's command printed, shown in place of all parts that can be chosen. */
  readonly text: string | undefined;
  /** What Enter does, if it does not send. */
  readonly enter: Hint | undefined;
  /** What Esc does. */
  readonly escape: Hint | undefined;
}

/** The effect of Esc; undefined if it was already pressed. */
const escapes: Readonly<Record<BackTarget, string | undefined>> = {
  overlay: 'close',
  board: 'back',
  menu: 'close menu',
  shell: 'leave shell mode',
  command: 'stop command',
  queue: 'back to prompt',
  note: 'back to request',
  request: 'back to prompt',
  vim: 'normal mode',
  snapshot: 'send without it',
  turn: 'cancel',
  start: 'give up',
  patience: undefined,
  unanswered: 'show options',
};

/** `now` on the window's clock. */
export function statusLine(state: AppState, now: number): StatusLine {
  const tab = activeSession(state);
  const {session} = tab;
  const {vim} = activeDraft(state);
  const mode = currentMode(session)?.name;
  const unattended = unattendedBy(session);
  const {items, command} = chosenStatus(state);
  const target = state.replay && state.overlay.kind === 'none' ? undefined : backTarget(state, now);
  return {
    editing:
      state.editing === 'vim'
        ? [vim.mode.toUpperCase().replace('_', ' '), vim.pending.join('')].filter(Boolean).join(' ')
        : undefined,
    replay: state.replay && replayText(state.replay),
    agent: agentName(tab),
    place: placeOf(state),
    waiting: waitingText(state),
    mode: mode && unattended.includes(mode) ? undefined : mode,
    unattended: unattended.length > 0 ? unattended.join(', ') : undefined,
    model: currentModel(session)?.name,
    effort: effortPart(session),
    approval: session.approval === 'none' ? undefined : session.approval,
    isSandboxed: session.sandbox !== undefined,
    context: contextPart(tab),
    cost: session.usage?.cost && cost(session.usage.cost),
    folder: folderName(session.cwd),
    branch: tab.branch,
    session: sessionTitle(session),
    time: duration(now - tab.since.session),
    items,
    text: command === undefined ? undefined : state.statusText,
    enter: enterHint(state),
    escape: target && escapeHint(target, state),
  };
}

function escapeHint(target: BackTarget, {keymap, overlay}: AppState): Hint {
  const does = (overlay.kind === 'picker' && overlay.picker.closing) || escapes[target];
  return does === undefined ? 'cancelling' : [keyFor('cancel_or_back', keymap), does];
}

function placeOf(state: AppState): string | undefined {
  const keys = sessionKeys(state);
  return keys.length < 2 ? undefined : `${keys.indexOf(state.active) + 1}/${keys.length}`;
}

/** During a turn, a submitted prompt is queued. */
function enterHint(state: AppState): Hint | undefined {
  const {session} = activeSession(state);
  const isTyping =
    state.focus.kind === 'prompt' && state.overlay.kind === 'none' && !isEmpty(activeDraft(state));
  if (!isTyping || isShell(state) || session.turn.kind === 'idle') return undefined;
  return [keyFor('send', state.keymap), 'queue'];
}

/** Returns which other sessions need the user, and the key that shows one. */
export function waitingText(state: AppState): string | undefined {
  const {keymap, waitingElsewhere} = state;
  const numbers = waitingSessionNumbers(state);
  const [first = Infinity] = numbers;
  const others = waitingElsewhere.length;
  if (numbers.length + others === 0) return undefined;
  const hasKey = first <= keysFor('show_session', keymap).length;
  const key = hasKey ? leaderKeyFor('show_session', keymap, first) : leaderKeyFor('show_waiting', keymap);
  const here = `Session${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
  const who = [numbers.length > 0 && here, others > 0 && `${others} in the background`].filter(Boolean);
  const needs = `${who.join(' and ')} ${numbers.length + others === 1 ? 'needs' : 'need'} you`;
  return key === UNBOUND ? needs : `${needs} (${key})`;
}

export function agentName({session, agentLabel}: Tab): string {
  return displayAgentName(session.agent?.title || session.agent?.name || agentLabel);
}

function effortPart(session: SessionState): string | undefined {
  const option = configOptionOfCategory(session, 'thought_level');
  const what = option?.name.trim().toLowerCase().split(/\s+/).at(-1);
  return option && `${what} ${optionValueName(option)}`;
}

function contextPart({session: {usage}}: Tab): StatusLine['context'] {
  if (!usage || (usage.size <= 0 && usage.used <= 0)) return undefined;
  if (usage.size <= 0) return {share: 0, text: compactNumber(usage.used)};
  const share = Math.min(1, Math.max(0, usage.used / usage.size));
  return {share, text: `${Math.round(share * 100)}% of ${compactNumber(usage.size)}`};
}

/** The last part of a path. */
export function folderName(cwd: string): string {
  return cwd.split(/[/\\]/).findLast((part) => part !== '') ?? cwd;
}
