import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Update} from '../events.ts';
import type {SessionState} from '../state.ts';
import {appends, withAppended} from './patches.ts';
import {findToolCall, wholeUpdate} from './tool-calls.ts';
import {hasRun, isCallUpdate} from './tool-status.ts';

/** The content of a call in characters of JSON: what was reported of it, and what was added since. */
interface Growth {
  readonly reported: number;
  readonly added: number;
}

/** All of it is reported again when it has grown by a quarter: five times its size altogether, however small its pieces are. */
const STEP = 0.25;

export type GrowingContent = ReturnType<typeof createGrowingContent>;

/** Returns what makes updates that append to the content of a call into such with all of it, as version 1 has them: not of each of them, but of the end of the call. */
export function createGrowingContent() {
  const calls = new Map<acp.ToolCallId, Growth>();
  return {
    /** Returns what is reported of an update, with the state after it; undefined if that comes later. */
    report(sent: Update, state: SessionState): Update | undefined {
      if (!isCallUpdate(sent)) return sent;
      const update = withoutLateStatus(sent, state);
      const {toolCallId: id, content, status} = update;
      const {reported, added} = calls.get(id) ?? {reported: 0, added: 0};
      if (update.sessionUpdate === 'tool_call_update' && appends(update)) {
        const grown = added + sizeOf(content);
        const isReported = grown >= reported * STEP;
        const whole = isReported ? wholeUpdate(update, state) : undefined;
        calls.set(id, whole ? {reported: sizeOf(whole.content), added: 0} : {reported, added: grown});
        return whole;
      }
      if (content || hasRun(status)) calls.delete(id);
      return added > 0 && !content && hasRun(status) ? wholeUpdate(withAppended(update), state) : update;
    },
    /** Returns what is still to be reported when nothing more follows for now. */
    rest(state: SessionState): readonly Update[] {
      const sessionUpdate = 'tool_call_update' as const;
      return [...calls].flatMap(([toolCallId, {reported, added}]) => {
        calls.set(toolCallId, {reported: reported + added, added: 0});
        return added > 0 ? [wholeUpdate(withAppended({sessionUpdate, toolCallId}), state)] : [];
      });
    },
  };
}

/** A call that has ended does not go on, whatever its agent sends late. */
function withoutLateStatus<CallUpdate extends acp.ToolCallUpdate>(
  update: CallUpdate,
  state: SessionState,
): CallUpdate {
  if (!update.status || hasRun(update.status)) return update;
  const call = state.entries.get(findToolCall(state, update.toolCallId));
  if (call?.type !== 'tool_call' || !hasRun(call.status)) return update;
  return {...update, status: call.status};
}

function sizeOf(content: acp.ToolCallUpdate['content']): number {
  return JSON.stringify(content ?? []).length;
}
