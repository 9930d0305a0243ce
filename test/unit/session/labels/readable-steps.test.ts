import {expect, test} from 'vitest';
import {inputText} from '../../../../src/session/labels/input-facts.ts';
import {toolCall} from '../../../../src/session/selectors.ts';
import {calls, reduceEvents, reduceUpdates, opened, prompted} from '../../../support/session/build.ts';

/** The input of a call with these todos, as it is read. */
function read(todos: unknown): string {
  const rawInput = {todos, note: 'short'};
  const state = reduceUpdates(
    reduceEvents(opened, prompted('go')),
    calls('t', {title: 'Update todos', kind: 'think', rawInput}),
  );
  return inputText(toolCall(state, 't')!);
}

test('the todos of an agent are a list to read, not JSON', () => {
  const todos = [
    {content: 'Read it', status: 'completed', activeForm: 'Reading it'},
    {content: 'Mend it', status: 'in_progress', activeForm: 'Mending it'},
    {content: 'Test it', status: 'pending', activeForm: 'Testing it'},
  ];
  expect(read(todos)).toBe('todos: [x] Read it\n[>] Mend it\n[ ] Test it\nnote: short');
});

test.each([[[{content: 'a', status: 'odd'}]], [[{status: 'pending'}]]])(
  'another list stays as it is: %j',
  (todos) => {
    expect(read(todos)).toBe(`todos: ${JSON.stringify(todos, undefined, 2)}\nnote: short`);
  },
);
