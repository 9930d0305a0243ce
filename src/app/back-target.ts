import {ownWork} from '../session/lifecycle/live.ts';
import {isLimitAwaited} from '../session/queue/queue.ts';
import {menuOf} from './completion/menu.ts';
import {commandToInterrupt, isShell} from './queue/shell-commands.ts';
import {CANCEL_TIMEOUT_MS, startMethod} from './recovery/recovery-menu.ts';
import {activeDraft, activeSession, runsItsCommands} from './sessions.ts';
import type {AppState} from './state.ts';
import {leaveVimMode} from './vim/press.ts';

/** The target of Esc: the first of these that applies. */
export function backTarget(state: AppState, at: number) {
  if (state.overlay.kind !== 'none') return 'overlay';
  if (state.board && state.focus.kind === 'prompt') return 'board';
  // Esc is sent to the command.
  if (state.focus.kind === 'command') return undefined;
  if (menuOf(state)) return 'menu';
  if (state.focus.kind === 'queue') return 'queue';
  if (state.focus.kind === 'note') return 'note';
  if (state.focus.kind === 'request') return 'request';
  if (state.editing === 'vim' && leaveVimMode(activeDraft(state))) return 'vim';
  if (isShell(state)) return 'shell';
  const tab = activeSession(state);
  const command = commandToInterrupt(tab);
  // A command that ignored the first Esc does not block the next one.
  if (command !== undefined && (command !== state.interrupted || !isCancellable(state))) return 'command';
  const {turn} = tab.session;
  if (turn.kind === 'running' && turn.awaitsSnapshot) return 'snapshot';
  if (isCancellable(state)) return 'turn';
  if (startMethod(tab, at) !== undefined) return 'start';
  if (turn.kind !== 'cancelling') return undefined;
  return at - tab.since.cancel < CANCEL_TIMEOUT_MS ? 'patience' : 'unanswered';
}

export type BackTarget = NonNullable<ReturnType<typeof backTarget>>;

/** True while there is something to cancel: a turn, a sign-in, or requests outside of a turn. */
export function isCancellable(state: AppState): boolean {
  const {turn, pending} = activeSession(state).session;
  return isAtWork(state) || (turn.kind === 'idle' && pending.length > 0);
}

/** True while a turn, a sign-in elsewhere, the wait for a limit, the commands of a prompt or work that the agent began by itself are running. */
export function isAtWork(state: AppState): boolean {
  const tab = activeSession(state);
  const {connection, turn} = tab.session;
  const isSigningIn = connection.kind === 'starting' && connection.step === 'authenticating';
  return (
    turn.kind === 'running' ||
    isSigningIn ||
    isLimitAwaited(tab.session.queue) ||
    runsItsCommands(tab) ||
    ownWork(tab.session) !== undefined
  );
}
