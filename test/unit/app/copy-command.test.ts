import {describe, expect, test} from 'vitest';
import {textToCopy} from '../../../src/app/commands/transfer-commands.ts';
import {ended, reduceEvents, opened, prompted, says, update} from '../../support/session/build.ts';

const session = reduceEvents(
  opened,
  prompted('first'),
  update(says('One.\n\n```ts\nconst one = 1;\n```\n')),
  ended('end_turn'),
  prompted('second', 2),
  update(says('Two.\n\n- item\n  ~~~\n  two\n    indented\n  ~~~\n\n```\nthree\n```')),
  ended('end_turn', 2),
);

test.each([
  ['', 'the last answer', 'Two.\n\n- item\n  ~~~\n  two\n    indented\n  ~~~\n\n```\nthree\n```'],
  ['2', 'answer 2 from the end', 'One.\n\n```ts\nconst one = 1;\n```'],
  ['code', 'the last code block', 'three'],
  ['code 2', 'code block 2 from the end', 'two\n  indented'],
  ['code 3', 'code block 3 from the end', 'const one = 1;'],
])('/copy %s takes %s', (argument, what, text) => {
  expect(textToCopy(session, argument)).toEqual({kind: 'text', text, what});
});

describe('without anything to copy', () => {
  test.each([
    [session, '3', 'There are 2 answers. '],
    [session, '0', 'There are 2 answers. '],
    [session, 'code 9', 'There are 3 code blocks. '],
    [session, 'all', '/copy copies the last answer'],
    [opened, '', 'No answer yet.'],
    [opened, 'code', 'No code block yet.'],
  ])('says so', (from, argument, problem) => {
    const found = textToCopy(from, argument);
    expect(found).toEqual({kind: 'problem', problem: expect.stringContaining(problem)});
  });
});
