import {describe, expect, test} from 'vitest';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';
import type {ViewerHit, ViewerPlace, ViewerPosition} from '../../../../../src/app/pages/viewer-state.ts';

const at = (id: string, rows = 0): ViewerPosition => ({from: 'entry', id, rows});
const end = {from: 'end', rows: 0} as const;

/** A window with a transcript open, 20 rows of it on the screen from that row. */
function reading(position: ViewerPosition = at('4')): TestWindow {
  const window = openWindow();
  window.press('ctrl+o');
  drawn(window, position);
  return window;
}

/** The view has drawn the requested rows. */
function drawn(window: TestWindow, position: ViewerPosition, foldable?: ViewerPlace): void {
  const {position: of} = viewer(window);
  window.dispatch({type: 'viewer_drawn', of, position, page: 20, foldable});
}

const viewer = (window: TestWindow) => window.state.viewer;
const top = (window: TestWindow) => viewer(window).position;

/** The view finds it in these rows, `nearest` of them above the screen. */
function finds(window: TestWindow, hits: readonly ViewerHit[], nearest = 0): void {
  window.dispatch({type: 'viewer_searched', search: viewer(window).search, hits, nearest});
}

const hits = ['2', '5', '9'].map((id) => ({id, row: 7}));

describe('c in the transcript', () => {
  /** The texts that `c` copies. */
  const copied = (window: TestWindow) => window.performed('copy').map(({text, what}) => `${what}: ${text}`);

  function talked(): TestWindow {
    const window = openWindow();
    window.say('go');
    window.update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Two **words**.'}});
    const output = {type: 'content', content: {type: 'text', text: 'all passed'}} as const;
    window.update({
      sessionUpdate: 'tool_call',
      toolCallId: '1',
      title: 'Test it',
      status: 'completed',
      content: [output],
    });
    window.endTurn();
    window.press('ctrl+o');
    return window;
  }

  test('copies the last answer at the end, as it was written', () => {
    const window = talked();
    window.press('c');
    expect(copied(window)).toEqual(['the answer: Two **words**.']);
  });

  test('copies what was jumped to, or else what is topmost', () => {
    const window = talked();
    window.press('{', 'c', '[', 'c');
    expect(copied(window)).toEqual(['the output: all passed', 'the prompt: go']);
    const [, answer] = window.open.session.entries;
    drawn(window, at(answer?.id ?? '', 0));
    window.dispatch({type: 'viewer_changed', change: {position: at(answer?.id ?? ''), selected: undefined}});
    window.press('c');
    expect(copied(window)[2]).toBe('the answer: Two **words**.');
  });

  test('says so if there is nothing', () => {
    const window = reading(end);
    window.press('c');
    expect(copied(window)).toEqual([]);
    expect(window.state.toast?.text).toBe('There is no text to copy here.');
  });
});

describe('searching the transcript', () => {
  test('moves to the next match below while typing, with some rows above it', () => {
    const window = reading();
    window.press('/');
    window.type('qn');
    expect(viewer(window).search).toBe('qn');
    finds(window, hits, 1);
    expect([viewer(window).hit, top(window)]).toEqual([1, at('5', 1)]);
    window.press('backspace');
    window.type('x');
    finds(window, hits.slice(0, 1));
    expect([viewer(window).hit, top(window)]).toEqual([0, at('2', 1)]);
  });

  test('moves to the next and the previous match with n and N, wrapping around at both ends', () => {
    const window = reading();
    window.press('/');
    window.type('x');
    finds(window, hits);
    window.press('enter');
    const found = [viewer(window).hit];
    for (const key of ['n', 'n', 'n', 'shift+n', 'shift+n']) {
      window.press(key);
      found.push(viewer(window).hit);
    }
    expect(found).toEqual([0, 1, 2, 0, 2, 1]);
    window.press('home', 'n');
    expect(viewer(window).hit).toBe(0);
  });

  test('is cancelled with Esc, back to where it started, and the transcript stays open', () => {
    const window = reading(at('70'));
    window.press('/');
    window.type('q');
    finds(window, hits);
    expect(top(window)).not.toEqual(at('70'));
    window.press('escape');
    expect([viewer(window).search, top(window)]).toEqual(['', at('70')]);
    window.press('escape');
    expect(window.state.overlay.kind).toBe('none');
  });

  test('accepts a paste as one line, ignores an old search, and stays in place without a match', () => {
    const window = reading(at('70'));
    window.press('/');
    window.paste('two\rlines');
    expect(viewer(window).search).toBe('two lines');
    window.dispatch({type: 'viewer_searched', search: 'two', hits, nearest: 0});
    finds(window, []);
    expect([viewer(window).hits, top(window)]).toEqual([[], at('70')]);
    window.press('enter', 'n');
    expect(top(window)).toEqual(at('70'));
  });
});

describe('scrolling', () => {
  test('has keys for lines, pages and both ends, as pagers do', () => {
    const window = reading(at('4', 3));
    const rows = ['pagedown', 'j', 'up', 'pageup', 'g', 'up', 'shift+g', 'down', 'pageup', 'home', 'end'].map(
      (key) => {
        window.press(key);
        return top(window);
      },
    );
    expect(rows).toEqual([
      ...[22, 23, 22, 3].map((row) => at('4', row)),
      {from: 'start', rows: 0},
      {from: 'start', rows: 0},
      end,
      end,
      {from: 'end', rows: -19},
      {from: 'start', rows: 0},
      end,
    ]);
  });

  test('is relative to what was drawn before the last key', () => {
    const window = reading(at('4'));
    const of = top(window);
    window.press('down');
    window.dispatch({type: 'viewer_drawn', of, position: at('3', 2), page: 12, foldable: undefined});
    expect([top(window), viewer(window).page]).toEqual([at('4', 1), 12]);
  });

  test('counts what arrived since the end was left', () => {
    const window = openWindow();
    window.dispatch({type: 'screen_changed', screen: 'full'});
    drawn(window, end);
    expect(viewer(window).seen).toBeUndefined();
    window.press('pageup');
    drawn(window, at('0'));
    expect(viewer(window).seen).toBe(window.open.session.entries.length);
    window.press('shift+end');
    drawn(window, end);
    expect(viewer(window).seen).toBeUndefined();
  });

  test('works from the prompt in full screen, and does nothing inline', () => {
    const window = openWindow();
    window.press('pageup');
    expect(top(window)).toEqual(end);
    window.press('ctrl+x', 'f');
    expect(window.state.screen).toBe('full');
    drawn(window, end);
    window.press('pageup');
    expect(top(window)).toEqual({from: 'end', rows: -19});
    window.type('hello');
    window.press('enter');
    expect(top(window)).toEqual(end);
    window.press('ctrl+x', 'f');
    expect(window.state.screen).toBe('inline');
  });
});

describe('folding', () => {
  const foldable = {id: '3', row: 5};

  test('folds and expands everything with f', () => {
    const window = reading();
    window.press('f');
    expect(viewer(window)).toMatchObject({isFolded: true, flipped: []});
    window.press('f');
    expect(viewer(window).isFolded).toBe(false);
  });

  test('stays at the end', () => {
    const window = reading(end);
    drawn(window, end, {id: '3', row: 5});
    window.press('f');
    expect(top(window)).toEqual(end);
  });

  test('folds and expands with Tab the topmost entry on the screen, and keeps it there', () => {
    const window = reading();
    window.press('tab');
    expect(viewer(window).flipped).toEqual([]);
    drawn(window, at('3', 5), foldable);
    window.press('tab');
    expect(viewer(window)).toMatchObject({flipped: ['3'], position: at('3')});
    window.press('down', 'tab');
    expect(viewer(window).flipped).toEqual([]);
  });
});

describe('jumping', () => {
  /** Entries: a prompt, two calls of which the second fails, and all of that again. */
  function talk(): TestWindow {
    const window = openWindow();
    for (const turn of [1, 2]) {
      window.agent({type: 'prompt_started', turn, content: [{type: 'text', text: 'Do it'}]});
      for (const status of ['completed', 'failed'] as const) {
        const toolCallId = `${turn}-${status}`;
        window.update({sessionUpdate: 'tool_call', toolCallId, title: 'x', status});
      }
    }
    window.press('ctrl+o');
    return window;
  }

  test.each([
    ['prompts', '[', 'user_message'],
    ['calls', '{', 'tool_call'],
  ])('moves up through the %s from the end, and says when there are no more', (_, key, type) => {
    const window = talk();
    const wanted = [...window.open.session.entries].filter((entry) => entry.type === type).map(({id}) => id);
    const found = wanted.map(() => {
      window.press(key);
      return viewer(window).selected;
    });
    expect(found).toEqual(wanted.toReversed());
    expect(top(window)).toEqual(at(wanted[0]!));
    window.press(key);
    expect(window.state.toast?.text).toMatch(/^No .* above\.$/);
  });

  test('moves to failures only, down and up, and folds the entry again', () => {
    const window = talk();
    window.press('home', ')', ')');
    const failed = [...window.open.session.entries].filter(
      (entry) => entry.type === 'tool_call' && entry.status === 'failed',
    );
    expect(viewer(window).selected).toBe(failed[1]!.id);
    window.press('(');
    expect(viewer(window).selected).toBe(failed[0]!.id);
    window.press('tab');
    expect(viewer(window).flipped).toEqual([failed[0]!.id]);
  });
});

describe('the transcript of a subagent', () => {
  const foldable = {id: '0', row: 0};
  const report = (window: TestWindow, reported: object) =>
    window.update({sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Reviewer', ...reported});
  const shown = ({state: {overlay}}: TestWindow) =>
    overlay.kind === 'transcript' ? (overlay.subagent ?? 'the session') : overlay.kind;

  test('is opened from their list, and closes to the parent session', () => {
    const window = openWindow();
    report(window, {});
    window.press('ctrl+x', 'g');
    expect(shown(window)).toBe('picker');
    window.press('enter');
    expect(shown(window)).toBe('child');
    window.press('left');
    expect(shown(window)).toBe('the session');
    window.press('left');
    expect(shown(window)).toBe('the session');
    window.press('ctrl+o');
    expect(shown(window)).toBe('none');
  });

  const cardOf = (window: TestWindow) =>
    window.open.session.entries.find(({type}) => type === 'subagent')!.id;

  test('is opened from its entry on the screen, and closes to that entry', () => {
    const window = openWindow();
    report(window, {});
    window.press('ctrl+o', 'right');
    expect(shown(window)).toBe('the session');
    const card = cardOf(window);
    window.dispatch({type: 'viewer_drawn', of: top(window), position: at('0'), page: 20, foldable, card});
    window.press('right');
    expect(shown(window)).toBe('child');
    window.press('left');
    expect([shown(window), viewer(window).selected, top(window)]).toEqual(['the session', card, at(card)]);
  });

  test('? shows other keys', () => {
    const window = openWindow();
    window.press('ctrl+o', '?', '?');
    expect(window.state.hints).toBe(2);
    window.press('ctrl+o', 'ctrl+o');
    expect(window.state.hints).toBe(0);
  });

  test('is opened at its first match, and closed with the search', () => {
    const window = openWindow();
    report(window, {});
    window.press('ctrl+o', '/');
    window.type('flaky');
    finds(window, [
      {id: '0', row: 1},
      {id: cardOf(window), row: 0, subagent: 'Reviewer'},
    ]);
    window.press('enter', 'n', 'right');
    expect(shown(window)).toBe('child');
    finds(window, hits, 2);
    expect([viewer(window).hit, top(window)]).toMatchObject([0, {from: 'entry', id: '2'}]);
    window.press('left');
    expect([shown(window), viewer(window).search]).toEqual(['the session', 'flaky']);
  });

  test('cancels its work with x, only if the agent supports that', () => {
    const window = openWindow();
    report(window, {state: {state: 'running'}});
    window.press('ctrl+x', 'g', 'enter', 'x');
    expect(window.called('cancelSubagent')).toEqual([]);
    report(window, {capabilities: {cancel: {}}});
    window.press('x');
    expect(window.called('cancelSubagent')).toEqual([['child']]);
  });

  test('cannot be cancelled when it is done', () => {
    const window = openWindow();
    report(window, {state: {state: 'idle', stopReason: 'end_turn'}, capabilities: {cancel: {}}});
    window.press('ctrl+x', 'g', 'enter', 'x');
    expect(window.called('cancelSubagent')).toEqual([]);
    expect(window.state.toast?.text).toBe('This subagent cannot be cancelled now.');
  });

  test('has no list if there is none', () => {
    const window = openWindow();
    window.press('ctrl+x', 'g');
    expect(shown(window)).toBe('none');
    expect(window.state.toast?.text).toBe('This session has no subagents.');
  });
});
