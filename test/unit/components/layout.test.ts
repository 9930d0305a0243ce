import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openWindow, type TestWindow, workingWindow} from '../../support/window/app-window.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {allocateRows, layOutScreen, type RowRequests} from '../../../components/layout.ts';

const nothing: RowRequests = {
  screen: 24,
  prompt: 2,
  queue: 0,
  plan: 0,
  panel: 0,
  gap: 0,
  air: 0,
  hint: 0,
  working: 0,
};

const wish = fc.integer({min: 0, max: 60});
const wishes = fc.record({
  screen: fc.integer({min: 2, max: 80}),
  prompt: fc.integer({min: 1, max: 30}),
  queue: wish,
  plan: wish,
  panel: wish,
  gap: fc.constantFrom(0, 1),
  air: fc.constantFrom(0, 1),
  hint: fc.integer({min: 0, max: 3}),
  working: fc.constantFrom(0, 1),
});

describe('the rows of the screen', () => {
  test('are never assigned twice, and one stays free', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        const {status, live, prompt, queue, plan, panel, gap, air, hint, working} = allocateRows(wishes);
        const all = [status, live, prompt, queue, plan, panel, gap, air, hint, working];
        expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
        expect(all.reduce((sum, rows) => sum + rows, 0)).toBe(Math.max(1, wishes.screen - 1));
      }),
    );
  });

  test('go to a panel as high as the rows that it could have, whatever else is shown', () => {
    fc.assert(
      fc.property(wishes, (wishes) => {
        const {screen, prompt, hint} = wishes;
        const most = allocateRows({...nothing, screen, prompt, hint, panel: Infinity}).panel;
        const panel = Math.min(wishes.panel, most);
        expect(allocateRows({...wishes, panel}).panel).toBe(panel);
      }),
    );
  });

  test('go to the transcript if nothing else needs them', () => {
    expect(allocateRows(nothing)).toMatchObject({prompt: 2, status: 1, live: 20});
  });

  test('go to a request up to six less than the screen has', () => {
    expect(allocateRows({...nothing, panel: 100}).panel).toBe(18);
  });

  test('go to a blank one above a request that is shown in full', () => {
    expect(allocateRows({...nothing, panel: 10, gap: 1})).toMatchObject({panel: 10, gap: 1});
    expect(allocateRows({...nothing, panel: 100, gap: 1})).toMatchObject({panel: 18, gap: 0});
  });

  test('go to a blank one above the prompt, unless there are few', () => {
    expect(allocateRows({...nothing, air: 1})).toMatchObject({air: 1, live: 19});
    expect(allocateRows({...nothing, panel: 5, air: 1, screen: 15})).toMatchObject({air: 0});
  });

  test('are enough for a request and the prompt on a screen of five', () => {
    expect(allocateRows({...nothing, screen: 5, prompt: 1, panel: 100, working: 1})).toMatchObject({
      prompt: 1,
      status: 1,
      panel: 2,
      working: 0,
    });
  });

  test('go to requests before the activity line, if there are few', () => {
    const wishes = {...nothing, screen: 6, prompt: 1, panel: 100, working: 1};
    expect(allocateRows(wishes)).toMatchObject({panel: 3, hint: 0, working: 0});
    expect(allocateRows({...wishes, hint: 1})).toMatchObject({panel: 2, hint: 1, working: 0});
    expect(allocateRows({...wishes, screen: 24})).toMatchObject({panel: 18, working: 1});
  });

  test('go to the prompt before the status line, if there are hardly any', () => {
    expect(allocateRows({...nothing, screen: 2, prompt: 1})).toMatchObject({prompt: 1, status: 0, live: 0});
  });

  test('of a plan are a quarter of the screen at most', () => {
    expect(allocateRows({...nothing, plan: 30}).plan).toBe(6);
    expect(allocateRows({...nothing, screen: 60, plan: 30}).plan).toBe(9);
  });
});

describe('a list', () => {
  const screen = {columns: 80, rows: 48};
  const rowsOf = (window: TestWindow, above?: number) => {
    const theme = plainTheme({columns: screen.columns});
    return layOutScreen(window.state, {screen, now: window.now, theme, ...(above !== undefined && {above})})
      .panel.height;
  };

  test('of commands uses half of the screen, or the rows that would be blank', () => {
    const window = workingWindow();
    window.press('ctrl+x', 'p');
    expect([rowsOf(window), rowsOf(window, 5)]).toEqual([24, 24]);
    window.endTurn();
    expect([rowsOf(window), rowsOf(window, 30), rowsOf(window, 5)]).toEqual([24, 24, 37]);
    window.press('escape', '/');
    expect([rowsOf(window), rowsOf(window, 5)]).toEqual([24, 37]);
  });

  test('uses all of the screen without a transcript', () => {
    const window = openWindow();
    window.press('?', '?');
    expect(rowsOf(window)).toBe(42);
  });
});
