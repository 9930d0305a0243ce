import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {workingWindow} from '../../../../support/window/app-window.ts';

const RULE = 'execute npm test';

/** A request that has the focus, was drawn as specified, and offers a rule. */
function asked(offered: {readonly rule?: string} = {rule: RULE}, drawn = {visibleRows: 10, totalRows: 10}) {
  const window = workingWindow();
  window.wait(1000);
  window.ask('1', ['allow_always', 'allow_once', 'reject_once'], offered);
  window.draw(drawn);
  return window;
}

describe('the key of an offered rule', () => {
  test('answers with the rule, and is no option of the agent', () => {
    const window = asked();
    window.wait(1000);
    window.press('p');
    expect(window.called('answer')).toEqual([['1', {kind: 'rule', changes: 0, key: 'p'}]]);
  });

  test('goes to the prompt right after the request took the focus', () => {
    const window = asked();
    window.press('p');
    expect(window.answers).toEqual([]);
    expect(window.draft).toBe('p');
  });

  test('scrolls before the end was shown', () => {
    const window = asked({rule: RULE}, {visibleRows: 10, totalRows: 25});
    window.wait(1000);
    window.press('p');
    expect(window.answers).toEqual([]);
    expect(window.state.request?.scroll.firstRow).toBe(10);
  });

  test('accepts a rule only once all of it was on the screen, also where only the end must be read', () => {
    const window = workingWindow();
    window.wait(1000);
    const content = [{type: 'diff' as const, path: '/project/a.ts', oldText: 'a', newText: 'b'}];
    window.ask('1', ['allow_once', 'reject_once'], {rule: RULE, about: {kind: 'edit', content}});
    const size = {visibleRows: 10, totalRows: 40, rule: {from: 20, to: 23}};
    window.draw(size);
    window.wait(1000);
    window.press('end');
    window.draw(size);
    window.press('p');
    expect(window.answers).toEqual([]);
    expect(hintLine(window.state)).toContain('rule was not visible');
    expect(window.state.request?.scroll.firstRow).toBe(20);
    window.draw(size);
    window.press('p');
    expect(window.answers).toEqual(['rule']);
  });

  test('selects its answer first if that is off the screen', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', ['allow_once', 'reject_once'], {rule: RULE});
    window.draw({rule: 'off the screen'});
    window.wait(1000);
    window.press('p');
    expect(window.answers).toEqual([]);
    expect(window.state.request?.selected).toBe(1);
    window.draw({rule: 'in its answer'});
    window.press('p');
    expect(window.answers).toEqual(['rule']);
  });

  test('is a number before those that reject, which Enter never selects by itself', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', ['allow_always', 'reject_once'], {rule: RULE});
    window.draw();
    window.wait(1000);
    expect(window.state.request?.selected).toBe(2);
    window.press('2');
    expect(window.answers).toEqual(['rule']);
  });

  test('keeps the selected answer when it comes or goes', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', ['allow_once', 'reject_once'], {});
    window.draw();
    window.wait(1000);
    window.press('down');
    window.agent({type: 'permission_rule_offered', id: '1', rule: RULE});
    expect(window.state.request?.selected).toBe(2);
    window.draw();
    window.wait(2000);
    window.press('enter');
    expect(window.answers).toEqual([1]);
  });

  test('what is offered leaves what was read if that is nothing', () => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', ['allow_always', 'reject_once'], {});
    window.draw();
    window.wait(1000);
    window.agent({type: 'permission_rule_offered', id: '1', covers: ['', '']});
    window.press('1');
    expect(window.answers).toEqual([0]);
  });

  test('does nothing without an offered rule, and says so', () => {
    const window = asked({});
    window.wait(1000);
    window.press('p');
    expect(window.answers).toEqual([]);
    expect(hintLine(window.state)).toContain('No rule is offered');
  });

  test('answers once', () => {
    const window = asked();
    window.wait(1000);
    window.press('p', 'p', 'y');
    expect(window.answers).toEqual(['rule']);
  });
});

test('an answer records which key was pressed', () => {
  const window = asked();
  window.wait(1000);
  window.press('y');
  expect(window.called('answer')[0]![1]).toEqual({kind: 'option', index: 1, changes: 0, key: 'y'});
});
