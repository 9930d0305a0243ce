import {describe, expect, test} from 'vitest';
import {fileQuery} from '../../../../../src/app/completion/file-menu.ts';
import {menuOf} from '../../../../../src/app/completion/menu.ts';
import {draftFiles} from '../../../../../src/app/editor/draft.ts';
import {restoreUnsent, collectUnsent} from '../../../../../src/app/sessions.ts';
import {lost, openWindow, type TestWindow} from '../../../../support/window/app-window.ts';
import type {FileMatch} from '../../../../../src/app/completion/menu-items.ts';

const found = (path: string): FileMatch => ({
  path,
  absolute: path.startsWith('/') ? path : `/project/${path}`,
  isFolder: path.endsWith('/'),
});

/** Types a query, and finds these files for it. */
function typing(text: string, paths: readonly string[] = ['src/a.ts', 'src/b.ts'], window = openWindow()) {
  window.type(text);
  finds(window, paths);
  return window;
}

function finds(window: TestWindow, paths: readonly string[]) {
  const query = fileQuery(window.state) ?? 'nothing is wanted';
  window.dispatch({type: 'changed', change: {files: {query, items: paths.map(found)}}});
}

const listed = (window: TestWindow) => menuOf(window.state)?.items.map(({text}) => text);

describe('the @ menu', () => {
  test('lists matches, and Tab or Enter inserts one as a unit', () => {
    for (const key of ['tab', 'enter']) {
      const window = typing('see @a');
      expect(listed(window)).toEqual(['src/a.ts', 'src/b.ts']);
      window.press('down', key);
      expect(window.draft).toBe('see @src/b.ts ');
      expect(draftFiles(window.open.draft)).toMatchObject([{path: '/project/src/b.ts', name: 'src/b.ts'}]);
      expect(window.performed('check_files')).toHaveLength(1);
      expect(menuOf(window.state)).toBeUndefined();
      expect(window.sent).toEqual([]);
    }
  });

  test('continues inside a folder, and inserts the folder itself once it is typed in full', () => {
    const window = typing('@sr', ['src/']);
    window.press('tab');
    expect(window.draft).toBe('@src/');
    expect(fileQuery(window.state)).toBe('src/');
    finds(window, ['src/', 'src/a.ts']);
    window.press('tab');
    expect(draftFiles(window.open.draft)).toMatchObject([{kind: 'folder', name: 'src/'}]);
  });

  test('continues inside a folder whose name has spaces', () => {
    const window = typing('@my', ['my files/']);
    window.press('tab');
    expect(window.draft).toBe('@"my files/');
    expect(fileQuery(window.state)).toBe('my files/');
  });

  test('accepts typed line numbers', () => {
    const window = typing('@a.ts:10-40', ['src/a.ts']);
    window.press('tab');
    expect(window.draft).toBe('@src/a.ts:10-40 ');
    expect(draftFiles(window.open.draft)[0]?.lines).toEqual({first: 10, last: 40});
  });

  test('ignores results for an earlier key', () => {
    const window = typing('@a');
    window.type('x');
    window.press('enter');
    expect(window.draft).toBe('@ax');
    expect(window.sent).toEqual([]);
  });

  test('stays closed after Esc until another word begins', () => {
    const window = typing('@a');
    window.press('escape');
    window.type('b');
    expect(fileQuery(window.state)).toBeUndefined();
    window.type(' @c');
    expect(fileQuery(window.state)).toBe('c');
  });

  test.each([
    ['an address', (window: TestWindow) => window.type('joe@example.org')],
    ['a paste', (window: TestWindow) => window.paste('class A { @Input')],
    ['a caret that passes by', (window: TestWindow) => (window.type('@src x'), window.press('left', 'left'))],
    ['the history', (window: TestWindow) => (window.say('@src'), window.endTurn(), window.press('up'))],
  ])('is not opened by %s', (_what, act) => {
    const window = openWindow();
    act(window);
    expect(fileQuery(window.state)).toBeUndefined();
  });
});

describe('attached files', () => {
  const attached = () => {
    const window = typing('see @a');
    window.press('tab');
    return window;
  };

  test('are queued, and come back as units', () => {
    const window = openWindow();
    window.say('first');
    typing('see @a', undefined, window).press('tab', 'enter');
    expect(window.queue).toEqual(['see @src/a.ts ']);
    window.press('alt+up');
    expect(draftFiles(window.open.draft)).toHaveLength(1);
    expect(window.open.draft.text).not.toContain('@src');
  });

  test('are sent again with their prompt', () => {
    const window = attached();
    window.press('enter');
    window.endTurn();
    window.press('alt+r');
    expect(window.sentPrompts.map(({files = []}) => files.length)).toEqual([1, 1]);
  });

  test('that cannot be read keep the prompt waiting', () => {
    const window = openWindow({ready: false});
    window.say('see');
    window.changeQueue({kind: 'not_sent'});
    expect(window.open.session.queue.isPaused).toBe(false);
    const sending = attached();
    sending.connect({kind: 'lost', failure: lost});
    // The first Enter shows how to continue.
    sending.press('enter', 'escape', 'enter');
    sending.changeQueue({kind: 'taken', id: sending.open.session.queue.prompts[0]?.id ?? ''});
    sending.changeQueue({kind: 'not_sent'});
    expect(sending.queue).toEqual(['see @src/a.ts ']);
    expect(sending.open.session.queue).toMatchObject({isSending: false, isPaused: true});
  });

  test('survive in the journal, and come back as units', () => {
    const window = attached();
    const kept = collectUnsent(window.open);
    const next = openWindow();
    next.take(restoreUnsent('main', kept));
    expect(next.draft).toBe('see @src/a.ts ');
    expect(draftFiles(next.open.draft)).toEqual(draftFiles(window.open.draft));
    expect(collectUnsent(next.open)).toEqual(kept);
  });
});

describe('dropped files', () => {
  const file = {path: '/tmp/a b.png', name: '/tmp/a b.png', kind: 'image' as const, size: 3};

  test('are text until they are found to be files, and then units in place', () => {
    const window = openWindow();
    window.type('see ');
    window.paste(String.raw`/tmp/a\ b.png `);
    expect(window.draft).toBe(String.raw`see /tmp/a\ b.png `);
    const [effect] = window.performed('attach_paths');
    expect(effect?.readings[0]).toEqual(['/tmp/a b.png']);
    window.type('now');
    window.dispatch({
      type: 'files_attached',
      key: 'main',
      files: [file],
      pasted: effect?.pasted ?? '',
      at: window.now,
    });
    expect(window.draft).toBe('see @"/tmp/a b.png" now');
    window.press('ctrl+_');
    expect(window.draft).toBe(String.raw`see /tmp/a\ b.png now`);
  });

  test('stay text if their paths were changed meanwhile', () => {
    const window = openWindow();
    window.paste('/tmp/a.png');
    window.press('backspace');
    window.dispatch({
      type: 'files_attached',
      key: 'main',
      files: [file],
      pasted: '/tmp/a.png',
      at: window.now,
    });
    expect(window.draft).toBe('/tmp/a.pn');
  });

  test('replace a folded paste', () => {
    const window = openWindow();
    const pasted = Array.from({length: 30}, (_value, index) => `/tmp/${index}`).join('\n');
    window.paste(pasted);
    window.dispatch({type: 'files_attached', key: 'main', files: [file], pasted, at: window.now});
    expect(window.draft).toBe('@"/tmp/a b.png" ');
  });

  test('are not looked up in the note of a rejection, nor in other text fields', () => {
    const window = openWindow();
    window.paste('see /tmp/a.png');
    expect(window.performed('attach_paths')).toEqual([]);
  });
});

test('an empty paste, which terminals send for a picture, reads the clipboard', () => {
  const window = openWindow();
  window.paste('');
  expect(window.performed('read_clipboard')).toHaveLength(1);
});

test('Ctrl+V reads the clipboard, pastes text and attaches files at the caret', () => {
  const window = openWindow();
  window.press('ctrl+v');
  expect(window.performed('read_clipboard')).toHaveLength(1);
  window.dispatch({type: 'text_pasted', key: 'main', text: 'copied ', at: window.now});
  const image = {path: '/state/c.png', name: 'c.png', kind: 'image' as const, size: 9, isFromClipboard: true};
  window.dispatch({type: 'files_attached', key: 'main', files: [image], at: window.now});
  expect(window.draft).toBe('copied @c.png ');
  expect(draftFiles(window.open.draft)).toEqual([image]);
});
