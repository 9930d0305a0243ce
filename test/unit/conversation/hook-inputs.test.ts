import {expect, test} from 'vitest';
import {eventInputs} from '../../../src/conversation/hooks/hook-inputs.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {ended, opened, prompted, reduceEvents, says, update} from '../../support/session/build.ts';

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
