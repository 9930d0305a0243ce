import {expect, test} from 'vitest';
import {panelOf} from '../../../components/panels/current-panel.ts';
import {initialApp} from '../../../src/app/initial.ts';
import {leaderKeysHelp} from '../../../src/app/pages/help-page.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';
import {openWindow} from '../../support/window/app-window.ts';

const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
const tab = {key: 'one', agentLabel: 'demo', session, approval: 'none'} as const;

/** The keys after the leader key. */
function leaderKeys(rows: number, columns: number): readonly string[] {
  const state = {...initialApp({session: tab, theme: 'dark'}), overlay: {kind: 'more_keys'}} as const;
  const theme = plainTheme({columns});
  return linesOfPanel(panelOf(state, rows, theme), theme);
}

const words = (lines: readonly string[]) => lines.join(' ').split(/\s+/);

test.each([39, 60, 80, 100, 160])(
  'all keys after the leader key are described in full, at %d columns',
  (columns) => {
    const lines = leaderKeys(1000, columns);
    const {title, rows: all} = leaderKeysHelp();
    const elsewhere = new Set<string>(['edit_externally', 'toggle_side_panel']);
    const rows = all.filter(({action = ''}) => !elsewhere.has(action));
    expect(lines[0]).toContain(title);
    expect(lines.at(-1)).toContain('p lists all · Any other key closes');
    expect(words(lines)).toEqual(expect.arrayContaining(rows.flatMap(({keys, does}) => words([keys, does]))));
  },
);

test('at 80 columns and 24 rows, none of them is missing', () => {
  expect(leaderKeys(18, 80)).toEqual(leaderKeys(1000, 80));
  expect(leaderKeys(10, 100)).toEqual(leaderKeys(1000, 100));
});

test('the palette is not named on the board, where it is not opened', () => {
  const window = openWindow();
  window.press('left', 'ctrl+x');
  const theme = plainTheme({columns: 80});
  const lines = linesOfPanel(panelOf(window.state, 14, theme), theme);
  expect(lines.at(-1)).toMatch(/… \d+ below · Any other key closes/);
});

test('where there is no room for all, it says how many are missing, and how to see them', () => {
  const lines = leaderKeys(14, 80);
  expect(lines).toHaveLength(14);
  expect(lines.at(-1)).toContain('… 4 below · p lists all · Any other key closes');
});
