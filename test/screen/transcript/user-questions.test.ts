import {afterEach, describe, expect, test} from 'vitest';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import {rowsOfToolCall} from '../../../components/tool-call/tool-call.ts';
import {closeWindows, open, shown} from '../../support/screen/window.ts';
import {prompt, tool} from '../../support/session/conversation.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {call, card, text} from '../calls.ts';

afterEach(closeWindows);

const rawInput = {
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      multiSelect: false,
      options: [{label: 'Postgres', description: 'Relational'}, {label: 'Redis'}],
    },
  ],
};
const json = text(`\`\`\`json\n${JSON.stringify(rawInput, undefined, 2)}\n\`\`\``);
const result = text('User has answered your questions: "Which database?"="Redis".');
const title = 'AskUserQuestion';

describe('a tool call that asks the user', () => {
  test.each([
    ['as its input', {rawInput}],
    ['as its input and as JSON text', {rawInput, content: [json]}],
    ['as JSON text', {content: [json]}],
  ])('shows questions and choices that come %s', (_how, changes) => {
    expect(card({title, status: 'pending', ...changes})).toBe(
      '○ AskUserQuestion\n  Which database?\n  - Postgres\n  - Redis',
    );
  });

  test('shows a single question that is its title once', () => {
    const asks = {title: 'Which color?', rawInput: {question: 'Which color?', options: ['Blue', 'Red']}};
    expect(card({...asks, status: 'pending'})).toBe('○ Which color?\n  - Blue\n  - Red');
    expect(card({...asks, status: 'pending', isAsked: true})).toBe('○ Which color?');
  });

  test('shows the result that an agent replays', () => {
    expect(card({title, rawInput, content: [result]})).toMatch(/Redis\n.*User has answered/s);
  });

  test('leaves both to the form that asked them, and to its answer', () => {
    expect(card({title, rawInput, content: [json], status: 'pending', isAsked: true})).toBe(
      '○ AskUserQuestion',
    );
    expect(card({title, rawInput, content: [result], isAsked: true})).toBe('✓ AskUserQuestion');
    expect(
      card({title, rawInput, content: [text('No one is here')], status: 'failed', isAsked: true}),
    ).toContain('No one is here');
  });

  test('is another call if its input holds more than questions', () => {
    const more = {...rawInput, issue: 7};
    expect(card({title, rawInput: more, isAsked: true})).toContain('questions: 1 item · issue: 7');
  });
});

test('lists in the input of a tool are counted in its line, and its input is drawn once', () => {
  const todos = [{content: 'Look'}, {content: 'Change'}];
  const entry = {rawInput: {todos, names: ['a', 'b'], where: {line: 1}}, content: []};
  expect(card(entry)).toContain('todos: 2 items · names: a b · where: {"line":1}');
  const log = [text('[INFO] BUILD FAILURE')];
  expect(card({content: log})).toContain('[INFO] BUILD FAILURE');
  const repeated = text(JSON.stringify(entry.rawInput));
  expect(card({...entry, content: [repeated]})).toBe(card(entry));
});

test('the todos of an agent are a list to read on a whole card, not JSON', () => {
  const todos = [
    {content: 'Read it', status: 'completed', activeForm: 'Reading it'},
    {content: 'Mend it', status: 'in_progress', activeForm: 'Mending it'},
  ];
  const drawn = rowsOfToolCall(call({kind: 'think', rawInput: {todos}}), plainTheme({extent: 'whole'}));
  expect(drawn.map((line) => line.trim())).toEqual(expect.arrayContaining(['[x] Read it', '[>] Mend it']));
  expect(drawn.join('')).not.toContain('activeForm');
});

test('what a single question asks stands once on the screen, and again only as the title of its call', async () => {
  const window = open({columns: 60, rows: 24});
  const rawInput = {question: 'Which color?', options: ['Blue', 'Red']};
  const answer = {
    type: 'string',
    title: 'Answer',
    oneOf: [
      {const: 'b', title: 'Blue'},
      {const: 'r', title: 'Red'},
    ],
  };
  window.report(prompt(1), tool('a', 'pending', {title: 'Which color?', rawInput}), {
    type: 'elicitation_requested',
    id: 'form',
    asked: {
      mode: 'form',
      message: 'Which color?',
      toolCallId: 'a',
      fields: readFields({properties: {answer}, required: ['answer']}),
    },
  });
  await shown(window).toContain('Blue');
  const screen = await window.screen();
  expect(screen.match(/Blue/g)).toHaveLength(1);
  expect(screen.match(/Which color\?/g)).toHaveLength(2);
});
