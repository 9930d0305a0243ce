import type {ToolCallEntry} from '../../session/entries.ts';
import {pendingRequest, requestedToolCall} from '../../session/selectors.ts';
import type {PendingRequest} from '../../session/state.ts';
import {subagentAsker} from '../../session/subagents/names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, RequestView} from '../state.ts';
import {agentName} from '../status/status-line.ts';
import {readingOf, type Reading} from './request-guard.ts';

/** A pending request, and what the window shows with it. */
export interface ShownRequest<Request extends PendingRequest> {
  readonly request: Request;
  readonly view: RequestView;
  /** Its tool call. */
  readonly entry: ToolCallEntry | undefined;
  readonly agentName: string;
  /** True if it has the focus. */
  readonly isFocused: boolean;
  /** Number of other pending requests. */
  readonly others: number;
  readonly keymap: Keymap;
  readonly reading: Reading;
  /** Maximum rows. */
  readonly rows: number;
}

/** Returns the oldest pending request of the active session; undefined if there is none. */
export function shownRequest(state: AppState, rows: number): ShownRequest<PendingRequest> | undefined {
  const tab = activeSession(state);
  const {request: view, focus, keymap} = state;
  const request = view && pendingRequest(tab.session, view.id);
  if (view === undefined || request === undefined) return undefined;
  return {
    request,
    view,
    entry: requestedToolCall(tab.session, request),
    agentName: request.subagent === undefined ? agentName(tab) : subagentAsker(tab.session, request.subagent),
    isFocused: focus.kind === 'request' && focus.id === request.id,
    others: tab.session.pending.length - 1,
    keymap,
    reading: readingOf(request, view, state.requireReading),
    rows,
  };
}
