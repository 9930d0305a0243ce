import {expect, test} from 'vitest';
import {StatusLine} from '../../../components/prompt/status-line.tsx';
import type {StatusLine as Status} from '../../../src/app/status/status-line.ts';
import {colorTheme, plainTheme} from '../../support/screen/theme.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';

const status: Status = {
  editing: undefined,
  replay: undefined,
  agent: 'Claude',
  place: undefined,
  waiting: undefined,
  mode: undefined,
  unattended: 'Bypass Permissions',
  model: 'opus',
  effort: undefined,
  approval: undefined,
  isSandboxed: false,
  context: undefined,
  cost: undefined,
  folder: 'project',
  branch: 'main',
  session: 'Fix the tests',
  time: '12 min',
  items: undefined,
  text: undefined,
  enter: undefined,
  escape: undefined,
};

/** The line in a window of this width; from 40 columns on, it closes the prompt's box. */
const lineOf = (line: Status, columns: number) =>
  frameOf(<StatusLine status={line} frame={(text) => text} />, plainTheme({columns}));

/** The same in color. */
const coloredLine = (line: Status) =>
  frameOf(<StatusLine status={line} frame={(text) => text} />, colorTheme({columns: 80}));

test('a mode in which the agent stops asking has the warning color and a sign, and stays on a narrow line', () => {
  const {paint} = colorTheme();
  expect(coloredLine(status)).toContain(paint.warning('! Bypass Permissions').slice(0, -5));
  expect(lineOf(status, 80)).toContain('Claude · ! Bypass Permissions · opus');
  expect(lineOf(status, 24)).toBe('! Bypass Permissions');
});

test('a waiting session in the background is shown as a warning, before less urgent items', () => {
  const waiting = {...status, unattended: undefined, waiting: 'Session 2 needs you (Ctrl+X 2)'};
  const {paint} = colorTheme();
  expect(coloredLine(waiting)).toContain(paint.warning(`! ${waiting.waiting}`).slice(0, -5));
  expect(lineOf(waiting, 52)).toMatch(/^╰─ Claude · ! Session 2 needs you \(Ctrl\+X 2\) ─+╯$/);
  expect(lineOf(waiting, 36)).toBe(`! ${waiting.waiting}`);
});

test("the prompt's border names the agent at the left, and the folder and usage at the right", () => {
  const full = {
    ...status,
    unattended: undefined,
    mode: 'ask before edits',
    context: {share: 0.38, text: '38% of 200k'},
    cost: '$0.42',
    escape: 'Esc cancel',
  };
  const edge = (columns: number) => lineOf(full, columns);
  expect(edge(100)).toBe(
    `╰─ Claude · opus · ask before edits ${'─'.repeat(6)} project  main  ▰▰▰▱▱▱▱▱ 38% of 200k  $0.42  Esc cancel ─╯`,
  );
  expect(edge(80)).toBe(
    `╰─ Claude · opus · ask before edits ${'─'.repeat(8)} ▰▰▰▱▱▱▱▱ 38% of 200k  Esc cancel ─╯`,
  );
  expect(edge(40)).toBe('╰─ Claude · opus ── $0.42  Esc cancel ─╯');
});

test('the reasoning effort is behind the model, where there is room', () => {
  const line = {...status, unattended: undefined, effort: 'effort high'};
  expect(lineOf(line, 80)).toContain('Claude · opus · effort high ─');
  expect(lineOf(line, 24)).toBe('Claude · opus · project');
});

test('the parts that the user chose are in that order on their side, and the last ones are left out first', () => {
  const items = ['session', 'agent', 'time', 'branch'] as const;
  const edge = (columns: number, more: Partial<Status> = {}) =>
    lineOf({...status, unattended: undefined, escape: 'Esc cancel', items, ...more}, columns);
  expect(edge(80)).toMatch(/^╰─ Fix the tests · Claude ─+ 12 min {2}main {2}Esc cancel ─╯$/);
  expect(edge(45)).toMatch(/^╰─ Fix the tests · Claude ─+ Esc cancel ─╯$/);
  // What asks for attention is always shown.
  expect(edge(80, {waiting: 'Session 2 needs you', items: []})).toMatch(
    /^╰─ ! Session 2 needs you ─+ Esc cancel ─╯$/,
  );
});

test('a long line of the user or a long title does not hide that requests are approved without a question', () => {
  const edge = (more: Partial<Status>) =>
    lineOf({...status, unattended: undefined, approval: 'all', ...more}, 60);
  expect(edge({text: 'x'.repeat(200)})).toContain('auto-approve all');
  expect(edge({items: ['session', 'model', 'agent'], session: 'x'.repeat(50)})).toContain('auto-approve all');
});

test("the line of the user's command replaces what can be chosen, and is cut to the width", () => {
  const edge = (columns: number) => lineOf({...status, approval: 'all', text: 'mine: 3 tests fail'}, columns);
  expect(edge(100)).toMatch(/^╰─ mine: 3 tests fail · ! Bypass Permissions · auto-approve all ─+╯$/);
  expect(edge(40)).toMatch(/^╰─ ! Bypass Permissions ─+╯$/);
  expect(edge(40)).toHaveLength(40);
});
