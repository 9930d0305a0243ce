import type * as acp from '@agentclientprotocol/sdk/unstable';
import {stateTitle} from '../../src/session/labels/session-states.ts';
import {requestedToolCall} from '../../src/session/selectors.ts';
import type {PendingRequest, SessionState} from '../../src/session/state.ts';
import {ruleRow} from '../layout/rule.tsx';
import {allRows} from '../layout/lazy-rows.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsInMargin} from '../layout/lines.ts';
import {rowsOfFormRequest} from '../requests/form-request.ts';
import {rowsOfLinkRequest} from '../requests/link-request.ts';
import {rowsOfWholeRequest} from '../requests/permission-request.ts';

/** Returns the rows of all pending requests in full, to be read below the transcript. */
export function rowsOfWaiting(session: SessionState, theme: Theme): readonly string[] {
  return session.pending.flatMap((request) => [
    '',
    ...rowsInMargin(theme, (inner) => [
      ruleRow(stateTitle('waiting'), inner.paint.warning, inner),
      ...rowsOfPending(session, request, inner),
    ]),
  ]);
}

/** Returns the tool calls that pending requests show in full. */
export function callsShownInRequests({pending}: SessionState): ReadonlySet<acp.ToolCallId> {
  return new Set(pending.flatMap((request) => (request.kind === 'permission' ? [request.toolCallId] : [])));
}

function rowsOfPending(session: SessionState, request: PendingRequest, theme: Theme): readonly string[] {
  const entry = requestedToolCall(session, request);
  switch (request.kind) {
    case 'permission':
      return allRows(rowsOfWholeRequest(request, theme, entry));
    case 'form':
      return rowsOfFormRequest(request, theme);
    case 'url':
      return rowsOfLinkRequest(request, entry, theme);
  }
}
