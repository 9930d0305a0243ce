import {afterEach, describe, expect, test} from 'vitest';
import {drawChanges} from '../../../components/panels/page-panels.ts';
import type {Changes, FileChange} from '../../../src/session/transcript/diffs.ts';
import {width} from '../../../src/text/width.ts';
import {plainDraw} from '../../support/screen/draw.ts';
import {closeWindows, open, shown} from '../../support/screen/window.ts';

const file = (name: string, oldText: string | null, newText: string): FileChange => {
  const path = `/work/${name}`;
  return {path, diff: {path, oldText, newText}};
};

const none = {written: [], reported: []};
const written = [file('src/a.ts', 'one\ntwo\n', 'one\n2\n'), file('new.ts', null, 'x\ny\n')];

function drawn(changes: Partial<Changes>, columns = 60): string {
  const all = {isRunning: false, turn: none, session: undefined, ...changes};
  return drawChanges(all, undefined, plainDraw({columns})).join('\n');
}

afterEach(closeWindows);

describe('the changed files', () => {
  test('are listed with their counts, then with their diffs', () => {
    expect(drawn({turn: {written, reported: []}})).toMatchSnapshot();
  });

  test('of the agent itself are listed apart', () => {
    const text = drawn({isRunning: true, turn: {written, reported: [file('own.ts', 'a', 'b')]}}, 90);
    expect(text).toContain('This turn: 2 files, +3 −1');
    expect(text.indexOf('by the agent itself')).toBeLessThan(text.indexOf('own.ts'));
    expect(text.indexOf('new.ts')).toBeLessThan(text.indexOf('by the agent itself'));
  });

  test('of a turn without any are none, followed by those of the other turns', () => {
    expect(drawn({session: {written, reported: []}})).toMatch(
      /^The last turn changed no files\.\n\nAll turns: 2 files/,
    );
  });

  test('that cannot be shown say why', () => {
    const long = file('long', null, 'x\n'.repeat(2001));
    const text = drawn({
      turn: {written: [{path: '/work/b', diff: undefined, note: 'not text'}, long], reported: []},
    });
    expect(text).toContain('b: not text');
    expect(text).toContain('long (new file, 2001 lines)');
    expect(text).toContain('long: too many lines to show');
    expect(text.split('\n').length).toBeLessThan(12);
  });

  test('that are deleted are marked as such, with their lines', () => {
    const gone = {...file('gone.ts', 'one\n'.repeat(8), ''), kind: 'delete'} as const;
    const text = drawn({turn: {written: [], reported: [gone, file('emptied.ts', 'one\n', '')]}});
    expect(text.match(/gone.ts \(deleted, 8 lines\)/g)).toHaveLength(2);
    expect(text.match(/emptied.ts \(\+0 −1\)/g)).toHaveLength(2);
  });

  test('show that only line ends changed', () => {
    expect(drawn({turn: {written: [file('a', 'x\r\n', 'x\n')], reported: []}})).toContain('- x␍');
  });

  test.each([80, 30, 12, 6])('fit into %i columns', (columns) => {
    const changes = {turn: {written, reported: [file('漢字'.repeat(20), '漢'.repeat(50), '字'.repeat(50))]}};
    for (const line of drawn(changes, columns).split('\n')) expect(width(line)).toBeLessThanOrEqual(columns);
  });

  test('are scrolled with the keys of every page', async () => {
    const window = open();
    await shown(window).toContain('Ask anything');
    const many = Array.from({length: 30}, (_, index) => file(`${index}.ts`, null, 'x\n'));
    const changes = {isRunning: false, turn: {written: many, reported: []}, session: undefined};
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
