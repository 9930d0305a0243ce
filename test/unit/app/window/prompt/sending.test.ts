import {describe, expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {submitPrompt} from '../../../../../src/app/queue/queue.ts';
import {activeDraft, restoreUnsent, collectUnsent} from '../../../../../src/app/sessions.ts';
import {draftPastes} from '../../../../../src/app/editor/draft.ts';
import {isPasted} from '../../../../../src/session/content/pasted-text.ts';
import {lost, openWindow, workingWindow} from '../../../../support/window/app-window.ts';

describe('sending', () => {
  test('sends the draft with Enter, clears it and keeps it in the history', () => {
    const window = openWindow();
    window.say('hello');
    expect(window.sent).toEqual(['hello']);
    expect(window.draft).toBe('');
    expect(window.state.history.project).toEqual(['hello']);
    expect(window.performed('save_history')).toEqual([{kind: 'save_history', text: 'hello'}]);
  });

  test('keeps a draft in the history when an older prompt is sent again', () => {
    const window = openWindow();
    window.say('old');
    window.endTurn();
    window.type('half');
    window.press('up', 'enter');
    expect(window.sent).toEqual(['old', 'old']);
    expect(window.state.history.project).toEqual(['half', 'old']);
  });

  test('keeps prompts sent before the history was loaded as the newest', () => {
    const window = openWindow();
    window.say('now');
    window.dispatch({type: 'history_loaded', history: {project: ['older', 'old'], everywhere: ['far']}});
    expect(window.state.history).toEqual({project: ['older', 'old', 'now'], everywhere: ['far']});
  });

  test('suggests to send the prompt again after an error', () => {
    const window = workingWindow();
    window.failTurn({kind: 'agent_error', method: 'session/prompt', code: 429, message: 'slow down'});
    expect(hintLine(window.state)).toBe('Alt+R send the last prompt again');
    window.press('alt+r');
    expect(hintLine(window.state)).toBeUndefined();
  });

  test.each(['lost', 'failed'] as const)(
    'keeps a prompt typed while the agent starts if the connection is %s: a later start does not send it by itself',
    (kind) => {
      const window = openWindow({ready: false});
      window.say('early');
      window.connect({kind, failure: lost});
      window.press('escape');
      window.connect({kind: 'ready'});
      expect(window.sent).toEqual([]);
      expect(window.queue).toEqual(['early']);
    },
  );

  test('sends nothing between dequeuing a prompt and the start of its turn', () => {
    const window = openWindow({ready: false});
    window.say('one');
    window.say('two');
    const [first] = window.open.session.queue.prompts;
    window.changeQueue({kind: 'taken', id: first?.id ?? ''});
    window.connect({kind: 'ready'});
    expect(window.sent).toEqual([]);
    expect(window.queue).toEqual(['two']);
  });
});

describe('a held queue', () => {
  test('is never empty', () => {
    const window = openWindow();
    window.say('one');
    window.endTurn('cancelled');
    expect(window.open.session.queue.isPaused).toBe(false);
    window.say('two');
    expect(window.sent).toEqual(['one', 'two']);
  });
});

describe('a crash', () => {
  function afterCrash() {
    const window = openWindow();
    for (const text of ['one', 'two', 'three']) window.say(text);
    window.failTurn(lost);
    window.connect({kind: 'lost', failure: lost});
    window.press('escape');
    window.connect({kind: 'ready'});
    window.wait(1000);
    return window;
  }

  test('keeps the queue, held, and offers the interrupted prompt without sending it', () => {
    const window = afterCrash();
    expect(window.queue).toEqual(['two', 'three']);
    expect(window.sent).toEqual(['one']);
    expect(window.state.overlay).toMatchObject({
      picker: {title: 'The last prompt was interrupted', note: expect.stringContaining('“one”')},
    });
  });

  test.each([
    {choice: 'send again', keys: [], sent: ['one', 'one'], queue: ['two', 'three'], draft: ''},
    {choice: 'change', keys: ['down'], sent: ['one'], queue: ['two', 'three'], draft: 'one'},
    {choice: 'leave', keys: ['down', 'down'], sent: ['one'], queue: ['two', 'three'], draft: ''},
  ])('lets the user choose: $choice', ({keys, sent, queue, draft}) => {
    const window = afterCrash();
    window.wait(1000);
    window.press(...keys, 'enter');
    expect({sent: window.sent, queue: window.queue, draft: window.draft}).toEqual({sent, queue, draft});
    window.wait(1000);
    expect(window.state.overlay.kind).toBe('none');
  });

  test('releases the queue after the prompt is sent again', () => {
    const window = afterCrash();
    window.wait(1000);
    window.press('enter');
    window.endTurn();
    expect(window.sent).toEqual(['one', 'one', 'two']);
  });

  test('whose offer was closed says how to reopen it, and sending it again works as well', () => {
    const window = afterCrash();
    window.press('escape');
    expect(hintLine(window.state)).toBe('The last prompt was interrupted · Enter show options');
    window.press('alt+r');
    expect(window.sent).toEqual(['one', 'one']);
    expect(window.queue).toEqual(['two', 'three']);
  });

  test('whose offer waits behind a draft is shown by Enter, before the draft can be sent', () => {
    const window = openWindow();
    window.say('one');
    window.failTurn(lost);
    window.connect({kind: 'lost', failure: lost});
    window.type('half');
    window.connect({kind: 'ready'});
    window.wait(1000);
    expect(hintLine(window.state)).toBe('The last prompt was interrupted · Enter show options');
    window.press('enter');
    expect(window.state.overlay).toMatchObject({picker: {title: 'The last prompt was interrupted'}});
    window.wait(1000);
    window.press('enter');
    expect(window.sent).toEqual(['one', 'one']);
    expect(window.draft).toBe('half');
  });

  test('is over once something else is sent', () => {
    const window = afterCrash();
    window.press('escape');
    window.say('four');
    window.endTurn();
    expect(window.sent).toEqual(['one', 'four']);
    expect(hintLine(window.state)).toContain('Queue paused');
  });

  test('offers no prompt that was being cancelled', () => {
    const window = openWindow();
    window.say('one');
    window.press('escape');
    window.connect({kind: 'lost', failure: lost});
    window.connect({kind: 'ready'});
    window.wait(1000);
    expect(window.queue).toEqual([]);
    expect(window.state.overlay.kind).toBe('none');
  });

  test('keeps a dequeued prompt that never became a turn', () => {
    const window = openWindow({ready: false});
    window.take(submitPrompt('main', {text: 'one'}));
    const [queued] = window.open.session.queue.prompts;
    window.changeQueue({kind: 'taken', id: queued?.id ?? ''});
    expect(window.queue).toEqual([]);
    window.connect({kind: 'failed', failure: lost});
    expect(window.queue).toEqual(['one']);
    expect(window.open.session.queue.isSending).toBe(false);
  });
});

describe('changing the queue', () => {
  test('prompts are moved and removed by ID', () => {
    const window = openWindow();
    for (const text of ['one', 'two', 'three']) window.say(text);
    const [two, three] = window.open.session.queue.prompts.map((prompt) => prompt.id);
    window.changeQueue({kind: 'move', id: three ?? '', by: -1});
    expect(window.queue).toEqual(['three', 'two']);
    window.changeQueue({kind: 'remove', id: two ?? ''});
    expect(window.queue).toEqual(['three']);
  });
});

describe('the journal', () => {
  test('restores prompts that wait for Enter; a new prompt goes first', () => {
    const window = openWindow({ready: false});
    window.say('now');
    window.type('half');
    window.take(restoreUnsent('main', {draft: 'old draft', queue: ['old']}));
    expect(window.draft).toBe('old draft\nhalf');
    window.connect({kind: 'ready'});
    window.endTurn();
    expect(window.sent).toEqual(['now']);
    expect(window.queue).toEqual(['old']);
    expect(window.open.session.queue.isPaused).toBe(true);
  });

  test('contains draft, queue and a note that is being typed', () => {
    const window = openWindow();
    window.say('one');
    window.say('two');
    window.type('half');
    window.ask('1');
    window.draw();
    window.press('tab', 'r');
    window.type('why');
    expect(collectUnsent(window.open)).toEqual({draft: 'why\nhalf', queue: ['two']});
  });
});

describe('a large paste', () => {
  const log = Array.from({length: 30}, (_, line) => `line ${line} of @a.ts`).join('\n');
  const pasted = (before: string) => {
    const window = openWindow();
    if (before !== '') window.say(before);
    window.type('see ');
    window.paste(log);
    window.type(' please');
    window.press('enter');
    return window;
  };

  test('is still one when its prompt is sent again', () => {
    const window = pasted('');
    window.endTurn();
    window.press('alt+r');
    const prompts = [...window.open.session.entries].filter((entry) => entry.type === 'user_message');
    expect(prompts.map(({content}) => content.map(isPasted))).toEqual([[true], [true]]);
  });

  test('is still one when its prompt is taken out of the queue', () => {
    const window = pasted('go');
    window.press('up', 'enter');
    expect(window.draft).toBe(`see ${log} please`);
    expect(draftPastes(activeDraft(window.state))).toEqual([{text: log}]);
  });
});
