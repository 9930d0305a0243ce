import {setTimeout as pass} from 'node:timers/promises';
import * as fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import type {AppEventOf} from '../../src/app/events.ts';
import {undoPicker} from '../../src/app/pickers/restore-pickers.ts';
import {readFields} from '../../src/session/forms/form-schema.ts';
import {closeWindows, open, shown, type WindowEnvironment, type Window} from '../support/screen/window.ts';
import {asks, prompt} from '../support/session/conversation.ts';

afterEach(closeWindows);

const ROWS = 40;
/** From so many rows of the terminal on, any frame fits it. */
const FITS = 8;
/** The title of the tool call. */
const ROWS_ABOVE = 1;
const rowOf = (id: string, number: number) => `${id}row${String(number).padStart(2, '0')}`;
const rowsOf = (id: string) => Array.from({length: ROWS}, (_, number) => rowOf(id, number));

/** A request whose command has so many rows, each with its own name. */
const toRun = (id: string) => ({
  ...asks({kind: 'execute', rawInput: {command: rowsOf(id).join('\n')}}),
  id,
});
/** A form whose message has one row. */
const form = (id: string) => ({
  type: 'elicitation_requested' as const,
  id,
  asked: {
    mode: 'form' as const,
    message: rowOf(id, 0),
    fields: readFields({properties: {a: {type: 'string', title: 'Name'}}}),
  },
});

type Report = AppEventOf<'request_drawn'> & {
  /** What the terminal had got by then. */
  readonly got: string;
};

function reportsOf(window: Window): readonly Report[] {
  const reports: Report[] = [];
  window.store.onEvent((event) => {
    if (event.type === 'request_drawn') reports.push({...event, got: window.bytes()});
  });
  return reports;
}

/** Returns the rows that were reported, but had not been sent. */
function unsent(reports: readonly Report[]): string[] {
  return reports.flatMap(({id, drawn, got}) => {
    const shown = Array.from({length: drawn.visibleRows}, (_, index) => drawn.firstRow + index);
    const names = id.startsWith('form')
      ? shown.filter((row) => row === 0).map((row) => rowOf(id, row))
      : shown.flatMap((row) => rowsOf(id)[row - ROWS_ABOVE] ?? []);
    return names.filter((name) => !got.includes(name));
  });
}

const isDrawn = async (window: Window) => {
  await expect.poll(() => window.store.latest().request?.phase.kind).toMatch(/shown|focused/);
};

describe('what is asked while the terminal does not answer after a resize', () => {
  test.each([
    ['a command', toRun('one')],
    ['a form', form('form')],
  ])('is seen when it is on the screen: %s', async (_name, asked) => {
    const window = open({columns: 60, rows: 16}, {}, {isSilent: true});
    const reports = reportsOf(window);
    await shown(window).toContain('Ask anything');
    window.resize({columns: 50, rows: 20});
    window.report(prompt(1), asked);
    await isDrawn(window);
    expect(unsent(reports)).toEqual([]);
    expect(window.bytes()).toContain(rowOf(asked.id, 0));
  });
});

test('so is a list that opened by itself', async () => {
  const window = open({columns: 60, rows: 16}, {}, {isSilent: true});
  await shown(window).toContain('Ask anything');
  let got: string | undefined;
  window.store.onEvent((event) => {
    if (event.type === 'picker_changed' && event.change.seenAt !== undefined) got ??= window.bytes();
  });
  window.resize({columns: 50, rows: 20});
  const picker = undoPicker({turn: 1, files: []}, {cwd: '/work', answerFrom: 0});
  window.store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  await expect.poll(() => got).toContain(picker.title);
});

const slowly = async () => pass(20);

test.each([
  ['on a slow terminal', {}],
  ['on a slow one with a screen reader', {isLinear: true}],
])('what is asked is seen when it has left this process: %s', async (_name, able) => {
  const window = open(undefined, able, {takes: slowly});
  const reports = reportsOf(window);
  window.report(prompt(1), toRun('one'));
  await isDrawn(window);
  expect(unsent(reports)).toEqual([]);
  expect(window.bytes()).toContain(rowOf('one', 0));
});

test('what is asked while an editor has the terminal is seen when it is given back', async () => {
  const window = open();
  await shown(window).toContain('Ask anything');
  const reports = reportsOf(window);
  const {promise, resolve} = Promise.withResolvers<void>();
  const lent = window.lend(() => promise);
  window.report(prompt(1), toRun('one'));
  await window.written();
  expect([reports, window.bytes().includes(rowOf('one', 0))]).toEqual([[], false]);
  resolve();
  await lent;
  await isDrawn(window);
  expect(unsent(reports)).toEqual([]);
  expect(window.bytes()).toContain(rowOf('one', 0));
});

test('what was read of a request does not count on the board, where it is drawn anew', async () => {
  const window = open({columns: 80, rows: 30});
  const reports = reportsOf(window);
  window.report(prompt(1), toRun('one'));
  await isDrawn(window);
  window.store.dispatch({type: 'board_opened'}, 'urgent');
  expect(window.store.latest().request?.seen.ranges).toEqual([]);
  await isDrawn(window);
  await expect.poll(() => reports.at(-1)?.got).toContain('Needs you');
  expect(unsent(reports)).toEqual([]);
});

test('on a terminal on which what is asked does not fit nothing is seen', async () => {
  const window = open({columns: 50, rows: 2});
  const reports = reportsOf(window);
  window.report(prompt(1), toRun('one'));
  for (const firstRow of [0, 1, 3, 9]) {
    window.store.dispatch({type: 'request_scrolled', firstRow}, 'urgent');
    await window.written();
  }
  expect(unsent(reports)).toEqual([]);
});

test('on a terminal that is closed nothing is seen', async () => {
  let isClosed = false;
  const takes = async () => {
    if (isClosed) throw new Error('closed');
  };
  const window = open(undefined, {}, {takes});
  window.report(prompt(1), toRun('one'));
  await isDrawn(window);
  const reports = reportsOf(window);
  isClosed = true;
  window.store.dispatch({type: 'request_scrolled', firstRow: ROWS}, 'urgent');
  await window.written();
  expect(reports).toEqual([]);
});

type Step =
  | {readonly kind: 'resize'; readonly columns: number; readonly rows: number}
  | {readonly kind: 'ask'; readonly what: 'run' | 'form'}
  | {readonly kind: 'scroll'; readonly firstRow: number}
  | {readonly kind: 'screen'; readonly screen: 'inline' | 'full'}
  /** Opens the board, or closes it. */
  | {readonly kind: 'board'}
  /** An editor or a shell has the terminal for a while. */
  | {readonly kind: 'lend'; readonly milliseconds: number}
  | {readonly kind: 'terminal'; readonly takesMilliseconds: number};

const step: fc.Arbitrary<{readonly step: Step; readonly after: number}> = fc.record({
  step: fc.oneof(
    fc.record({
      kind: fc.constant('resize' as const),
      columns: fc.integer({min: 24, max: 100}),
      rows: fc.oneof(fc.integer({min: FITS, max: 40}), fc.integer({min: 1, max: 3})),
    }),
    fc.record({kind: fc.constant('ask' as const), what: fc.constantFrom('run' as const, 'form' as const)}),
    fc.record({kind: fc.constant('scroll' as const), firstRow: fc.integer({min: 0, max: ROWS})}),
    fc.record({
      kind: fc.constant('screen' as const),
      screen: fc.constantFrom('inline' as const, 'full' as const),
    }),
    fc.record({kind: fc.constant('board' as const)}),
    fc.record({kind: fc.constant('lend' as const), milliseconds: fc.constantFrom(0, 5, 60)}),
    fc.record({kind: fc.constant('terminal' as const), takesMilliseconds: fc.constantFrom(0, 5, 60)}),
  ),
  /** Milliseconds until the next one. */
  after: fc.constantFrom(0, 0, 5, 40, 130),
});

const scenario = fc.record({
  steps: fc.array(step, {minLength: 4, maxLength: 12}),
  able: fc.record({isLinear: fc.boolean(), reflows: fc.boolean()}),
  isSilent: fc.boolean(),
  /** After so many steps nothing is written any more. */
  closesAfter: fc.option(fc.integer({min: 0, max: 12})),
});

/** Does a step; `id` is that of a new request. */
function take(window: Window, step: Exclude<Step, {kind: 'terminal' | 'lend'}>, id: string): void {
  const {request, board} = window.store.latest();
  const before = request?.id;
  switch (step.kind) {
    case 'resize':
      return window.resize(step);
    case 'scroll':
      return window.store.dispatch({type: 'request_scrolled', firstRow: step.firstRow}, 'urgent');
    case 'screen':
      return window.store.dispatch({type: 'screen_changed', screen: step.screen}, 'urgent');
    case 'board':
      return window.store.dispatch({type: board ? 'board_closed' : 'board_opened'}, 'urgent');
    case 'ask':
      if (before !== undefined)
        window.report(
          before.startsWith('form')
            ? {type: 'elicitation_resolved', id: before, outcome: 'cancelled', answers: []}
            : {
                type: 'permission_resolved',
                id: before,
                toolCallId: 'a',
                decision: {outcome: 'cancelled', option: undefined, by: 'user'},
              },
        );
      return window.report(step.what === 'run' ? toRun(id) : form(`form${id}`));
  }
}

test('whatever is resized, covered, lent, slow, silent or closed: no row counts as seen before it was sent', async () => {
  const runs = process.env['FUZZ_STREAMS'] === undefined ? 10 : 200;
  await fc.assert(
    fc.asyncProperty(scenario, async ({steps, able, isSilent, closesAfter}) => {
      let milliseconds = 0;
      let rows = 16;
      let isClosed = false;
      let lent: Promise<void> | undefined;
      const takes = async () => {
        if (isClosed) throw new Error('closed');
        if (milliseconds > 0) await pass(milliseconds);
      };
      const behind: WindowEnvironment = {isSilent, takes};
      const window = open({columns: 60, rows}, able, behind);
      const reports = reportsOf(window);
      window.report(prompt(1));
      for (const [index, {step, after}] of steps.entries()) {
        isClosed ||= index === closesAfter;
        if (step.kind === 'resize') rows = step.rows;
        if (step.kind === 'terminal') milliseconds = step.takesMilliseconds;
        else if (step.kind === 'lend') lent = window.lend(() => pass(step.milliseconds));
        else take(window, step, `n${index}`);
        if (after > 0) await pass(after);
        expect(unsent(reports)).toEqual([]);
      }
      await lent;
      if (!isClosed && rows >= FITS && window.store.latest().request) await isDrawn(window);
      expect(unsent(reports)).toEqual([]);
      milliseconds = 0;
      await closeWindows();
    }),
    {numRuns: runs},
  );
});
