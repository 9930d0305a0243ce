import type * as acp from '@agentclientprotocol/sdk/unstable';
import {leastCpuTimeOf} from '../../../../support/cpu-time.ts';
import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {press, type TestWindow, workingWindow} from '../../../../support/window/app-window.ts';
import {READING_LEVELS, type ReadingLevel} from '../../../../../src/app/requests/seen-rows.ts';

const long = {visibleRows: 10, totalRows: 43};

const change: Partial<acp.ToolCallUpdate> = {
  kind: 'edit',
  content: [{type: 'diff', path: '/project/a.ts', oldText: 'a', newText: 'b'}],
};
const command: Partial<acp.ToolCallUpdate> = {kind: 'execute', rawInput: {command: 'make'}};

interface Asked {
  readonly about?: Partial<acp.ToolCallUpdate>;
  readonly asker?: string;
  readonly requireReading?: ReadingLevel;
  readonly size?: {readonly visibleRows: number; readonly totalRows: number};
}

/** A request that has had the focus for a second, with its first page on the screen. */
function reading({about = command, asker, requireReading = 'commands', size = long}: Asked = {}): TestWindow {
  const window = workingWindow({requireReading});
  window.wait(1000);
  window.ask('1', ['allow_once', 'reject_once'], {about, ...(asker !== undefined && {asker})});
  window.draw(size);
  window.wait(1000);
  return window;
}

/** The agent changes what the request says. */
function changes(window: TestWindow, text: string): void {
  const content: acp.ToolCallContent[] = [{type: 'content', content: {type: 'text', text}}];
  window.update({sessionUpdate: 'tool_call_update', toolCallId: 'call-1', content});
}

function go(window: TestWindow, ...keys: readonly string[]): void {
  for (const key of keys) {
    window.press(key);
    window.draw(long);
  }
}

describe('a command', () => {
  test('is not allowed after End alone, which shows the next part', () => {
    const window = reading();
    go(window, 'end');
    window.press('y');
    expect(window.answers).toEqual([]);
    expect(hintLine(window.state)).toBe('Read the rest before allowing: Space/PgDn scrolls.');
    expect(window.state.request?.scroll.firstRow).toBe(10);
  });

  test('leaves no reading state once it is answered', () => {
    const window = reading();
    window.press('y');
    expect(hintLine(window.state)).toContain('Read the rest before');
    window.press('n');
    expect(window.state.toast).toBeUndefined();
  });

  test('is allowed once every page was on the screen, in any order', () => {
    const window = reading();
    go(window, 'end', 'home', 'space', 'space');
    window.press('y');
    expect(window.answers).toEqual([]);
    go(window, 'home', 'pagedown', 'pagedown', 'pagedown', 'pagedown');
    window.press('y');
    expect(window.answers).toEqual([0]);
    const jumping = reading();
    for (const firstRow of [30, 33, 20, 10]) {
      expect(jumping.answers).toEqual([]);
      const drawn = {...long, firstRow};
      jumping.dispatch({type: 'request_drawn', id: '1', version: 0, drawn, columns: 80, at: jumping.now});
      jumping.press('y');
    }
    expect(jumping.answers).toEqual([0]);
  });

  test.each([
    ['space', 9],
    ['pagedown', 9],
    ['y', 10],
    ['enter', 10],
  ])('%s alone moves through every row of it', (key, step) => {
    const window = reading();
    for (let pages = 0; window.answers.length === 0 && pages < 10; pages++) {
      const {ranges} = window.state.request?.seen ?? {ranges: []};
      expect(ranges).toEqual([{from: 0, to: Math.min(43, 10 + step * pages)}]);
      if (ranges[0]?.to === 43) window.press('y');
      else go(window, key);
    }
    expect(window.answers).toEqual([0]);
  });

  test('keys faster than frames skip no row', () => {
    const window = reading();
    window.press('space', 'space', 'space', 'space', 'space');
    expect(window.state.request?.scroll.firstRow).toBe(10);
  });

  test('must be read again if its rows wrap differently', () => {
    const window = reading();
    go(window, 'space', 'space', 'space', 'space');
    window.draw({...long, columns: 79});
    window.press('y');
    expect(window.answers).toEqual([]);
    window.draw({visibleRows: 43, totalRows: 43, columns: 79});
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('that fits is not held back', () => {
    const window = reading({size: {visibleRows: 10, totalRows: 10}});
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('can be rejected at any time', () => {
    const window = reading();
    window.press('n');
    expect(window.answers).toEqual([1]);
  });

  test('costs per key what it was read in, and not its rows', () => {
    const parts = 25;
    const costs = (totalRows: number) => {
      const window = reading({size: {visibleRows: 10, totalRows}});
      for (let row = 0; row < totalRows; row += totalRows / parts) {
        const drawn = {firstRow: row, visibleRows: 10, totalRows};
        window.dispatch({type: 'request_drawn', id: '1', version: 0, drawn, columns: 80, at: window.now});
      }
      expect(window.state.request?.seen.ranges).toHaveLength(parts);
      const cost = leastCpuTimeOf(() => window.press('y', 'space'));
      expect(window.answers).toEqual([]);
      return cost;
    };
    expect(costs(100_000)).toBeLessThan(5 * costs(1000));
  });
});

describe('a change', () => {
  test('is allowed after End', () => {
    const window = reading({about: change});
    window.press('y');
    expect(window.answers).toEqual([]);
    go(window, 'end');
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test.each<[string, Partial<acp.ToolCallUpdate>]>([
    ['a command in its input', {rawInput: {command: 'make'}}],
    ['a command under another name', {rawInput: {Bash: 'make'}}],
    ['a command deep in its input', {rawInput: {steps: [{argv: ['make']}]}}],
    ['a terminal', {content: [...change.content!, {type: 'terminal', terminalId: 't'}]}],
    ['its kind', {kind: 'execute'}],
    ['no diff', {content: [{type: 'content', content: {type: 'text', text: 'a.ts'}}]}],
  ])('that is a command by %s is read like one', (_by, about) => {
    const window = reading({about: {...change, ...about}});
    go(window, 'end');
    window.press('y');
    expect(window.answers).toEqual([]);
  });

  test('with other fields in its input and a text beside its diff is a change', () => {
    const window = reading({
      about: {
        ...change,
        content: [...change.content!, {type: 'content', content: {type: 'text', text: 'Why'}}],
        rawInput: {path: 'a.ts', description: 'a command', command: ''},
      },
    });
    go(window, 'end');
    window.press('y');
    expect(window.answers).toEqual([0]);
  });
});

test('a request of acp-tui itself is read like a command', () => {
  const window = reading({about: change, asker: 'acp-tui'});
  go(window, 'end');
  window.press('y');
  expect(window.answers).toEqual([]);
});

describe('requireReading', () => {
  test('all: a change is read like a command', () => {
    const window = reading({about: change, requireReading: 'all'});
    go(window, 'end');
    window.press('y');
    expect(window.answers).toEqual([]);
    go(window, 'home', 'space', 'space', 'space', 'space');
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test.each(READING_LEVELS)('%s: keys typed before the request was drawn never answer', (level) => {
    const window = workingWindow({requireReading: level});
    window.type('x');
    window.ask('1');
    window.press('tab', '1');
    const early = press('y', window.now + 50);
    window.wait(200);
    window.draw();
    window.key(early);
    expect(window.answers).toEqual([]);
  });
});

describe('a request that the agent changes while it is drawn', () => {
  test('is marked, starts from its top, and must be read again', () => {
    const window = reading();
    go(window, 'space', 'space', 'space', 'space');
    expect(window.state.request?.changed).toBeUndefined();
    changes(window, 'Something else');
    expect(window.state.request).toMatchObject({changed: 'agent', scroll: {firstRow: 0}, seen: {ranges: []}});
    window.draw(long);
    window.wait(5000);
    window.press('y');
    expect(window.answers).toEqual([]);
    go(window, 'space', 'space', 'space', 'space');
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('or whose files change says so, and that the agent did if both did', () => {
    const window = reading({about: change});
    const outdated = () =>
      window.agent({
        type: 'permission_outdated',
        id: '1',
        outdated: [{path: '/project/a.ts', why: 'changed'}],
      });
    const says = [outdated, () => changes(window, 'Something else'), outdated].map((happens) => {
      happens();
      window.draw(long);
      return window.state.request?.changed;
    });
    expect(says).toEqual(['disk', 'agent', 'agent']);
  });

  test.each(['y', '1', 'enter'])('%s counts only a second after the change was drawn', (key) => {
    const window = reading({size: {visibleRows: 5, totalRows: 5}});
    changes(window, 'Something else');
    window.draw();
    window.key(press(key, window.now + 1000));
    expect(window.answers).toEqual([]);
    expect(hintLine(window.state)).toContain('too soon');
    window.wait(2000);
    window.press(key);
    expect(window.answers).toEqual([0]);
  });

  test.each(['n', '2'])('%s rejects it however often it changes, drawn or not', (key) => {
    const window = reading();
    for (const title of ['a', 'b', 'c']) {
      changes(window, title);
      window.draw(long);
      window.press('y');
    }
    changes(window, 'd');
    window.press(key);
    expect(window.answers).toEqual([1]);
  });

  test('can be rejected at once if the focus was returned and taken again', () => {
    const window = reading();
    window.press('escape');
    changes(window, 'Something else');
    window.press('tab', 'n');
    expect(window.answers).toEqual([1]);
  });

  test('cannot be answered sooner by focusing it again', () => {
    const window = reading();
    changes(window, 'Something else');
    window.draw();
    window.press('escape', 'tab');
    expect(window.takesKeys).toBe(false);
    window.press('y');
    expect(window.answers).toEqual([]);
  });

  test('cannot be answered sooner by focusing it again before it is drawn', () => {
    const window = reading({size: {visibleRows: 5, totalRows: 5}});
    changes(window, 'Something else');
    window.press('escape', 'tab');
    window.draw();
    window.press('y');
    expect(window.answers).toEqual([]);
    window.wait(1001);
    window.press('y');
    expect(window.answers).toEqual([0]);
  });

  test('keeps its mark through every later change', () => {
    const window = reading();
    changes(window, 'Something else');
    changes(window, 'And again');
    window.draw();
    expect(window.state.request?.changed).toBe('agent');
  });

  test('is not marked for changes before it was on the screen', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1');
    changes(window, 'Something else');
    window.draw();
    expect(window.state.request?.changed).toBeUndefined();
  });
});

describe('a request with hidden characters', () => {
  const fits = {visibleRows: 5, totalRows: 5};
  const hidden = {kind: 'execute' as const, rawInput: {command: 'ls \x1b]0;touch x\x07'}};

  test('names Tab only once it cannot be the Tab that focused it, still held down', () => {
    const window = reading({about: hidden, size: fits});
    window.press('escape', 'tab');
    expect(window.takesKeys).toBe(false);
    window.wait(1000);
    expect(window.takesKeys).toBe(true);
    window.press('tab', '1');
    expect(window.answers).toEqual([0]);
  });

  test.each(['y', '1', 'enter'])('%s alone does not allow it, and says what does', (key) => {
    const window = reading({about: hidden, size: fits});
    window.press(key);
    expect(window.answers).toEqual([]);
    expect(hintLine(window.state)).toMatch(/hidden characters\. To allow: Tab, then a number/);
  });

  test.each(['y', '1'])('Tab and then %s allow it', (key) => {
    const window = reading({about: hidden, size: fits});
    window.press('tab', key);
    expect(window.answers).toEqual([0]);
  });

  test('Enter never allows it, but rejects it', () => {
    const window = reading({about: hidden, size: fits});
    window.press('tab', 'enter');
    expect(window.answers).toEqual([]);
    expect(window.state.toast?.text).toContain('Enter does not allow it');
    window.press('down', 'enter');
    expect(window.answers).toEqual([1]);
  });

  test('is rejected like everything else', () => {
    const window = reading({about: hidden, size: fits});
    window.press('n');
    expect(window.answers).toEqual([1]);
  });

  test('Tab unlocks nothing before all of it was read, or once it has changed', () => {
    const window = reading({about: hidden});
    window.press('tab');
    expect(window.state.request?.phase).not.toMatchObject({isUnlocked: true});
    window.draw({visibleRows: 43, totalRows: 43});
    window.press('tab');
    expect(window.state.request?.phase).toMatchObject({isUnlocked: true});
    changes(window, 'Something else');
    expect(window.state.request?.phase).not.toMatchObject({isUnlocked: true});
  });

  test('is detected as well by its title, path, new text, rule, and option names', () => {
    const abouts = [
      {title: 'a\u200bb'},
      {locations: [{path: '/a\u{e0100}b'}]},
      {rawInput: {value: 'a\u200bb'}},
      {rawInput: {data: {id: 'a\u200bb'}}},
      {content: [{type: 'diff' as const, path: '/a', oldText: null, newText: 'x\u202ey'}]},
    ];
    for (const about of abouts) {
      const window = reading({about, size: fits});
      window.press('y');
      expect(window.answers).toEqual([]);
    }
  });
});
