import {expect, test} from 'vitest';
import {eventInputs} from '../../../src/conversation/hooks/hook-inputs.ts';
import type {Update} from '../../../src/session/events.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {ended, opened, prompted, reduceEvents, says, update} from '../../support/session/build.ts';

test('a call is for the hooks of all that it did, whatever kind it claims', () => {
  const call: Update = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'Do it',
    kind: 'other',
    status: 'completed',
    rawInput: {next: {argv: ['rm', 'a b']}, script: 'ls'},
    content: [{type: 'diff', path: '/a', newText: 'x'}],
  };
  const before = reduceEvents(opened, prompted('go'));
  const event = {...update(call), at: 0};
  expect(eventInputs(event, before, reduceEvents(before, event))).toMatchObject([
    {
      names: ['Bash', 'execute', 'Edit', 'Write', 'MultiEdit', 'edit', 'other'],
      fields: {tool_name: 'Bash', tool_input: {command: "rm 'a b'\nls", file_path: '/a'}},
    },
  ]);
});

const stopOf = (before: SessionState, turn: number) => {
  const event = {...ended('cancelled', turn), at: 0};
  return eventInputs(event, before, reduceEvents(before, event)).map(({fields}) => fields);
};

test('a Stop hook gets the last message of its turn, and none of an earlier one', () => {
  const first = reduceEvents(opened, prompted('test'), update(says('All tests pass.')));
  const stopped = {stop_reason: 'cancelled'};
  expect(stopOf(first, 1)).toEqual([{...stopped, last_assistant_message: 'All tests pass.'}]);
  const second = reduceEvents(first, ended('end_turn'), prompted('again', 2));
  expect(stopOf(second, 2)).toEqual([{...stopped, last_assistant_message: undefined}]);
});
