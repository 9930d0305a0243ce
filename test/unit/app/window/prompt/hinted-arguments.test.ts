import {describe, expect, test} from 'vitest';
import {fileQuery, isFolderQuery} from '../../../../../src/app/completion/file-menu.ts';
import {argumentHint, menuOf} from '../../../../../src/app/completion/menu.ts';
import {openWindow, type TestWindow} from '../../../../support/window/app-window.ts';

/** A window with custom commands that have these hints. */
function withHints(hints: Readonly<Record<string, string>>): TestWindow {
  const window = openWindow();
  const customCommands = Object.entries(hints).map(([name, argumentHint]) => ({
    name,
    argumentHint,
    description: 'Of mine',
    from: 'yours',
    prompt: '$ARGUMENTS',
  }));
  window.agent({type: 'custom_commands_changed', commands: customCommands});
  return window;
}

const listed = (window: TestWindow) =>
  menuOf(window.state)?.items.map(({text, argument = ''}) => `${text} ${argument}`.trim());

function finds(window: TestWindow, ...paths: readonly string[]): void {
  const query = fileQuery(window.state) ?? 'nothing is wanted';
  const items = paths.map((path) => ({path, absolute: `/project/${path}`, isFolder: path.endsWith('/')}));
  window.dispatch({type: 'changed', change: {files: {query, items}}});
}

describe('values of a hint', () => {
  test('are listed, filtered by what is typed, and sent by Enter', () => {
    const window = withHints({build: '[debug|release]'});
    window.type('/build ');
    expect(argumentHint(window.state)).toBe('[debug|release]');
    expect(listed(window)).toEqual(['(leave out)', 'debug', 'release']);
    window.type('R');
    expect(listed(window)).toEqual(['release']);
    window.press('enter');
    expect(window.sent).toEqual(['/build release']);
    expect(window.draft).toBe('');
  });

  test('may be left out, if the hint says so: Enter without typing sends the command alone', () => {
    const window = withHints({build: '[debug|release]'});
    window.say('/build ');
    expect(window.sent.map((text) => text.trim())).toEqual(['/build']);
    window.endTurn();
    window.type('/build ');
    window.press('down', 'enter');
    expect(window.sent.at(-1)).toBe('/build debug');
  });

  test('of a place before others are completed by Tab and Enter, and what may follow is shown', () => {
    for (const key of ['tab', 'enter']) {
      const window = withHints({item: '<add|remove|list> <name> [fast|slow]'});
      window.type('/item ');
      expect(listed(window)?.[0]).toBe('add <name> [fast|slow]');
      window.type('rem');
      window.press(key);
      expect(window.draft).toBe('/item remove ');
      expect(menuOf(window.state)).toBeUndefined();
      window.type('x s');
      window.press(key);
      expect([window.draft, ...window.sent].filter(Boolean)).toEqual(['/item remove x slow']);
    }
  });

  test('never replace what only resembles them', () => {
    for (const typed of ['elease', 'released', 'release notes', 'de bug']) {
      const window = withHints({build: '[debug|release]'});
      window.say(`/build ${typed}`);
      expect(window.sent).toEqual([`/build ${typed}`]);
    }
  });

  test('with blanks are quoted, as arguments are split so', () => {
    const window = withHints({fix: '["quick fix"|all]'});
    window.type('/fix qu');
    window.press('tab');
    expect(window.draft).toBe('/fix "quick fix"');
    expect(menuOf(window.state)).toBeUndefined();
    const typing = withHints({fix: '["quick fix"|all]'});
    typing.type('/fix "quick f');
    expect(listed(typing)).toEqual(['quick fix']);
    typing.press('enter');
    expect(typing.sent).toEqual(['/fix "quick fix"']);
  });

  test('are offered where the caret is at the end, not in the history, and not after Esc', () => {
    const window = withHints({build: '[debug|release]'});
    window.type('/build d');
    window.press('left');
    expect(listed(window)).toBeUndefined();
    window.press('right');
    expect(listed(window)).toEqual(['debug']);
    window.press('escape');
    expect(listed(window)).toBeUndefined();
    window.press('enter');
    expect(window.sent).toEqual(['/build d']);
    window.endTurn();
    window.press('up');
    expect(window.draft).toBe('/build d');
    expect(listed(window)).toBeUndefined();
  });

  test('Tab behind a value in full shows the whole prompt', () => {
    const window = withHints({build: '[debug|debug-all]'});
    window.type('/build debug');
    expect(listed(window)).toEqual(['debug', 'debug-all']);
    window.press('tab');
    expect(window.performed('expand_command')).toMatchObject([{typed: '/build debug'}]);
  });

  test('Tab behind a large paste gives the command all of it', () => {
    const window = withHints({fix: '<log>'});
    const log = 'line\n'.repeat(20);
    window.type('/fix ');
    window.paste(log);
    window.press('tab');
    expect(window.performed('expand_command')).toMatchObject([{call: {argument: log.trim()}}]);
  });

  test("are those of an agent's command, too, also behind two slashes and with a blank in its name", () => {
    const window = withHints({build: '[mine]'});
    window.offer(
      {name: 'build', description: '', input: {hint: '[debug|release]'}},
      {name: 'web search', description: '', input: {hint: '<fast|deep> [words]'}},
      {name: 'web', description: '', input: {hint: '<on|off>'}},
    );
    window.type('//build d');
    expect(listed(window)).toEqual(['debug']);
    window.press('ctrl+u');
    window.type('/web search d');
    expect(listed(window)).toEqual(['deep [words]']);
    window.press('ctrl+u');
    window.type('/web o');
    expect(listed(window)).toEqual(['on', 'off']);
  });

  test('are not offered for a text of several lines, nor in the shell', () => {
    const window = withHints({build: '[debug|release]'});
    window.type('/build');
    window.press('shift+enter');
    window.type(' d');
    expect(listed(window)).toBeUndefined();
  });
});

describe('paths for a hint', () => {
  test('are searched, and inserted without @', () => {
    const window = withHints({explain: '<file>'});
    window.type('/explain a');
    expect(fileQuery(window.state)).toBe('a');
    expect(isFolderQuery(window.state)).toBe(false);
    finds(window, 'src/', 'src/a.ts');
    expect(listed(window)).toEqual(['src/', 'src/a.ts']);
    window.press('down', 'enter');
    expect(window.draft).toBe('/explain src/a.ts');
    expect(window.sent).toEqual([]);
    finds(window, 'src/a.ts');
    expect(listed(window)).toBeUndefined();
    window.press('enter');
    expect(window.sent).toEqual(['/explain src/a.ts']);
  });

  test('of a folder continue inside it', () => {
    const window = withHints({tests: '[folder]'});
    window.type('/tests ');
    expect(isFolderQuery(window.state)).toBe(true);
    finds(window, 'my docs/', 'notes.md');
    expect(listed(window)).toEqual(['(leave out)', 'my docs/']);
    window.press('down', 'tab');
    expect(window.draft).toBe('/tests "my docs/');
    expect(fileQuery(window.state)).toBe('my docs/');
    finds(window, 'my docs/', 'my docs/old/');
    expect(menuOf(window.state)?.items[0]?.description).toBe('the folder itself');
    window.press('enter');
    expect(window.draft).toBe('/tests "my docs/"');
    window.press('enter');
    expect(window.sent).toEqual(['/tests "my docs/"']);
  });

  test('that are typed in full are sent by Enter, and Tab shows the whole prompt', () => {
    const window = withHints({tests: '[folder]'});
    window.type('/tests src');
    finds(window, 'src/app/', 'src/');
    expect(listed(window)).toEqual(['src/', 'src/app/']);
    window.press('enter');
    expect(window.sent).toEqual(['/tests src']);
    const other = withHints({tests: '[folder]'});
    other.type('/tests src');
    finds(other, 'src/');
    other.press('tab');
    expect(other.performed('expand_command')).toMatchObject([{typed: '/tests src'}]);
  });

  test('found for an earlier key press are not taken', () => {
    const window = withHints({explain: '<file>'});
    window.type('/explain a');
    finds(window, 'a.ts', 'aa.ts');
    window.type('b');
    window.press('tab');
    expect(window.draft).toBe('/explain ab');
    window.press('enter');
    expect(window.sent).toEqual(['/explain ab']);
  });

  test('are mentions with @ all the same', () => {
    const window = withHints({explain: '<file>'});
    window.type('/explain @a');
    finds(window, 'a.ts');
    window.press('tab');
    expect(window.draft).toBe('/explain @a.ts ');
    window.type('b');
    expect(listed(window)).toBeUndefined();
  });

  test('keep what is attached before them', () => {
    const window = withHints({match: '<file> <file>'});
    window.type('/match @a');
    finds(window, 'a.ts');
    window.press('tab');
    window.type('b');
    finds(window, 'b.ts');
    window.press('tab');
    expect(window.draft).toBe('/match @a.ts b.ts');
  });

  test('are not searched without a menu', () => {
    const window = withHints({explain: '<file>', build: '[debug|release]'});
    window.type('/explain a');
    finds(window, 'a.ts');
    window.press('escape');
    expect(fileQuery(window.state)).toBeUndefined();
    window.press('ctrl+u');
    window.type('/build d');
    expect(fileQuery(window.state)).toBeUndefined();
  });
});
