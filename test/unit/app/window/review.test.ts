import {describe, expect, test} from 'vitest';
import {initialReviewView, selectedLine, type ReviewView} from '../../../../src/app/review/review-view.ts';
import {attachmentBlocks} from '../../../../src/session/queue/attachments.ts';
import type {Review} from '../../../../src/session/review.ts';
import {aFile, aHunk, aReview, SESSION_FILE} from '../../../support/session/a-review.ts';
import {openWindow} from '../../../support/window/app-window.ts';

const OTHER = aFile('z.txt', aHunk('only', 1, '+new'));
const REVIEW = aReview(SESSION_FILE, OTHER);

function reviewing(review: Review = REVIEW) {
  const window = openWindow();
  const {active} = window.state;
  window.dispatch({type: 'overlay_opened', overlay: {kind: 'review', ...initialReviewView(active, review)}});
  const view = (): ReviewView => {
    const {overlay} = window.state;
    if (overlay.kind !== 'review') throw new Error(`the overlay is ${overlay.kind}`);
    return overlay;
  };
  const here = () => `${view().file} ${selectedLine(view())?.text}`;
  const changes = () => window.performed('change_review').map(({change}) => change);
  const read = (review: Review) => window.dispatch({type: 'review_read', review});
  const press = (...keys: readonly string[]) => window.press(...keys);
  return {window, view, here, press, changes, read};
}

const NO_MODIFIERS = {ctrl: false, alt: false, shift: false};
const [FIRST, SECOND] = SESSION_FILE.hunks;
const ONE_ACCEPTED = {...SESSION_FILE, hunks: [{...FIRST!, isAccepted: true}, SECOND!]};
const ALL_ACCEPTED = {
  ...SESSION_FILE,
  isAccepted: true,
  hunks: SESSION_FILE.hunks.map((hunk) => ({...hunk, isAccepted: true})),
};

test('? shows other keys', () => {
  const {press, window} = reviewing();
  press('?', '?');
  expect(window.state.hints).toBe(2);
});

test('a comment is edited with the keys of the prompt', () => {
  const {press, window, view} = reviewing();
  press('c');
  window.type('why is here?');
  press('alt+b');
  window.type('it ');
  press('home');
  window.type('so ');
  press('ctrl+e', 'backspace', 'left', 'right');
  window.type(' now');
  press('enter');
  expect(view().review.comments.map(({text}) => text)).toEqual(['so why is it here now']);
  press('c', 'ctrl+u', 'enter');
  expect(view().review.comments).toEqual([]);
});

describe('the cursor of a review', () => {
  test('moves by line, hunk and file, from hunk to hunk also into the next file', () => {
    const {press, here} = reviewing();
    expect(here()).toBe('src/session.ts let busy = false;');
    press('down');
    expect(here()).toBe('src/session.ts let pending;');
    press('right');
    expect(here()).toBe('src/session.ts   if (busy) return;');
    press('left');
    expect(here()).toBe('src/session.ts let busy = false;');
    press('right', 'right');
    expect(here()).toBe('z.txt new');
    press('tab');
    expect(here()).toBe('src/session.ts let busy = false;');
    press('shift+tab');
    expect(here()).toBe('z.txt new');
    press('shift+tab', 'end');
    expect(here()).toBe('src/session.ts }');
  });

  test('moves to the next match in any file, and wraps around', () => {
    const {press, here, window} = reviewing();
    press('/');
    window.type('new');
    press('enter');
    expect(here()).toBe('z.txt new');
    press('/');
    window.type('pending');
    press('enter');
    expect(here()).toBe('src/session.ts let pending;');
    press('n');
    expect(here()).toBe('src/session.ts   pending = start();');
    press('shift+n', 'shift+n');
    expect(here()).toBe('src/session.ts   return pending;');
  });

  test('moves to the next open hunk after accepting one, then to the next file, and back after an undo', () => {
    const {press, here, read} = reviewing();
    press('a');
    read(aReview(ONE_ACCEPTED, OTHER));
    expect(here()).toBe('src/session.ts   if (busy) return;');
    press('a');
    read(aReview(ALL_ACCEPTED, OTHER));
    expect(here()).toBe('z.txt new');
    press('u');
    read(aReview(ONE_ACCEPTED, OTHER));
    expect(here()).toBe('src/session.ts   if (busy) return;');
    press('u');
    read(REVIEW);
    expect(here()).toBe('src/session.ts let busy = false;');
    press('shift+x');
    read(aReview(OTHER));
    expect(here()).toBe('z.txt new');
    press('u');
    read(REVIEW);
    expect(here()).toBe('src/session.ts let busy = false;');
  });

  test('goes on from the last hunk of a file also past one that was left open, and stays if nothing follows', () => {
    const {press, here, read} = reviewing();
    press('right', 'a');
    const [first, second] = SESSION_FILE.hunks;
    read(aReview({...SESSION_FILE, hunks: [first!, {...second!, isAccepted: true}]}, OTHER));
    expect(here()).toBe('z.txt new');
    press('a');
    read(aReview(SESSION_FILE, {...OTHER, hunks: [], isAccepted: true}));
    expect(here()).toBe('z.txt undefined');
  });

  test('stays where it is when an action is refused, and when the changes are only read again', () => {
    const {press, here, read} = reviewing();
    press('right', 'down', 'a');
    read(REVIEW);
    expect(here()).toBe('src/session.ts   busy = true;');
    const added = aHunk('zero', 1, '+first');
    read(aReview({...SESSION_FILE, hunks: [added, ...SESSION_FILE.hunks]}, OTHER));
    expect(here()).toBe('src/session.ts   busy = true;');
  });
});

describe('a change', () => {
  test('keys pressed meanwhile wait for what it leaves, in order', () => {
    const {press, here, changes, read, window} = reviewing();
    press('a', 'a', 'u', 'tab', 'x');
    // Two keys that arrive together.
    window.key({kind: 'key', name: undefined, text: 'Xa', ...NO_MODIFIERS, at: window.now});
    expect(changes()).toEqual([{kind: 'accept', file: 'src/session.ts', hunk: 'one'}]);
    expect(here()).toBe('src/session.ts let busy = false;');
    read(aReview(ONE_ACCEPTED, OTHER));
    expect(changes().at(-1)).toEqual({kind: 'accept', file: 'src/session.ts', hunk: 'two'});
    read(aReview(ALL_ACCEPTED, OTHER));
    expect(changes().at(-1)).toEqual({kind: 'undo'});
    read(aReview(ONE_ACCEPTED, OTHER));
    expect(changes().at(-1)).toEqual({kind: 'revert', file: 'z.txt', hunk: 'only'});
    read(REVIEW);
    expect(changes().at(-1)).toEqual({kind: 'revert', file: 'z.txt', hunk: undefined});
    expect(changes()).toHaveLength(5);
    read(REVIEW);
    expect(changes().at(-1)).toEqual({kind: 'accept', file: 'z.txt', hunk: 'only'});
  });

  test('Esc waits, too, and what is typed after it goes to the prompt; a second Esc closes the review at once', () => {
    const typed = reviewing();
    typed.press('a', 'a', 'escape', 'h', 'i');
    typed.read(aReview(ONE_ACCEPTED, OTHER));
    typed.read(aReview(ALL_ACCEPTED, OTHER));
    expect(typed.window.state.overlay.kind).toBe('none');
    expect(typed.window.draft).toBe('hi');

    const {press, window, changes} = reviewing();
    press('a', 'a', 'escape', 'escape');
    expect(window.state.overlay.kind).toBe('none');
    expect(window.state.toast?.text).toBe('2 keys were ignored.');
    expect(changes()).toHaveLength(1);
    expect(window.state.heldKeys).toEqual([]);
  });

  test('the cursor moves while the changes are only read again, and what would change them waits', () => {
    const {press, here, changes, window} = reviewing();
    window.dispatch({type: 'review_changed', change: {doing: {kind: 'refresh'}}});
    press('right');
    expect(here()).toBe('src/session.ts   if (busy) return;');
    press('a', 'left');
    expect(changes()).toEqual([]);
    window.dispatch({type: 'review_read', review: REVIEW});
    expect(changes()).toEqual([{kind: 'accept', file: 'src/session.ts', hunk: 'two'}]);
    expect(here()).toBe('src/session.ts   if (busy) return;');
  });

  test('is not reverted once accepted', () => {
    const hunks = SESSION_FILE.hunks.map((hunk) => ({...hunk, isAccepted: true}));
    const {press, window} = reviewing(aReview({...SESSION_FILE, hunks, isAccepted: true}));
    press('x', 'shift+x', 'a');
    expect(window.performed('change_review')).toEqual([]);
    expect(window.state.toast?.text).toBe('Already accepted.');
  });
});

describe('a comment', () => {
  test('is stored with its lines, edited, and deleted', () => {
    const {press, window, view} = reviewing();
    press('v', 'down', 'c');
    window.type('why?');
    press('enter');
    const comment = {
      path: 'src/session.ts',
      side: 'new',
      line: 13,
      lastLine: 13,
      quote: ['-let busy = false;', '+let pending;'],
      text: 'why?',
    };
    expect(view().review.comments).toEqual([comment]);
    press('c');
    expect(view().typing?.draft.text).toBe('why?');
    press('backspace', 'enter');
    expect(view().review.comments.map(({text}) => text)).toEqual(['why']);
    press('c', 'ctrl+u', 'enter');
    expect(view().review.comments).toEqual([]);
    const shorter = {...comment, quote: ['+let pending;'], text: 'why'};
    expect(window.called('saveReviewComments')).toEqual([
      [{added: [comment], removed: []}],
      [{added: [shorter], removed: [comment]}],
      [{added: [], removed: [shorter]}],
    ]);
  });

  test('is discarded with Esc', () => {
    const {press, window, view} = reviewing();
    press('c');
    window.type('never mind');
    press('escape');
    expect(view().review.comments).toEqual([]);
    press('escape');
    expect(window.state.overlay.kind).toBe('none');
  });

  test.each([
    ['embedded, where the agent accepts that', true],
    ['in the text otherwise', false],
  ])('is sent with all others as one prompt, with its location; its hunk is %s', (_, embeddedContext) => {
    const {press, window} = reviewing();
    window.connect({kind: 'ready'});
    press('c');
    window.type('keep it');
    press('enter', 'tab', 'c');
    window.type('rename');
    press('enter', 'ctrl+s');
    expect(window.sent).toEqual(['Comments on your changes:']);
    const [sent] = window.sentPrompts;
    const response = {protocolVersion: 1, agentCapabilities: {promptCapabilities: {embeddedContext}}};
    window.agent({type: 'agent_initialized', response, fallbackName: 'agent'});
    const blocks = attachmentBlocks(sent?.outputs ?? [], {...window.open.session, cwd: '/work'});
    const hunk = ' let current;\n-let busy = false;\n+let pending;';
    const words = blocks.map((block) => (block.type === 'text' ? block.text.trim() : block));
    const place = 'src/session.ts:13 (before the change)';
    const embedded = (uri: string, text: string) =>
      expect.objectContaining({resource: {uri, mimeType: 'text/x-diff', text}}) as unknown;
    expect(words).toEqual(
      embeddedContext
        ? [
            `${place}\nkeep it`,
            embedded('file:///work/src/session.ts#L13:13', hunk),
            'z.txt:1\nrename',
            embedded('file:///work/z.txt#L1:1', '+new'),
          ]
        : [`${place}\n\`\`\`diff\n${hunk}\n\`\`\`\nkeep it`, 'z.txt:1\n```diff\n+new\n```\nrename'],
    );
    expect(window.called('saveReviewComments').at(-1)).toMatchObject([{added: [], removed: [{}, {}]}]);
    expect(window.state.overlay.kind).toBe('none');
  });
});

test('e opens the editor at the current line', () => {
  const {press, window} = reviewing();
  press('e');
  expect(window.performed('edit_reviewed')).toEqual([
    expect.objectContaining({path: 'src/session.ts', row: 13, at: {file: 'src/session.ts', line: 1}}),
  ]);
});

test('r cycles through the ranges', () => {
  const {press, window} = reviewing();
  press('r');
  window.dispatch({
    type: 'overlay_opened',
    overlay: {
      kind: 'review',
      ...initialReviewView(window.state.active, {...REVIEW, range: {kind: 'turn', turn: 1}}),
    },
  });
  press('r');
  expect(window.performed('show_review').map(({range}) => range)).toEqual([
    {kind: 'session'},
    {kind: 'unreviewed'},
  ]);
});

test.each([
  ['/review', {kind: 'unreviewed'}],
  ['/review session', {kind: 'session'}],
  ['/review turn 3', {kind: 'turn', turn: 3}],
])('%s reviews that range', (line, range) => {
  const window = openWindow();
  window.say(line);
  expect(window.performed('show_review').map((effect) => effect.range)).toEqual([range]);
});
