import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../../src/app/status/toasts.ts';
import {openWindow, type TestWindow} from '../window.ts';

/** A turn runs, and these wait. */
function waiting(...texts: readonly string[]): TestWindow {
  const window = openWindow();
  for (const text of ['go', ...texts]) window.say(text);
  return window;
}

describe('the queue under the keyboard', () => {
  test('is entered with ↑ on an empty draft, at its end, and left with ↓ there or Esc', () => {
    const window = waiting('one', 'two');
    window.press('up');
    expect(window.state.focus).toEqual({kind: 'queue', id: window.open.queue[1]?.id});
    expect(hintLine(window.state)).toContain('Enter edit');
    window.press('up', 'up', 'down', 'down');
    expect(window.state.focus).toEqual({kind: 'prompt'});
    window.press('up', 'escape');
    expect(window.state.focus).toEqual({kind: 'prompt'});
    expect(window.performed('cancel')).toEqual([]);
  });

  test('gives a prompt to the draft, and takes it back in its place', () => {
    const window = waiting('one', 'two', 'three');
    window.press('up', 'up', 'up', 'enter');
    expect(window.draft).toBe('one');
    window.say('!');
    expect(window.queue).toEqual(['one!', 'two', 'three']);
  });

  test('forgets the place of what was cleared', () => {
    const window = waiting('one', 'two');
    window.press('up', 'up', 'enter', 'ctrl+c');
    window.say('new');
    expect(window.queue).toEqual(['two', 'new']);
  });

  test('moves a prompt and stays with it', () => {
    const window = waiting('one', 'two', 'three');
    window.press('up', 'alt+up', 'alt+up', 'alt+up');
    expect(window.queue).toEqual(['three', 'one', 'two']);
    window.press('ctrl+down');
    expect(window.queue).toEqual(['one', 'three', 'two']);
  });

  test('removes one after the other; the history keeps them', () => {
    const window = waiting('one', 'two', 'three');
    window.press('up', 'up', 'x');
    expect(window.queue).toEqual(['one', 'three']);
    window.press('delete', 'x');
    expect(window.queue).toEqual([]);
    expect(window.state.focus).toEqual({kind: 'prompt'});
    expect(window.state.history.project).toEqual(['go', 'one', 'two', 'three']);
  });

  test('takes nothing of what is typed otherwise', () => {
    const window = waiting('one');
    window.press('up');
    window.type('why');
    expect(window.draft).toBe('why');
    expect(window.queue).toEqual(['one']);
    window.press('ctrl+c', 'up');
    window.paste('pasted');
    expect(window.draft).toBe('pasted');
  });

  test('back to prompt when the selected prompt is sent meanwhile, so that a key never reaches another', () => {
    const window = waiting('one', 'two');
    window.press('up', 'up');
    window.endTurn();
    expect(window.sent).toEqual(['go', 'one']);
    window.press('x');
    expect(window.queue).toEqual(['two']);
    expect(window.draft).toBe('x');
  });

  test('keeps the keyboard when the agent asks something meanwhile; Tab goes there', () => {
    const window = waiting('one');
    window.press('up');
    window.wait(2000);
    window.ask('1');
    window.draw();
    expect(window.state.focus.kind).toBe('queue');
    window.press('x');
    expect(window.answers).toEqual([]);
  });
});

describe('sending now, where the agent takes nothing into a turn', () => {
  test('s cancels the turn, and the prompt is the next one; what else waits is held', () => {
    const window = waiting('one', 'two');
    window.press('up');
    expect(hintLine(window.state)).toContain('cancel the turn and send now');
    window.press('s');
    expect(window.performed('cancel')).toHaveLength(1);
    expect(window.sent).toEqual(['go']);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'two']);
    expect(window.queue).toEqual(['one']);
    window.endTurn();
    expect(window.sent).toEqual(['go', 'two']);
    window.press('enter');
    expect(window.sent).toEqual(['go', 'two', 'one']);
  });

  test('Ctrl+S does it with what is typed, and with what waits first when nothing is', () => {
    const window = waiting('one');
    window.type('now');
    window.press('ctrl+s');
    expect(window.performed('cancel')).toHaveLength(1);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'now']);
    window.press('ctrl+s');
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'now', 'one']);
  });

  test('it goes even if the cancelled turn ends otherwise, but not when the agent is gone', () => {
    for (const reason of ['end_turn', 'refusal', 'max_tokens'] as const) {
      const window = waiting('one');
      window.press('ctrl+s');
      window.endTurn(reason);
      expect(window.sent).toEqual(['go', 'one']);
    }
    const window = waiting('one');
    window.press('ctrl+s');
    window.connect({kind: 'lost', failure: {kind: 'connection_lost', exit: undefined, stderrTail: ''}});
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['go']);
    expect(window.queue).toContain('one');
    expect(window.open.queuePaused).toBe(true);
  });

  test('without a turn it sends a held prompt alone', () => {
    const window = waiting('one', 'two');
    window.endTurn('refusal');
    window.press('up', 's');
    expect(window.sent).toEqual(['go', 'two']);
    window.endTurn();
    expect(window.queue).toEqual(['one']);
  });
});

describe('sending now, where the agent takes prompts into a turn', () => {
  function steering(...texts: readonly string[]): TestWindow {
    const window = openWindow({steers: true});
    for (const text of ['go', ...texts]) window.say(text);
    window.press('up', 's');
    return window;
  }

  test('hands it over without a cancel; it leaves the queue once the agent has it', () => {
    const window = steering('one', 'two');
    expect(window.steered).toEqual(['two']);
    expect(window.performed('cancel')).toEqual([]);
    expect(window.queue).toEqual(['two', 'one']);
    window.answerSteering('taken');
    expect(window.queue).toEqual(['one']);
    expect(window.open.session.entries.map(({type}) => type)).toEqual(['user_message', 'user_message']);
    window.endTurn();
    expect(window.sent).toEqual(['go', 'one']);
  });

  test('what the agent refuses is the next prompt', () => {
    const window = steering('one', 'two');
    window.answerSteering('refused');
    expect(window.steered).toEqual(['two']);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'two']);
  });

  test('a turn that ends before the answer leaves the decision to the answer, or to the user', () => {
    const unanswered = steering('one');
    unanswered.endTurn();
    expect(unanswered.sent).toEqual(['go']);
    unanswered.press('enter');
    expect(unanswered.sent).toEqual(['go', 'one']);
    const late = steering('one');
    const [prompt] = late.open.queue;
    late.endTurn();
    late.dispatch({type: 'steering_ended', key: 'main', id: prompt?.id ?? '', outcome: 'refused'});
    expect(late.sent).toEqual(['go', 'one']);
  });

  test('a turn that the agent begins by itself holds what waits: nobody hears of its end', () => {
    const window = steering('one', 'two');
    window.answerSteering('detached');
    window.endTurn();
    expect(window.sent).toEqual(['go']);
    expect(window.open.queuePaused).toBe(true);
  });

  test('what is being handed over can be neither edited nor removed', () => {
    const window = steering('one');
    window.press('up', 'x', 'enter');
    expect(hintLine(window.state)).toContain('This prompt is being sent');
    expect(window.queue).toEqual(['one']);
    window.dispatch({type: 'queue_edited', key: 'main', id: window.open.queue[0]?.id ?? '', at: window.now});
    expect(window.draft).toBe('');
  });

  test('two go one after the other', () => {
    const window = steering('one', 'two');
    window.press('up', 's', 'ctrl+s');
    expect(window.steered).toEqual(['two']);
    window.answerSteering('taken');
    expect(window.steered).toEqual(['two', 'one']);
  });
});
