import type * as acp from '@agentclientprotocol/sdk/unstable';
import {requestedToolCall} from '../../src/session/selectors.ts';
import type {PendingRequest, SessionState} from '../../src/session/state.ts';
import {type DrawContext, drawRule} from '../draw/draw.ts';
import {drawBesideMargin} from '../draw/lines.ts';
import {drawFormRequest} from '../requests/form-request.tsx';
import {drawLinkRequest} from '../requests/link-request.ts';
import {drawWholeRequest} from '../requests/permission-request.ts';

/** Draws all pending requests in full, to be read below the transcript. */
export function drawWaiting(session: SessionState, draw: DrawContext): readonly string[] {
  return session.pending.flatMap((request) => [
    '',
    ...drawBesideMargin(draw, (inner) => [
      drawRule('Waiting for your answer', inner.paint.warning, inner),
      ...drawPending(session, request, inner),
    ]),
  ]);
}

/** Returns the tool calls that pending requests show in full. */
export function callsShownInRequests({pending}: SessionState): ReadonlySet<acp.ToolCallId> {
  return new Set(pending.flatMap((request) => (request.kind === 'permission' ? [request.toolCallId] : [])));
}

function drawPending(session: SessionState, request: PendingRequest, draw: DrawContext): readonly string[] {
  const entry = requestedToolCall(session, request);
  switch (request.kind) {
    case 'permission':
      return drawWholeRequest(request, entry, draw);
    case 'form':
      return drawFormRequest(request, draw);
    case 'url':
      return drawLinkRequest(request, entry, draw);
  }
}
