import {describe, expect, it, test} from 'vitest';
import {helpSections} from '../../../src/app/pages/help-page.ts';
import {readCombination} from '../../../src/app/input/keys.ts';
import {readKeys} from '../../../src/app/keymap/key-settings.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';

test.each([
  ['ctrl+y', 'ctrl+y'],
  ['Ctrl+Y', 'ctrl+y'],
  ['shift+alt+Left', 'alt+shift+left'],
  ['option+return', 'alt+enter'],
  ['ctrl++', 'ctrl++'],
  ['+', '+'],
  ['Esc', 'escape'],
  ['G', 'shift+g'],
  ['ctrl+_', 'ctrl+_'],
  ['ä', 'ä'],
])('the key %s is parsed as %s', (written, combination) => {
  expect(readCombination(written)).toBe(combination);
});

describe('custom keys', () => {
  it('replace the defaults in each context of the action', () => {
    const {keymap, problems} = readKeys({
      undo: 'ctrl+u',
      kill_to_line_start: [],
      confirm: ['alt+j', 'enter'],
    });
    expect(problems).toEqual([]);
    expect(keymap.prompt.undo).toEqual(['ctrl+u']);
    expect(keymap.prompt.kill_to_line_start).toEqual([]);
    expect(keymap.request.confirm).toEqual(['alt+j', 'enter']);
    expect(keymap.picker.confirm).toEqual(['alt+j', 'enter']);
    expect(keymap.prompt.yank).toEqual(defaultKeymap.prompt.yank);
  });

  it("override another action's defaults, which is reported", () => {
    const {keymap, problems} = readKeys({undo: ['ctrl+y']});
    expect(keymap.prompt).toMatchObject({undo: ['ctrl+y'], yank: []});
    expect(problems).toEqual([
      'keys: Ctrl+Y is bound to undo and to yank; it does undo. Give yank other keys, or null.',
    ]);
  });

  it('that hide a global key are reported', () => {
    const {problems} = readKeys({undo: ['ctrl+c']});
    expect(problems).toEqual([
      expect.stringMatching(/^keys: Ctrl\+C is bound to undo and to clear_cancel_or_leave; it does undo/),
    ]);
  });

  it.each([{scroll_line_down: ['n']}, {next_hit: ['k', 'j']}])(
    "that hide a text viewer's key in the transcript are reported: %j",
    (settings) => {
      const {problems} = readKeys(settings);
      expect(problems).toContainEqual(
        expect.stringMatching(
          /^keys: [nj] is bound to next_hit and to scroll_line_down; in the transcript it does next_hit\./,
        ),
      );
    },
  );

  it('list the available actions if one is unknown', () => {
    const {keymap, problems} = readKeys({undoo: ['ctrl+y']});
    expect(keymap).toEqual(defaultKeymap);
    expect(problems).toEqual([
      expect.stringMatching(/^keys: Unknown action "undoo"\. Actions: .*\bundo, redo\b/),
    ]);
  });

  it('explain the key syntax if one is invalid, and keep the others', () => {
    const {keymap, problems} = readKeys({undo: ['ctlr+y', 'alt+u']});
    expect(keymap.prompt.undo).toEqual(['alt+u']);
    expect(problems).toEqual([expect.stringMatching(/^keys: undo: Unknown key "ctlr\+y"\..*pageup.*ctrl\+/)]);
  });

  it.each([
    ['send', null],
    ['cancel_or_back', ['nonsense']],
  ])('cannot rebind the keys of %s', (action, keys) => {
    const {keymap, problems} = readKeys({[action]: keys});
    expect(keymap).toEqual(defaultKeymap);
    expect(problems).toContain(`keys: ${action} needs a key; its default keys are used.`);
  });

  it('cannot make a character impossible to type', () => {
    const {keymap, problems} = readKeys({undo: ['u'], show_plan: ['space'], explain: ['h']});
    expect(keymap.prompt.undo).toEqual(defaultKeymap.prompt.undo);
    expect(keymap.everywhere.show_plan).toEqual(defaultKeymap.everywhere.show_plan);
    expect(keymap.request.explain).toEqual(['h']);
    expect(problems).toContain('keys: undo: "u" would block typing; add ctrl+ or alt+.');
  });

  it('that are characters are left out where they are text', () => {
    const {keymap, problems} = readKeys({
      choose_next: ['down', 'j'],
      choose_previous: ['k'],
      scroll_page_down: ['pagedown', 'space'],
      reply: ['ctrl+space', 'r'],
      help_when_empty: ['h'],
    });
    expect(problems.filter((problem) => problem.includes('would block typing'))).toEqual([]);
    for (const context of ['picker', 'history', 'sessions', 'board', 'tasks', 'mcp', 'form'] as const) {
      expect(keymap[context].choose_next).toEqual(['down']);
      expect(keymap[context].choose_previous).toEqual(defaultKeymap[context].choose_previous);
    }
    expect(keymap.request.choose_next).toEqual(['down', 'j']);
    expect(keymap.queue.choose_previous).toEqual(['k']);
    expect(keymap.picker.scroll_page_down).toEqual(['pagedown']);
    expect(keymap.review.scroll_page_down).toEqual(['pagedown', 'space']);
    // Only while nothing is typed.
    expect(keymap.board.reply).toContain('r');
    expect(keymap.prompt.help_when_empty).toEqual(['h']);
  });

  it.each(['choose_by_number', 'show_session'])('of %s are the numbers', (action) => {
    const {keymap, problems} = readKeys({[action]: ['w']});
    expect(keymap).toEqual(defaultKeymap);
    expect(problems).toEqual([expect.stringContaining(`Unknown action "${action}"`)]);
  });

  it('appear in the help, with their problems', () => {
    const {keymap, problems} = readKeys({undo: ['alt+u'], oops: null});
    const sections = helpSections(keymap, problems);
    expect(sections[0]).toMatchObject({title: 'In your settings', rows: [{does: problems[0]}]});
    expect(sections.flatMap(({rows}) => rows)).toContainEqual({keys: 'Alt+U', does: 'undo', action: 'undo'});
  });
});
