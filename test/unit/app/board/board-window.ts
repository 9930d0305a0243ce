import {boardRows} from '../../../../src/app/board/board-rows.ts';
import {createTab} from '../../../../src/app/initial.ts';
import type {SessionRow} from '../../../../src/app/pickers/listings.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {openWindow, options} from '../../../support/window/app-window.ts';
import {sessionRow} from '../../../support/session/session-row.ts';

export const NOW = 1_000_000_000_000;

export function row(id: string, more: Partial<SessionRow> = {}): SessionRow {
  const own = {
    title: `task ${id}`,
    at: NOW - 60_000,
    branch: 'main',
    agent: 'Codex',
    status: 'idle',
  } as const;
  return sessionRow(id, {...own, ...more});
}

/** A window with the board open, and these sessions of others on it. */
export function boardOf(...stored: readonly SessionRow[]) {
  const window = openWindow();
  window.press('left');
  window.dispatch({type: 'board_changed', change: {stored, at: NOW}});
  return window;
}

type Window = ReturnType<typeof openWindow>;

export function board({state}: Window) {
  if (!state.board) throw new Error('the board is closed');
  return state.board;
}

export const titles = (window: Window) => boardRows(window.state, board(window)).map(({title}) => title);

/** Another session in this window, of the background service, which asks to run something. */
export function addAsking(window: Window, key: string, request: string, isPeeked = false): void {
  const session = initialSession({cwd: '/api', additionalDirectories: [], at: NOW});
  const tab = {...createTab({key, agentLabel: 'codex', session, approval: undefined}), isPeeked};
  window.dispatch({type: 'session_added', key, tab});
  const toolCall = {toolCallId: `call ${request}`, title: 'npm test', kind: 'execute' as const};
  const asked = {sessionId: 's', toolCall, options: options('allow_once', 'reject_once')};
  const event = {type: 'permission_requested', id: request, request: asked, at: NOW} as const;
  window.dispatch({type: 'session', key, event, at: 0});
}

/** Tells the window that all of the request is on the screen. */
export function draw(window: Window): void {
  const {request} = window.state;
  if (!request) throw new Error('nothing is asked');
  const {id, version} = request;
  const drawn = {firstRow: 0, visibleRows: 3, totalRows: 3};
  window.dispatch({type: 'request_drawn', id, version, drawn, columns: 80, rule: undefined, at: 1_000_000});
}
