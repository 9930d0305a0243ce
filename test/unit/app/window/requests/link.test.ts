import {describe, expect, it} from 'vitest';
import {askToOpen, link} from '../asking.ts';
import {type TestWindow, workingWindow} from '../../../../support/window/app-window.ts';

function askedLink(size = {visibleRows: 5, totalRows: 5}, message?: string): TestWindow {
  const window = workingWindow();
  window.wait(1000);
  askToOpen(window, 'u', message);
  window.draw(size);
  window.wait(1000);
  return window;
}

/** The user agreed, and the client opened it. */
function openedLink(): TestWindow {
  const window = askedLink();
  window.press('1');
  window.agent({type: 'elicitation_resolved', id: 'u', outcome: 'accepted', answers: []});
  window.draw();
  window.wait(2000);
  return window;
}

const opened = (window: TestWindow) => window.performed('open_link').map(({id}) => id);

describe('a URL request', () => {
  it('is opened only when allowed, after all of it was on the screen', () => {
    const window = askedLink({visibleRows: 2, totalRows: 5});
    window.press('1');
    expect(opened(window)).toEqual([]);
    expect(window.state.request?.scroll.firstRow).toBe(2);
    window.press('end');
    window.draw({visibleRows: 2, totalRows: 5});
    window.press('1');
    expect(opened(window)).toEqual([]);
    for (let page = 0; page < 2; page++) {
      window.draw({visibleRows: 2, totalRows: 5});
      window.press('1');
    }
    expect(opened(window)).toEqual(['u']);
    window.press('1', 'enter');
    expect(opened(window)).toEqual(['u']);
  });

  it('is declined and cancelled without having been read', () => {
    for (const [key, answer] of [
      ['2', 'declined'],
      ['3', 'cancelled'],
    ] as const) {
      const window = askedLink({visibleRows: 2, totalRows: 5});
      window.press(key);
      expect(window.answers).toEqual([answer]);
    }
  });

  it('with hidden characters is opened by two keys', () => {
    const window = askedLink(undefined, 'Sign \u202Ein');
    window.press('1');
    expect(opened(window)).toEqual([]);
    window.press('tab', 'enter');
    expect(opened(window)).toEqual([]);
    window.press('1');
    expect(opened(window)).toEqual(['u']);
  });

  it('with hidden characters is declined by Enter', () => {
    const window = askedLink(undefined, 'Sign \u202Ein');
    window.press('down', 'enter');
    expect(window.answers).toEqual(['declined']);
  });

  it('is copied with c', () => {
    const window = askedLink();
    window.press('c');
    expect(window.performed('copy')).toMatchObject([{text: link.href}]);
  });

  it('is not opened by keys typed for the prompt', () => {
    const window = workingWindow();
    askToOpen(window);
    window.type('1');
    window.draw();
    window.press('1');
    expect(window.draft).toBe('11');
    expect(opened(window)).toEqual([]);
  });
});

describe('a URL that was opened', () => {
  it('returns to the prompt, and does not take the focus again', () => {
    const window = openedLink();
    expect(window.state.focus.kind).toBe('prompt');
    window.type('3');
    expect(window.draft).toBe('3');
  });

  it('waits until the agent reports completion', () => {
    const window = openedLink();
    expect(window.state.request?.id).toBe('u');
    window.agent({type: 'elicitation_completed', id: 'u'});
    expect(window.state.request).toBeUndefined();
  });

  it('can be opened again, and continued from without completion', () => {
    const window = openedLink();
    window.press('tab', '2');
    expect(opened(window)).toEqual(['u', 'u']);
    window.press('1');
    expect(window.answers).toEqual(['done']);
    expect(window.open.session.pending).toEqual([]);
    expect(window.called('cancel')).toEqual([]);
  });

  it('is cancelled with the turn', () => {
    const window = openedLink();
    window.press('tab', '3');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.open.session.pending).toEqual([]);
  });

  it('waits behind later requests', () => {
    const window = openedLink();
    window.ask('p');
    expect(window.state.request?.id).toBe('p');
    window.draw();
    window.wait(1000);
    window.press('y');
    expect(window.state.request?.id).toBe('u');
    expect(window.state.focus.kind).toBe('prompt');
  });
});
