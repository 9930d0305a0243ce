import {formFor} from '../../src/app/requests/form.ts';
import {readingOf} from '../../src/app/requests/request-guard.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {agentName} from '../../src/app/status/status-line.ts';
import {pendingRequest, requestedToolCall} from '../../src/session/selectors.ts';
import {subagentAsker} from '../../src/session/subagents/names.ts';
import {spokenOf} from '../layout/spoken.ts';
import type {Panel} from '../panels/panel.ts';
import type {Theme} from '../theme/theme.tsx';
import {formPanel} from './form-request.tsx';
import {linkPanel} from './link-request.ts';
import {permissionPanel} from './permission-request.ts';

/** Returns the oldest pending request of the active session; undefined if there is none. Another one is spoken anew, whatever it has in common with the last one. */
export function requestPanel(state: AppState, rows: number, theme: Theme): Panel | undefined {
  const panel = panelFor(state, rows, theme);
  if (panel === undefined) return undefined;
  const {id, version, columns} = panel.scrolled.subject;
  return {...panel, spoken: () => spokenOf(JSON.stringify([id, version, columns]), panel.spoken())};
}

function panelFor(state: AppState, rows: number, theme: Theme) {
  const tab = activeSession(state);
  const {request: view, focus, keymap} = state;
  const request = view && pendingRequest(tab.session, view.id);
  if (view === undefined || request === undefined) return undefined;
  const {id} = request;
  const shown = {
    view,
    entry: requestedToolCall(tab.session, request),
    agentName: request.subagent === undefined ? agentName(tab) : subagentAsker(tab.session, request.subagent),
    isFocused: focus.kind === 'request' && focus.id === id,
    others: tab.session.pending.length - 1,
    keymap,
    reading: readingOf(request, view, state.requireReading),
    rows,
  };
  const subject = {kind: 'request', id, version: view.version, columns: theme.columns} as const;
  if (request.kind === 'permission') {
    const {drawn, rule, ...panel} = permissionPanel({...shown, request}, theme);
    return {...panel, scrolled: {subject: {...subject, toolCallId: request.toolCallId, rule}, drawn}};
  }
  const {drawn, ...panel} =
    request.kind === 'form'
      ? formPanel({...shown, request, form: formFor(tab, request)}, theme)
      : linkPanel({...shown, request}, theme);
  return {...panel, scrolled: {subject, drawn}};
}
