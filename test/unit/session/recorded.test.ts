import {describe, expect, it} from 'vitest';
import {initialSession} from '../../../src/session/initial.ts';
import {isLive, messageText} from '../../../src/session/selectors.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {sanitize} from '../../../src/text/sanitize.ts';
import {entriesOf, reduceEvents, type UntimedEvent, only} from '../../support/session/build.ts';
import {eventsOf, recordings} from '../../support/session/recorded.ts';

const start = initialSession({cwd: '/workspace', additionalDirectories: [], at: 0});

function replay(recording: string): SessionState {
  return reduceEvents(start, ...eventsOf(recording));
}

function updates(events: readonly UntimedEvent[]) {
  return events.flatMap((event) => (event.type === 'session_update' ? [event.update] : []));
}

describe.each(recordings)('%s', (recording) => {
  const events = eventsOf(recording);
  const session = reduceEvents(start, ...events);

  it('shows every word of the agent, in order', () => {
    const said = updates(events).map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    );
    expect(entriesOf(session, 'agent_message').map(messageText).join('')).toBe(sanitize(said.join('')));
  });

  it('shows every tool call once', () => {
    const ids = events.flatMap((event) => {
      if (event.type === 'permission_requested')
        return session.subagents[event.request.sessionId] ? [] : event.request.toolCall.toolCallId;
      return event.type === 'session_update' && 'toolCallId' in event.update ? event.update.toolCallId : [];
    });
    expect(entriesOf(session, 'tool_call').map(({toolCallId}) => toolCallId)).toEqual([...new Set(ids)]);
  });

  it('has one end for each turn, and nothing of it runs afterwards', () => {
    const turns = events.flatMap((event) => (event.type === 'prompt_started' ? [event.turn] : []));
    expect(entriesOf(session, 'turn_end').map(({turn}) => turn)).toEqual(turns);
    expect(session.turn.kind).toBe('idle');
    const ofTurns = session.entries.filter(({turn}) => turn !== undefined);
    expect(ofTurns.filter((entry) => isLive(session, entry))).toEqual([]);
  });
});

describe('a recorded agent', () => {
  it('that continues after a cancellation finds its tool call cancelled, and its text kept', () => {
    const session = replay('codex-cancelrun.ndjson');
    const call = only(session, 'tool_call');
    expect(call.status).toBe('cancelled');
    expect(session.terminals.get(call.toolCallId)?.output).toBe('tick 2\ntick 3\ntick 4\ntick 5\n');
  });

  it('that sends a terminal only in _meta has its output in the tool call', () => {
    const session = replay('codex-run-nometa.ndjson');
    const call = only(session, 'tool_call');
    expect(call.content).toEqual([{type: 'terminal', terminalId: call.toolCallId}]);
    expect(session.terminals.get(call.toolCallId)?.output).toBe('hi\nREADME.md\nsrc\n');
  });

  it('that asks before it announces a tool call has it in the transcript', () => {
    const session = replay('gemini-write-missingempty.ndjson');
    expect(entriesOf(session, 'tool_call').every(({title}) => title !== 'Tool call')).toBe(true);
    expect(session.pending).toEqual([]);
    expect(entriesOf(session, 'tool_call').at(-1)?.permission).toMatchObject({outcome: 'allowed'});
  });
});
