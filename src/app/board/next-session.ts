import type {ApprovalLevel} from '../../session/settings/approval.ts';
import {emitEvent, type Reaction} from '../effects.ts';
import {fit, fittingHints, hintText} from '../keymap/hints.ts';
import {openPicker, pickerOf, type ListItem} from '../pickers/picker.ts';
import {approvalSetting, settingPicker} from '../pickers/setting-pickers.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {agentName, folderName} from '../status/status-line.ts';
import type {BoardRow} from './board-rows.ts';
import type {BoardView, NextSession} from './board-view.ts';
import {isConfinedBeside} from '../../session/settings/sandbox.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {truncate} from '../../text/truncate.ts';

/** Returns what a session that is started on the board gets; undefined for what its settings say. */
function nextSessionFacts(state: AppState, {next}: BoardView) {
  const tab = activeSession(state);
  const {session} = tab;
  return {
    agent: next.agent?.name ?? agentName(tab),
    cwd: next.cwd ?? session.cwd,
    level: levelName(next.approval ?? (next.agent ? undefined : session.approval)),
    isSandboxed: next.sandbox ?? isConfinedBeside(session),
    hasWorktree: next.worktree ?? false,
  };
}

/** Returns what the next session gets, in one line, the most important first. What is off is left out first. */
export function nextSessionLine(state: AppState, board: BoardView, columns: number): string {
  if (board.typing !== 'new') return '';
  const {agent, cwd, level, isSandboxed, hasWorktree} = nextSessionFacts(state, board);
  const facts = [
    ...[`New session: ${agent}`, folderName(cwd), level].map((text) => ({text, isOn: true})),
    {text: sandboxText(isSandboxed), isOn: isSandboxed !== undefined},
    {text: hasWorktree ? 'new worktree' : 'no worktree', isOn: hasWorktree},
  ];
  const all = facts.map(({text}) => text);
  const on = facts.filter(({isOn}) => isOn).map(({text}) => text);
  const fitting = fit(all, columns) ? all : fittingHints(on, columns);
  return truncate(sanitizeLine(hintText(fitting)), columns);
}

function sandboxText(isSandboxed: boolean | undefined): string {
  if (isSandboxed === undefined) return 'sandbox as in settings';
  return isSandboxed ? 'sandbox' : 'no sandbox';
}

function levelName(level: ApprovalLevel | undefined): string {
  if (level === undefined) return 'auto-approve as in settings';
  return level === 'none' ? 'asks' : `auto-approve ${level}`;
}

/** Returns the step that changes something of the next session. */
function changeNext(state: AppState, change: NextSession): Reaction {
  return emitEvent({type: 'board_changed', change: {next: {...state.board?.next, ...change}}});
}

/** Turns its worktree, or its sandbox, on or off. */
export function switchNext(state: AppState, board: BoardView, what: 'worktree' | 'sandbox'): Reaction {
  const {hasWorktree, isSandboxed} = nextSessionFacts(state, board);
  return changeNext(state, what === 'worktree' ? {worktree: !hasWorktree} : {sandbox: !isSandboxed});
}

/** Selects its folder among those of the open sessions. */
export function chooseNextFolder(state: AppState, rows: readonly BoardRow[]): Reaction {
  const {cwd} = activeSession(state).session;
  const folders = [...new Set([cwd, ...rows.map((row) => row.cwd)])];
  const items = folders.map((folder): ListItem => ({
    id: folder,
    label: folder,
    isPath: true,
    current: folder === (state.board?.next.cwd ?? cwd),
    choose: (selection) => changeNext(selection.state, {cwd: folder}),
  }));
  return openPicker(pickerOf({title: 'Folder of the next session', items}));
}

/** Selects what is allowed in it without asking. */
export function chooseNextLevel(state: AppState, {next}: BoardView): Reaction {
  const {session} = activeSession(state);
  const setting = approvalSetting({...session, approval: next.approval ?? session.approval});
  const choose = (_: unknown, id: string) => changeNext(state, {approval: id as ApprovalLevel});
  return openPicker(settingPicker({...setting, title: 'Auto-approve in the next session', choose}));
}
