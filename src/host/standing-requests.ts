import type * as acp from '@agentclientprotocol/sdk/unstable';
import {laidOver, type AskedCall} from './tool-call-facts.ts';

/** A permission request from when it comes to when it is answered. */
export interface StandingRequest {
  /** What it asks for by now: another value whenever the agent has changed it. */
  readonly call: AskedCall;
  /** Called after each change. */
  onChange: () => void;
}

/** The requests whose tool calls an agent may still change. */
export interface StandingRequests {
  add(toolCallId: acp.ToolCallId, call: AskedCall): StandingRequest;
  /** Nothing changes it any more. */
  remove(request: StandingRequest): void;
  /** What the agent tells of a call changes all requests that stand for it. */
  told(update: acp.ToolCallUpdate): void;
}

export function createStandingRequests(): StandingRequests {
  const standing = new Map<StandingRequest, {toolCallId: acp.ToolCallId; call: AskedCall}>();
  return {
    add(toolCallId, call) {
      const state = {toolCallId, call};
      const request: StandingRequest = {
        get call() {
          return state.call;
        },
        onChange: () => undefined,
      };
      standing.set(request, state);
      return request;
    },
    remove: (request) => void standing.delete(request),
    told(update) {
      for (const [request, state] of standing) {
        if (state.toolCallId !== update.toolCallId) continue;
        const call = laidOver(update, state.call);
        if (JSON.stringify(call) === JSON.stringify(state.call)) continue;
        state.call = call;
        request.onChange();
      }
    },
  };
}
