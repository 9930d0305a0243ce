import {describe, expect, test} from 'vitest';
import {drawPager} from '../../components/pager/pager-lines.ts';
import {createTranscriptLines} from '../../components/pager/transcript-lines.ts';
import {unscrolled} from '../../src/app/scroll.ts';
import {initialSession} from '../../src/session/initial.ts';
import {reduce} from '../../src/session/reduce.ts';
import {plainDraw} from './draw.ts';

const numbered = (count: number) => Array.from({length: count}, (_, line) => `line ${line + 1}`);
const draw = plainDraw({columns: 100});

describe('the pager', () => {
  test('opens at the end, fills all rows but one, and says where it is', () => {
    const {lines, drawn} = drawPager(
      {lines: numbered(50), scroll: unscrolled, rows: 12, news: undefined},
      draw,
    );
    expect(lines).toHaveLength(11);
    expect(lines.slice(-2)[0]).toBe('line 50');
    expect(lines.at(-1)).toMatch(/^Lines 41 to 50 of 50 · .*q or Esc closes$/);
    expect(drawn).toEqual({firstRow: 40, visibleRows: 10, totalRows: 50});
  });

  test('stays at the end when more comes, and in its place elsewhere', () => {
    const first = (firstRow: number) => {
      const scroll = {firstRow, visibleRows: 10, totalRows: 50};
      return drawPager({lines: numbered(60), scroll, rows: 12, news: undefined}, draw).drawn.firstRow;
    };
    expect([first(40), first(39), first(0)]).toEqual([50, 39, 0]);
  });

  test('tells what waits, and shows little in full', () => {
    const {lines} = drawPager(
      {lines: ['one'], scroll: unscrolled, rows: 5, news: 'A request waits for you'},
      draw,
    );
    expect(lines.slice(0, 3)).toEqual(['one', '', '']);
    expect(lines.at(-1)).toContain('A request waits for you');
  });
});

test('the transcript is everything that was said, with thoughts opened, and only draws what changed', () => {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const text = (value: string) => ({type: 'text' as const, text: value});
  const say = (sessionUpdate: 'agent_thought_chunk' | 'user_message_chunk', value: string) => {
    const update = {sessionUpdate, content: text(value)};
    session = reduce(session, {type: 'session_update', update, at: 1});
  };
  say('user_message_chunk', 'Hello');
  say('agent_thought_chunk', numbered(20).join('\n'));
  say('user_message_chunk', 'Bye');
  const linesOf = createTranscriptLines();
  const whole = plainDraw({extent: 'whole'});
  const lines = linesOf(session, whole);
  expect(lines.join('\n')).toMatch(/Hello\n\n∴ line 1\n(?: {2}line \d+\n){19}\n.*Bye/);
  expect(linesOf(session, whole)).toEqual(lines);
});
