import {afterEach, describe, expect, test} from 'vitest';
import {rowsOfChanges} from '../../../components/panels/changes-page.ts';
import type {Changes, ReportedDiff} from '../../../src/session/transcript/diffs.ts';
import {width} from '../../../src/text/width.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {closeWindows, open, shown} from '../../support/screen/window.ts';

const file = (name: string, oldText: string | null, newText: string): ReportedDiff => {
  const diff = {path: `/work/${name}`, oldText, newText};
  return {turn: 1, diff, kind: 'edit'};
};

const turn = [file('src/a.ts', 'one\ntwo\n', 'one\n2\n'), file('new.ts', null, 'x\ny\n')];

function drawn(changes: Partial<Changes>, columns = 60): string {
  const all = {isRunning: false, turn: [], session: undefined, ...changes};
  return rowsOfChanges(all, plainTheme({columns})).join('\n');
}

afterEach(closeWindows);

describe('the changed files', () => {
  test('are listed with their counts, then with their diffs', () => {
    expect(drawn({turn})).toMatchSnapshot();
  });

  test('of the running turn are called so, and a file counts once', () => {
    expect(drawn({isRunning: true, turn: [...turn, file('new.ts', 'x', 'z')]})).toContain(
      'This turn: 2 files, +4 −2',
    );
  });

  test('of a turn without any are none, followed by those of the other turns', () => {
    expect(drawn({session: turn})).toMatch(
      /^The last turn: no tool call reported a change\.\n\nAll turns: 2 files/,
    );
  });

  test('that are too long are only counted', () => {
    const text = drawn({turn: [...turn, file('long', null, 'x\n'.repeat(2001))]});
    expect(text).toContain('long (new file, 2001 lines)');
    expect(text).toContain('long: too many lines to show');
    expect(text.split('\n').length).toBeLessThan(20);
  });

  test('that are deleted are marked as such, with their lines', () => {
    const gone = {...file('gone.ts', 'one\n'.repeat(8), ''), kind: 'delete'} as const;
    const text = drawn({turn: [gone, file('emptied.ts', 'one\n', '')]});
    expect(text.match(/gone.ts \(deleted, 8 lines\)/g)).toHaveLength(2);
    expect(text.match(/emptied.ts \(\+0 −1\)/g)).toHaveLength(2);
  });

  test('show that only line ends changed', () => {
    expect(drawn({turn: [file('a', 'x\r\n', 'x\n')]})).toContain('- x␍');
  });

  test.each([80, 30, 12, 6])('fit into %i columns', (columns) => {
    const changes = {turn: [...turn, file('漢字'.repeat(20), '漢'.repeat(50), '字'.repeat(50))]};
    for (const line of drawn(changes, columns).split('\n')) expect(width(line)).toBeLessThanOrEqual(columns);
  });

  test('are scrolled with the keys of every page', async () => {
    const window = open();
    await shown(window).toContain('Ask anything');
    const many = Array.from({length: 30}, (_, index) => file(`${index}.ts`, null, 'x\n'));
    const changes = {isRunning: false, turn: many, session: undefined};
    const scroll = {firstRow: 0, visibleRows: 0, totalRows: 0};
    window.store.dispatch({type: 'overlay_opened', overlay: {kind: 'changes', changes, scroll}}, 'urgent');
    await shown(window).toContain('The last turn: 30 files, +30 −0');
    window.press('\u001b[6~');
    await shown(window).not.toContain('The last turn: 30 files');
    window.press('\u001b');
    await shown(window).not.toContain('Changed files');
    expect(await window.screen()).toContain('Ask anything');
  });
});
