import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {formFor, buttonAt} from '../../../../../src/app/requests/form.ts';
import {draftText} from '../../../../../src/app/editor/draft.ts';
import type {PendingForm} from '../../../../../src/session/state.ts';
import {askWithForm} from '../asking.ts';
import {type TestWindow, workingWindow} from '../../../../support/window/app-window.ts';

/** A form that took the focus by itself, since nothing was being typed. */
function askedForm(schema?: object, asker?: string): TestWindow {
  const window = workingWindow();
  window.wait(1000);
  askWithForm(window, 'f', schema, asker);
  window.draw();
  window.wait(1000);
  return window;
}

function form({open: tab}: TestWindow) {
  return formFor(tab, tab.session.pending[0] as PendingForm);
}

function typed(window: TestWindow, at: number): string | undefined {
  const input = form(window).inputs[at];
  return input?.kind === 'text' ? draftText(input.draft) : undefined;
}

const sent = (window: TestWindow) => window.performed('submit_form').map(({content}) => content);

describe('a form that has the focus', () => {
  it('is filled in and sent with keys alone', () => {
    const window = askedForm();
    window.type('Ada');
    window.press('tab', '2', 'tab');
    window.type('7');
    window.press('tab', 'space', 'tab', 'enter');
    expect(sent(window)).toEqual([{name: 'Ada', color: 'green', count: 7, sure: true}]);
    expect(window.called('answer')).toEqual([]);
  });

  it('continues with Enter, which selects the current option', () => {
    const window = askedForm();
    window.type('Ada');
    window.press('enter', 'down', 'enter', 'enter', 'down', 'enter');
    expect(buttonAt(form(window))).toBe('accept');
    window.press('enter');
    expect(sent(window)).toEqual([{name: 'Ada', color: 'green', sure: false}]);
  });

  it('moves up and down through its fields, and through the options of a list', () => {
    const window = askedForm();
    const places = () => [form(window).at, (form(window).inputs[1] as {cursor?: number}).cursor];
    window.press('down');
    expect(places()).toEqual([1, 0]);
    window.press('down', 'down');
    expect(places()).toEqual([1, 2]);
    window.press('down');
    expect(places()).toEqual([2, 2]);
    window.press('shift+tab', 'shift+tab', 'shift+tab');
    expect(buttonAt(form(window))).toBe('cancel');
  });

  it('is edited with the keys of the prompt', () => {
    const window = askedForm();
    window.type('one two');
    window.press('ctrl+w');
    window.type('three');
    window.press('ctrl+a');
    window.type('x');
    window.press('ctrl+d');
    expect(typed(window, 0)).toBe('xne three');
    window.press('ctrl+k', 'ctrl+_', 'ctrl+_');
    expect(typed(window, 0)).toContain('ne three');
    window.press('ctrl+u');
    window.paste('pasted\rlines');
    expect(typed(window, 0)).toContain('pasted\nlines');
  });

  it('gets what is pasted after Ctrl+X', () => {
    const window = askedForm();
    window.press('ctrl+x');
    window.paste('pasted');
    expect([typed(window, 0), window.draft]).toEqual(['pasted', '']);
  });

  it('accepts a number on one line, whatever is pasted', () => {
    const window = askedForm();
    window.press('tab', 'tab');
    window.paste('4\n2\n');
    window.press('shift+enter');
    expect(typed(window, 2)).toBe('4 2');
  });

  it('is not sent while something is wrong, and moves to the first problem', () => {
    const window = askedForm();
    window.press('tab', 'tab');
    window.type('11');
    window.press('ctrl+s');
    expect(sent(window)).toEqual([]);
    expect(form(window)).toMatchObject({
      at: 0,
      problems: ['Required', undefined, 'Must be at most 10', undefined],
    });
    window.type('Ada');
    expect(form(window).problems[0]).toBeUndefined();
    window.press('tab', 'tab', 'backspace', 'ctrl+s');
    expect(sent(window)).toEqual([{name: 'Ada', count: 1}]);
  });

  it('that cannot be answered has no button and no key to send it', () => {
    const window = askedForm({properties: {a: {type: 'object'}}, required: ['a']});
    window.press('ctrl+s');
    expect(sent(window)).toEqual([]);
    expect(window.state.toast?.text).toContain('decline or cancel');
  });
});

describe('typed text', () => {
  it('before a form is on the screen goes to the prompt', () => {
    const window = workingWindow();
    window.type('next');
    askWithForm(window);
    window.type(' one');
    window.draw();
    window.type(' 2');
    window.press('tab');
    window.type('Ada');
    expect(window.draft).toBe('next one 2');
    expect(typed(window, 0)).toBe('Ada');
  });

  it('right after it took the focus goes to the prompt', () => {
    const window = workingWindow();
    window.wait(1000);
    askWithForm(window);
    window.draw();
    expect(window.state.focus.kind).toBe('request');
    window.press('x');
    expect(window.draft).toBe('x');
    expect(typed(window, 0)).toBe('');
  });

  it('stays in the form while the focus is elsewhere', () => {
    const window = askedForm();
    window.type('Ada');
    window.press('tab', '3', 'escape');
    expect(window.state.focus.kind).toBe('prompt');
    window.type('meanwhile');
    window.press('tab');
    window.type('1');
    expect(window.draft).toBe('meanwhile');
    window.press('ctrl+s');
    expect(sent(window)).toEqual([{name: 'Ada', color: 'red'}]);
  });

  it('stays in a form that waits behind another', () => {
    const window = askedForm();
    window.type('Ada');
    askWithForm(window, 'g');
    expect(typed(window, 0)).toBe('Ada');
    window.press('shift+tab', 'enter');
    window.wait(1000);
    window.draw();
    window.wait(1000);
    window.type('Bob');
    expect(typed(window, 0)).toBe('Bob');
  });

  const schema = {
    properties: {
      name: {type: 'string', title: 'Name'},
      city: {type: 'string', title: 'City', default: 'Bern'},
      count: {type: 'integer', title: 'Count'},
      size: {type: 'integer', title: 'Size', default: 3},
      note: {type: 'string', title: 'Note'},
      token: {type: 'string', title: 'API key'},
    },
  };
  const resolve = (window: TestWindow, outcome: 'withdrawn' | 'cancelled' | 'accepted') =>
    window.agent({type: 'elicitation_resolved', id: 'f', outcome, answers: []});

  it('of a form that is withdrawn goes to the prompt', () => {
    const window = askedForm(schema);
    window.type('Ada');
    const {f} = window.open.forms;
    resolve(window, 'withdrawn');
    // A check of it that ends afterwards.
    window.dispatch({type: 'form_changed', key: 'main', id: 'f', form: f!});
    expect(window.open.forms).toEqual({});
    expect(window.state).toMatchObject({request: undefined, focus: {kind: 'prompt'}});
    expect(window.draft).toBe('Ada');
  });

  it('of several fields has their labels, and defaults, blanks and secrets are left out', () => {
    const window = askedForm(schema);
    window.type('Ada');
    window.press('tab', 'tab');
    window.type('7');
    window.press('tab', 'tab');
    window.type(' ');
    window.press('tab');
    window.type('hunter2');
    resolve(window, 'withdrawn');
    expect(window.draft).toBe('Name: Ada\nCount: 7');
  });

  it('goes to the prompt, before a draft, when the agent exits', () => {
    const window = askedForm(schema);
    window.type('Ada');
    window.press('escape');
    window.type('next');
    const failure = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
    window.agent({type: 'connection_changed', connection: {kind: 'lost', failure}});
    expect(window.draft).toBe('Ada\nnext');
    expect(window.open.forms).toEqual({});
  });

  it('goes to the prompt when the user cancels the turn', () => {
    const window = askedForm(schema);
    window.type('Ada');
    askWithForm(window, 'g');
    resolve(window, 'cancelled');
    expect(window.draft).toBe('Ada');
  });

  it("of a form of acp-tui's own is gone with it", () => {
    const window = askedForm(schema, 'acp-tui');
    window.type('Ada');
    resolve(window, 'withdrawn');
    expect(window.draft).toBe('');
  });

  it.each([
    ['is gone with the form that this window has sent', true, ''],
    ['goes to the prompt when another window has sent the form', false, 'Ada'],
  ])('%s', (_what, isSent, draft) => {
    const window = askedForm(schema);
    window.type('Ada');
    const form = {...window.open.forms['f']!, isSent};
    window.dispatch({type: 'form_changed', key: 'main', id: 'f', form});
    resolve(window, 'accepted');
    expect(window.draft).toBe(draft);
  });

  it.each([
    ['declined', ['shift+tab', 'shift+tab']],
    ['cancelled', ['shift+tab']],
  ] as const)('is gone when the user has %s the form', (kind, keys) => {
    const window = askedForm(schema);
    window.type('Ada');
    window.press(...keys, 'enter');
    expect(window.answers).toEqual([kind]);
    expect(window.open.forms).toEqual({});
    expect(window.draft).toBe('');
  });
});

describe('a form for a secret', () => {
  const key = {type: 'string', _meta: {codex: {isSecret: true}}};
  const asked = (before: (window: TestWindow) => void) => {
    const window = workingWindow();
    window.wait(1000);
    before(window);
    askWithForm(window, 'f', {properties: {name: {type: 'string'}, key}});
    return window;
  };

  it('has the focus before it is drawn, so that none of it goes to the prompt', () => {
    const window = asked(() => undefined);
    expect(window.state.focus.kind).toBe('request');
    window.draw();
    window.type('Ada');
    expect([typed(window, 0), window.draft]).toEqual(['Ada', '']);
  });

  it.each<[string, (window: TestWindow) => void]>([
    ['types', (window) => window.type('x')],
    ['reads something else', (window) => window.press('ctrl+t')],
  ])('waits while the user %s', (_what, before) => {
    expect(asked(before).state.focus.kind).toBe('prompt');
  });
});

it('a form is not sent by Enter held down from before', () => {
  const window = workingWindow();
  window.wait(1000);
  askWithForm(window, 'f', {properties: {sure: {type: 'boolean', default: true}}});
  window.draw();
  expect(window.state.focus.kind).toBe('request');
  for (let again = 0; again < 20; again++) window.press('enter');
  expect(sent(window)).toEqual([]);
  window.wait(1000);
  window.press('enter', 'enter');
  expect(sent(window)).toEqual([{sure: true}]);
});

it('typing loses no letter while a form appears and disappears', () => {
  const moves = fc.array(
    fc.oneof(
      {weight: 5, arbitrary: fc.constantFrom('a', 'b', 'c')},
      fc.constantFrom('ask', 'draw', 'wait', 'tab', 'escape'),
    ),
    {maxLength: 40},
  );
  fc.assert(
    fc.property(moves, (moves) => {
      const window = workingWindow();
      let letters = '';
      for (const move of moves) {
        const {focus, request} = window.state;
        if (move === 'ask' && !request) askWithForm(window, 'f', {properties: {a: {type: 'string'}}});
        else if (move === 'draw' && request) window.draw();
        else if (move === 'wait') window.wait(600);
        else if (move === 'tab' && request && focus.kind === 'prompt') window.press('tab');
        else if (move === 'escape' && focus.kind === 'request') window.press('escape');
        else if (move.length === 1) {
          window.press(move);
          letters += move;
        }
      }
      const inForm = window.state.request ? (typed(window, 0) ?? '') : '';
      const sorted = (text: string) => text.split('').sort().join('');
      expect(sorted(window.draft + inForm)).toBe(sorted(letters));
    }),
  );
});

it('erases whole characters of the filter of a long list', () => {
  const shell = {type: 'string', enum: Array.from({length: 12}, (_, index) => `shell ${index}`)};
  const window = askedForm({properties: {shell, name: {type: 'string'}}});
  window.press('s', '👍', 'backspace');
  expect(form(window).inputs[0]).toMatchObject({filter: 's'});
});

describe('a form that is one choice', () => {
  const color = {type: 'string', enum: ['red', 'green']};
  const other = {type: 'string'};

  it('is answered by one key', () => {
    const byNumber = askedForm({properties: {color, color_other: other}});
    byNumber.press('2');
    expect(sent(byNumber)).toEqual([{color: 'green'}]);
    const byEnter = askedForm({properties: {color}, required: ['color']});
    byEnter.press('down', 'enter');
    expect(sent(byEnter)).toEqual([{color: 'green'}]);
  });

  it('is not answered by a number that is not offered, or beside an answer in words', () => {
    const window = askedForm({properties: {color, color_other: other}});
    window.press('3', 'tab');
    window.type('mauve');
    window.press('shift+tab', '1');
    expect(sent(window)).toEqual([]);
    window.press('ctrl+s');
    expect(sent(window)).toEqual([{color: 'red', color_other: 'mauve'}]);
  });

  it('has a label for an answer in words', () => {
    const window = askedForm({properties: {color, color_other: other}});
    expect(form(window).fields.map(({label}) => label)).toEqual(['color', 'Other']);
  });
});
