import {formFor} from '../../src/app/requests/form.ts';
import {type ShownRequest, shownRequest} from '../../src/app/requests/shown-request.ts';
import {activeSession} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import type {PendingRequest} from '../../src/session/state.ts';
import {spokenOf} from '../layout/spoken.ts';
import type {Panel} from '../panels/panel.ts';
import type {Theme} from '../theme/theme.tsx';
import {formPanel} from './form-request.ts';
import {linkPanel} from './link-request.ts';
import {permissionPanel} from './permission-request.ts';
import type {RequestPanel} from './question.ts';

/** Returns the oldest pending request of the active session; undefined if there is none. Another one is spoken anew, whatever it has in common with the last one. */
export function requestPanel(state: AppState, rows: number, theme: Theme): Panel | undefined {
  const shown = shownRequest(state, rows);
  if (shown === undefined) return undefined;
  const {request, view} = shown;
  const {columns} = theme;
  const {drawn, rule, ...panel} = panelFor(shown, state, theme);
  const subject = {
    kind: 'request',
    id: request.id,
    version: view.version,
    columns,
    toolCallId: request.kind === 'permission' ? request.toolCallId : undefined,
    rule,
  } as const;
  return {
    ...panel,
    scrolled: {subject, drawn},
    spoken: () => spokenOf(JSON.stringify([request.id, view.version, columns]), panel.spoken()),
  };
}

function panelFor(shown: ShownRequest<PendingRequest>, state: AppState, theme: Theme): RequestPanel {
  const {request} = shown;
  switch (request.kind) {
    case 'permission':
      return permissionPanel({...shown, request}, theme);
    case 'form':
      return formPanel({...shown, request, form: formFor(activeSession(state), request)}, theme);
    case 'url':
      return linkPanel({...shown, request}, theme);
  }
}
