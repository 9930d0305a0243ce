import {perform} from '../../../../../src/app/effects.ts';
import {describe, expect, test} from 'vitest';
import {queueView} from '../../../../../src/app/queue/queue-view.ts';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {readKeys} from '../../../../../src/app/keymap/key-settings.ts';
import {lost, openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

/** A turn runs, and these are queued. */
function waiting(...texts: readonly string[]): TestWindow {
  const window = openWindow();
  for (const text of ['go', ...texts]) window.say(text);
  return window;
}

test('a queued prompt that came from outside cannot control the terminal', () => {
  const window = openWindow({ready: false});
  const text = 'fix\x1b[2J \x1b]8;;https://evil.example\x07this\x1b]8;;\x07\tnow\nand more';
  window.changeQueue({kind: 'submit', prompt: {text, content: []}, place: 'last'});
  expect(queueView(window.state).prompts.map((prompt) => prompt.text)).toEqual(['fix␛ ␛this␛ now …']);
});

describe('editing the queue', () => {
  test('starts with ↑ on an empty draft, at its end, and stops with ↓ there or Esc', () => {
    const window = waiting('one', 'two');
    window.press('up');
    expect(window.state.focus).toEqual({kind: 'queue', id: window.open.session.queue.prompts[1]?.id});
    expect(hintLine(window.state)).toContain('Enter edit');
    window.press('up', 'up', 'down', 'down');
    expect(window.state.focus).toEqual({kind: 'prompt'});
    window.press('up', 'escape');
    expect(window.state.focus).toEqual({kind: 'prompt'});
    expect(window.called('cancel')).toEqual([]);
  });

  test('moves a prompt into the draft, and puts it back in its place', () => {
    const window = waiting('one', 'two', 'three');
    window.press('up', 'up', 'up', 'enter');
    expect(window.draft).toBe('one');
    window.say('!');
    expect(window.queue).toEqual(['one!', 'two', 'three']);
  });

  test('puts a command back in its place, too, which its menu sends', () => {
    const window = openWindow();
    window.offer({name: 'compact', description: 'Shortens the context'});
    for (const text of ['go', '/compact', 'fix']) window.say(text);
    window.press('up', 'up', 'enter');
    expect(window.draft).toBe('/compact');
    window.press('enter');
    expect(window.queue).toEqual(['/compact', 'fix']);
  });

  test('changes a paused prompt without sending it, unless it is the only one', () => {
    const window = waiting('one', 'two');
    window.endTurn('refusal');
    window.press('up', 'enter');
    window.say('!');
    expect(window.queue).toEqual(['one', 'two!']);
    expect(window.sent).toEqual(['go']);
    window.press('up', 'x', 'up', 'enter');
    window.say('!');
    expect(window.sent).toEqual(['go', 'one!']);
  });

  test('puts a prompt back in its place while the turn is being cancelled', () => {
    const window = waiting('one', 'two');
    window.press('escape', 'up', 'enter');
    window.say('!');
    window.endTurn('cancelled');
    expect(window.queue).toEqual(['one', 'two!']);
    expect(window.sent).toEqual(['go']);
  });

  test('forgets the place of a cleared prompt', () => {
    const window = waiting('one', 'two');
    window.press('up', 'up', 'enter', 'ctrl+c');
    window.say('new');
    expect(window.queue).toEqual(['two', 'new']);
  });

  test('moves a prompt and keeps it selected', () => {
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

  test('ignores other typing', () => {
    const window = waiting('one');
    window.press('up');
    window.type('why');
    expect(window.draft).toBe('why');
    expect(window.queue).toEqual(['one']);
    window.press('ctrl+c', 'up');
    window.paste('pasted');
    expect(window.draft).toBe('pasted');
  });

  test('returns to the prompt when the selected prompt is sent meanwhile, so that no key hits another', () => {
    const window = waiting('one', 'two');
    window.press('up', 'up');
    window.endTurn();
    expect(window.sent).toEqual(['go', 'one']);
    window.press('x');
    expect(window.queue).toEqual(['two']);
    expect(window.draft).toBe('x');
  });

  test('keeps the focus when a request arrives; Tab goes there', () => {
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

describe('Enter that sends now, by settings', () => {
  const {keymap, problems} = readKeys({send_now: ['enter'], send: ['ctrl+enter']});

  function swapped(): TestWindow {
    const window = openWindow();
    window.dispatch({type: 'preferences_changed', change: {keymap}});
    return window;
  }

  test('takes what is selected in menus', () => {
    expect(problems).toEqual([]);
    const window = swapped();
    window.say('/mod');
    expect(window.state.toast?.text).toBe('This agent has no modes.');
    window.press('ctrl+c');
    window.type('see @a');
    const items = [{path: 'src/a.ts', absolute: '/project/src/a.ts', isFolder: false}];
    window.dispatch({type: 'changed', change: {files: {query: 'a', items}}});
    window.press('enter');
    expect(window.draft).toBe('see @src/a.ts ');
    expect(window.sent).toEqual([]);
  });

  test('sends a command into the turn, and the other key queues one', () => {
    const window = swapped();
    window.offer({name: 'compact', description: 'Shortens the context'});
    window.say('go');
    window.type('/compac');
    window.press('ctrl+enter');
    expect(window.called('cancel')).toEqual([]);
    window.type('/compac');
    window.press('enter');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.queue).toEqual(['/compact', '/compact']);
  });

  test('opens what is offered on an empty prompt', () => {
    const window = swapped();
    window.say('go');
    window.failTurn(lost);
    window.connect({kind: 'lost', failure: lost});
    expect(hintLine(window.state)).toContain('show options');
    window.press('enter');
    expect(window.state.overlay.kind).toBe('picker');
  });
});

describe('sending now, without support for steering', () => {
  test('s cancels the turn and sends the prompt next; the others are held', () => {
    const window = waiting('one', 'two');
    window.press('up');
    expect(hintLine(window.state)).toContain('cancel the turn and send now');
    window.press('s');
    expect(window.called('cancel')).toHaveLength(1);
    expect(window.sent).toEqual(['go']);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'two']);
    expect(window.queue).toEqual(['one']);
    window.endTurn();
    expect(window.sent).toEqual(['go', 'two']);
    window.press('enter');
    expect(window.sent).toEqual(['go', 'two', 'one']);
  });

  test('Ctrl+X Enter sends the draft, or the first queued prompt without one', () => {
    const window = waiting('one');
    window.type('now');
    window.press('ctrl+x', 'enter');
    expect(window.called('cancel')).toHaveLength(1);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'now']);
    window.press('ctrl+x', 'enter');
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'now', 'one']);
  });

  test('sends it even if the cancelled turn ends otherwise, but not if the agent is gone', () => {
    for (const reason of ['end_turn', 'refusal', 'max_tokens'] as const) {
      const window = waiting('one');
      window.press('ctrl+enter');
      window.endTurn(reason);
      expect(window.sent).toEqual(['go', 'one']);
    }
    const window = waiting('one');
    window.press('ctrl+enter');
    window.connect({kind: 'lost', failure: {kind: 'connection_lost', exit: undefined, stderrTail: ''}});
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual(['go']);
    expect(window.queue).toContain('one');
    expect(window.open.session.queue.isPaused).toBe(true);
  });

  test('Ctrl+X Enter sends the selected one', () => {
    const window = waiting('one', 'two');
    window.press('up', 'ctrl+x', 'enter');
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'two']);
  });

  test('sends a single held prompt without a turn', () => {
    const window = waiting('one', 'two');
    window.endTurn('refusal');
    window.press('up', 's');
    expect(window.sent).toEqual(['go', 'two']);
    window.endTurn();
    expect(window.queue).toEqual(['one']);
  });
});

describe('sending now, with support for steering', () => {
  function steering(...texts: readonly string[]): TestWindow {
    const window = openWindow({steers: true});
    for (const text of ['go', ...texts]) window.say(text);
    window.press('up', 's');
    return window;
  }

  test('sends it without a cancellation; it leaves the queue once the agent has it', () => {
    const window = steering('one', 'two');
    expect(window.steered).toEqual(['two']);
    expect(window.called('cancel')).toEqual([]);
    expect(window.queue).toEqual(['two', 'one']);
    window.answerSteering('taken');
    expect(window.queue).toEqual(['one']);
    expect(window.open.session.entries.map(({type}) => type)).toEqual(['user_message', 'user_message']);
    window.endTurn();
    expect(window.sent).toEqual(['go', 'one']);
  });

  test('a prompt that the agent rejects is sent next', () => {
    const window = steering('one', 'two');
    window.answerSteering('refused');
    expect(window.steered).toEqual(['two']);
    window.endTurn('cancelled');
    expect(window.sent).toEqual(['go', 'two']);
  });

  test('a turn that ends before the response leaves the decision to the response, or to the user', () => {
    const unanswered = steering('one');
    unanswered.endTurn();
    expect(unanswered.sent).toEqual(['go']);
    unanswered.press('enter');
    expect(unanswered.sent).toEqual(['go', 'one']);
    const late = steering('one');
    const [prompt] = late.open.session.queue.prompts;
    late.endTurn();
    late.changeQueue({kind: 'steered', id: prompt?.id ?? '', outcome: 'refused'});
    expect(late.sent).toEqual(['go', 'one']);
  });

  test('a turn that the agent starts by itself holds the queue, since its end is not reported', () => {
    const window = steering('one', 'two');
    window.answerSteering('detached');
    window.endTurn();
    expect(window.sent).toEqual(['go']);
    expect(window.open.session.queue.isPaused).toBe(true);
  });

  test('a prompt being sent can be neither edited nor removed', () => {
    const window = steering('one');
    window.press('up', 'x', 'enter');
    expect(hintLine(window.state)).toContain('This prompt is being sent');
    expect(window.queue).toEqual(['one']);
    window.take(
      perform({kind: 'edit_unsent', key: 'main', id: window.open.session.queue.prompts[0]?.id ?? ''}),
    );
    expect(window.draft).toBe('');
  });

  test('two are sent one after the other', () => {
    const window = steering('one', 'two');
    window.press('up', 's', 'ctrl+enter');
    expect(window.steered).toEqual(['two']);
    window.answerSteering('taken');
    expect(window.steered).toEqual(['two', 'one']);
  });
});
