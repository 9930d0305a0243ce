import {expect, test} from 'vitest';
import {attachmentBlocks, attachmentLabel} from '../../../../../src/session/queue/attachments.ts';
import {initialReviewView} from '../../../../../src/app/review/review-view.ts';
import {restoreUnsent, collectUnsent} from '../../../../../src/app/sessions.ts';
import type {RestoreReport} from '../../../../../src/session/events.ts';
import {aReview, SESSION_FILE} from '../../../../support/session/a-review.ts';
import {openWindow} from '../../../../support/window/app-window.ts';

type Window = ReturnType<typeof openWindow>;

function restored(window: Window, {sentence, undoes}: RestoreReport): void {
  window.agent({type: 'notice', level: 'info', text: sentence, restored: {sentence, undoes}});
}

test('the agent is informed with the next prompt of what the user restored, once', () => {
  const window = openWindow();
  restored(window, {sentence: 'Reverted a hunk of a.txt.'});
  restored(window, {sentence: 'Turn 2 undone: deleted b.txt.'});
  expect(window.open.session.queue.outputs.map(attachmentLabel)).toEqual(['what you restored, 2 changes']);
  window.say('go on');
  window.endTurn();
  window.say('again');
  const sent = window.sentPrompts.map(({outputs = []}) => attachmentBlocks(outputs, window.open.session));
  expect(sent).toEqual([
    [
      {
        type: 'text',
        text: 'Since your last turn I took back changes in the files. Read them again before you edit them.\n- Reverted a hunk of a.txt.\n- Turn 2 undone: deleted b.txt.',
        _meta: {'acp-tui/restored': 'what you restored, 2 changes'},
      },
    ],
    [],
  ]);
});

test('comments of a review are such a prompt', () => {
  const window = openWindow();
  restored(window, {sentence: 'Reverted a hunk of a.txt.'});
  const review = initialReviewView(window.state.active, aReview(SESSION_FILE));
  window.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...review}});
  window.press('c');
  window.type('keep it');
  window.press('enter', 'ctrl+s');
  const labels = window.sentPrompts.map(({outputs = []}) => outputs.map(attachmentLabel));
  expect(labels).toEqual([['what you restored, 1 change', '1 comment']]);
  expect(window.open.session.queue.outputs).toEqual([]);
});

test('restored changes that were undone are not mentioned, and nothing is attached without any', () => {
  const window = openWindow();
  restored(window, {sentence: 'Reverted a.txt.'});
  restored(window, {sentence: 'Restored a.txt.', undoes: 'Reverted a.txt.'});
  expect(window.open.session.queue.outputs).toEqual([]);
  restored(window, {sentence: 'Restored b.txt.', undoes: 'Reverted b.txt.'});
  expect(window.open.session.queue.outputs.map(attachmentLabel)).toEqual(['what you restored, 1 change']);
});

test('it is removed by the key that removes outputs, and stored in the journal', () => {
  const window = openWindow();
  restored(window, {sentence: 'Reverted a.txt.'});
  const later = openWindow();
  later.take(restoreUnsent('main', collectUnsent(window.open)));
  expect(later.open.session.queue.outputs).toEqual([{id: 'restored', sentences: ['Reverted a.txt.']}]);
  window.press('backspace');
  expect(window.open.session.queue.outputs).toEqual([]);
});
