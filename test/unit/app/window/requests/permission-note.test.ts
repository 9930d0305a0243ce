import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {windowWithRequest, workingWindow} from '../../../../support/window/app-window.ts';

describe('rejecting with a note', () => {
  function noting() {
    const window = windowWithRequest(['allow_once', 'reject_once']);
    window.wait(1000);
    window.press('r');
    return window;
  }

  test('rejects when the note is sent, and sends it before the queue', () => {
    const window = workingWindow();
    window.say('later');
    window.type('half');
    window.ask('1');
    window.draw();
    window.press('tab', 'r');
    expect(window.draft).toBe('');
    expect(window.answers).toEqual([]);
    window.say('use git mv');
    expect(window.answers).toEqual([1]);
    expect(window.queue).toEqual(['use git mv', 'later']);
    expect(window.draft).toBe('half');
    window.endTurn();
    window.endTurn();
    expect(window.sent).toEqual(['go', 'use git mv', 'later']);
  });

  test.each([true, false])('says when the note is sent (into the turn: %s)', (steers) => {
    const window = workingWindow({steers});
    window.ask('1');
    window.draw();
    window.press('tab', 'r');
    const when = steers ? 'Enter reject and send ·' : 'Enter reject, then send after this turn ·';
    expect(hintLine(window.state)).toContain(when);
  });

  test('sends the note into the running turn if the agent can be steered', () => {
    const window = workingWindow({steers: true});
    window.say('later');
    window.ask('1');
    window.draw();
    window.press('tab', 'r');
    window.say('use git mv');
    expect(window.answers).toEqual([1]);
    expect(window.steered).toEqual(['use git mv']);
    window.answerSteering('taken');
    expect(window.queue).toEqual(['later']);
  });

  test('sends the note next if the rejection ended the turn before the note arrived', () => {
    const window = workingWindow({steers: true});
    window.ask('1');
    window.draw();
    window.press('tab', 'r');
    window.say('use git mv');
    const id = window.open.session.queue.prompts[0]?.id ?? '';
    window.endTurn('cancelled');
    window.changeQueue({kind: 'steered', id, outcome: 'refused'});
    expect(window.sent).toEqual(['go', 'use git mv']);
  });

  test('sends the note although the rejection cancels the turn; the rest waits', () => {
    const window = noting();
    window.say('use git mv');
    window.say('later');
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'use git mv']);
    window.endTurn();
    expect(window.queue).toEqual(['later']);
  });

  test.each(['refusal', 'max_tokens'] as const)('keeps the note when the turn ends with %s', (reason) => {
    const window = noting();
    window.say('use git mv');
    window.endTurn(reason);
    expect(window.sent).toEqual(['go']);
    expect(window.open.session.queue.isPaused).toBe(true);
  });

  test('keeps the note when the user cancels the turn', () => {
    const window = noting();
    window.say('use git mv');
    window.press('escape');
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go']);
    expect(window.queue).toEqual(['use git mv']);
  });

  test('returns to the request with Esc and keeps the note', () => {
    const window = noting();
    window.type('beca');
    window.press('escape');
    expect(window.state.focus.kind).toBe('request');
    window.wait(1000);
    window.press('r');
    expect(window.draft).toBe('beca');
  });

  test('moves the note into the draft if the request is answered otherwise', () => {
    const window = noting();
    window.type('beca');
    window.press('escape');
    window.wait(1000);
    window.press('y');
    expect(window.answers).toEqual([0]);
    expect(window.draft).toBe('beca');
  });

  test('only rejects without a note', () => {
    const window = noting();
    window.press('enter');
    expect(window.answers).toEqual([1]);
    expect(window.queue).toEqual([]);
  });

  test('does not open with a key pressed as the request appeared, or held down since before', () => {
    const window = workingWindow();
    window.ask('1');
    window.press('tab', 'r');
    expect(window.state.focus.kind).not.toBe('note');
    window.draw();
    window.press('r');
    expect(window.state.focus.kind).not.toBe('note');
    window.wait(1000);
    window.press('r');
    expect(window.state.focus.kind).toBe('note');
  });

  test('is unavailable if the agent offers no reject once', () => {
    const window = windowWithRequest(['allow_once', 'reject_always']);
    window.wait(1000);
    window.press('r');
    expect(window.state.focus.kind).toBe('request');
    expect(window.state.toast?.text).toContain('no "reject once"');
  });
});
