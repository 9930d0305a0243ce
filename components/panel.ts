import {keymapPage} from './overlay/help-text.ts';
import {drawPage} from './overlay/page-lines.ts';
import {drawPermission} from './permission/permission-lines.ts';
import {drawPicker} from './picker/picker-lines.ts';
import type {AppState, OpenSession, Scroll} from '../src/app/state.ts';
import {toolCall} from '../src/session/selectors.ts';
import type {Draw} from './draw/draw.ts';

/** What lies over the prompt, for a number of rows. */
export interface Panel {
  readonly lines: readonly string[];
  /** What can be scrolled, and how it stands; what it is called in the report of what was drawn. */
  readonly scrolled?: {readonly subject: PanelSubject; readonly drawn: Scroll};
}

export type PanelSubject =
  {readonly kind: 'request'; readonly id: string; readonly version: number} | {readonly kind: 'page'};

const noPanel: Panel = {lines: []};

/** An overlay, or else the oldest waiting request. */
export function drawPanel(state: AppState, rows: number, draw: Draw): Panel {
  const {overlay} = state;
  switch (overlay.kind) {
    case 'picker':
      return {lines: drawPicker({picker: overlay.picker, items: overlay.picker.items, rows}, draw)};
    case 'help':
      return page({title: 'Keys', text: keymapPage(state.keymap)}, overlay.scroll, {rows, draw});
    case 'text':
      return page(overlay, overlay.scroll, {rows, draw});
    case 'none':
      return drawRequestPanel(state, rows, draw);
  }
}

function page(
  {title, text}: {readonly title: string; readonly text: string},
  {firstRow}: Scroll,
  {rows, draw}: {readonly rows: number; readonly draw: Draw},
): Panel {
  const {lines, drawn} = drawPage({title, text, firstRow, rows}, draw);
  return {lines, scrolled: {subject: {kind: 'page'}, drawn}};
}

function drawRequestPanel(state: AppState, rows: number, draw: Draw): Panel {
  const open = state.sessions[state.active];
  const {request: view, focus} = state;
  const request = open?.session.pending.find(({id}) => id === view?.id);
  if (open === undefined || view === undefined || request === undefined) return noPanel;
  const {lines, drawn} = drawPermission(
    {
      request,
      view,
      entry: toolCall(open.session, request.toolCallId),
      agentName: agentName(open),
      isFocused: focus.kind === 'request' && focus.id === request.id,
      others: open.session.pending.length - 1,
      rows,
    },
    draw,
  );
  return {lines, scrolled: {subject: {kind: 'request', id: view.id, version: view.version}, drawn}};
}

function agentName({session, agentLabel}: OpenSession): string {
  return session.agent?.title ?? session.agent?.name ?? agentLabel;
}
