import {describe, expect, test} from 'vitest';
import {
  markFound,
  rowsWith,
  drawViewer,
  type ViewerContent,
} from '../../../components/viewer/viewer-lines.ts';
import {createTranscriptLines} from '../../../components/viewer/transcript-lines.ts';
import {readingOverlay} from '../../../src/app/pickers/passage-picker.ts';
import {openedViewer} from '../../../src/app/pages/viewer.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import {fold, opened, prompted, says, update} from '../../unit/session/build.ts';
import {colorDraw, plainDraw} from '../draw.ts';
import type {Viewer} from '../../../src/app/pages/viewer-state.ts';

const numbered = (count: number) => Array.from({length: count}, (_, line) => `line ${line + 1}`);
const draw = plainDraw({columns: 100});

const pager = (
  lines: readonly string[],
  changes: Partial<Viewer> = {},
  view: Partial<ViewerContent> = {},
) => {
  const viewer = {...openedViewer, ...changes};
  const hits = rowsWith(lines, viewer.search);
  return drawViewer(
    {
      lines,
      foldable: [],
      beginnings: new Map((view.foldable ?? []).map(({id, row}) => [id, row])),
      viewer,
      hits,
      rows: 12,
      news: undefined,
      ...view,
    },
    draw,
  );
};
const at = (firstRow: number, totalRows = 50) => ({scroll: {firstRow, visibleRows: 10, totalRows}});

describe('the pager', () => {
  test('opens at the end, fills all rows but one, and says where it is', () => {
    const {lines, drawn} = pager(numbered(50));
    expect(lines).toHaveLength(11);
    expect(lines.slice(-2)[0]).toBe('line 50');
    expect(lines.at(-1)).toMatch(/^Lines 41 to 50 of 50 · q or Esc close · \/ search/);
    expect(drawn).toEqual({firstRow: 40, visibleRows: 10, totalRows: 50});
  });

  test('stays at the end when more comes, and in its place elsewhere', () => {
    const first = (firstRow: number) => pager(numbered(60), at(firstRow)).drawn.firstRow;
    expect([first(40), first(39), first(0)]).toEqual([50, 39, 0]);
  });

  test('tells what waits, and shows little in full', () => {
    const {lines} = pager(['one'], {}, {rows: 5, news: 'A request needs your answer'});
    expect(lines.slice(0, 3)).toEqual(['one', '', '']);
    expect(lines.at(-1)).toContain('A request needs your answer');
  });

  test('marks what is looked for wherever it stands, and says which of how many this is', () => {
    const colored = colorDraw({columns: 60});
    const hit = colored.paint.hit;
    expect(markFound('An ant and \x1b[31mANother\x1b[39m', 'an', colored)).toBe(
      `${hit('An')} ${hit('an')}t ${hit('an')}d ${hit('AN')}other`,
    );
    const {lines} = pager(numbered(50), {...at(20), search: 'LINE 2', hit: 24});
    expect(lines.at(-1)).toContain('/LINE 2  7 of 11');
    expect(pager(numbered(50), {search: 'nothing', typingFrom: 0}).lines.at(-1)).toBe('/nothing  not found');
  });

  test('begins where a stored session is to be read from', () => {
    const session = fold(opened, prompted('hi'), update(says('The whale.')));
    const overlay = readingOverlay(session, {entry: 1, search: 'whale'});
    const viewer = overlay.kind === 'transcript' ? overlay : openedViewer;
    const beginnings = new Map([
      ['0', 0],
      ['1', 25],
    ]);
    expect(pager(numbered(60), viewer, {beginnings}).drawn.firstRow).toBe(25);
  });

  test('keeps what is folded where it is when rows above it go', () => {
    const foldable = [
      {id: 'a', row: 5, rows: 1},
      {id: 'b', row: 8, rows: 20},
    ];
    const {drawn} = pager(numbered(60), {...at(20), anchor: {id: 'b', above: -3}}, {foldable});
    expect(drawn.firstRow).toBe(5);
    expect(pager(numbered(60), at(12), {foldable}).foldable).toEqual({id: 'b', above: 4});
    expect(pager(numbered(60), at(40), {foldable}).foldable).toBeUndefined();
  });
});

test('a request that waits stands at the end of the transcript, with all of its command or diff', () => {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  const command = `echo ${'a long word '.repeat(20)}END`;
  const newText = numbered(300).join('\n');
  const ask = (id: string, toolCall: object) => {
    const request = {sessionId: 's', options: [], toolCall: {toolCallId: id, ...toolCall}};
    session = reduce(session, {type: 'permission_requested', id, request, at: 1});
  };
  ask('run', {title: 'Run it', kind: 'execute', rawInput: {command}});
  ask('edit', {
    title: 'Edit',
    kind: 'edit',
    content: [{type: 'diff', path: '/work/a', oldText: null, newText}],
  });
  const {lines} = createTranscriptLines()(session, plainDraw({extent: 'whole', columns: 60}));
  const from = lines.findIndex((line) => line.includes('Waiting for your answer'));
  const waiting = lines.slice(from).join('\n');
  expect(waiting).toMatch(/END[^]*line 300$/);
  expect(waiting.match(/\+ line \d+/g)).toHaveLength(300);
  // The card shows it all as well.
  expect(lines.slice(0, from).join('\n')).toContain('END');
});

test('folding shows an entry as the window does, and one at a time', () => {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  for (const id of ['a', 'b']) {
    const content = [
      {type: 'content' as const, content: {type: 'text' as const, text: numbered(40).join('\n')}},
    ];
    const update = {sessionUpdate: 'tool_call' as const, toolCallId: id, title: id, content};
    session = reduce(session, {type: 'session_update', update, at: 1});
  }
  const draws = createTranscriptLines();
  const whole = plainDraw({extent: 'whole'});
  const [one, other] = draws(session, whole).foldable;
  const rows = (folded: readonly string[]) =>
    draws(session, whole, (id) => folded.includes(id)).foldable.map((each) => each.rows);
  expect(rows([])).toEqual([41, 41]);
  expect(rows([one!.id])).toEqual([8, 41]);
  expect(rows([one!.id, other!.id])).toEqual([8, 8]);
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
  const {lines} = linesOf(session, whole);
  expect(lines.join('\n')).toMatch(/Hello\n\n {2}∴ line 1\n(?: {4}line \d+\n){19}\n.*Bye/);
  expect(linesOf(session, whole).lines).toEqual(lines);
});
