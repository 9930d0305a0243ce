import {expect, test} from 'vitest';
import type {PlacedChunk} from '../../../../components/chunks/chunks.ts';
import type {ProjectionLimits} from '../../../../components/inline/projector.ts';
import {createProjectors} from '../../../../components/inline/feed.ts';
import {conversation, ended, prompt, says} from '../../../support/session/conversation.ts';

const limits: ProjectionLimits = {
  heightOf: () => 1,
  liveRows: 20,
  pageRows: 8,
  isAsked: () => false,
  canPrint: () => true,
  hasTime: () => true,
};

function sessionOf(text: string) {
  const talk = conversation();
  talk.report(prompt(1, 'Say it'), says(text), ended(1));
  return talk.session();
}

const texts = (pieces: readonly PlacedChunk[]) =>
  pieces.map(({chunk: piece}) => {
    if (piece.kind === 'block') return piece.block.source.trim();
    return piece.kind === 'entry' && piece.entry.type === 'notice' ? piece.entry.text : piece.kind;
  });

test('a session that is switched to is shown below its title with what was printed last of it', () => {
  const projectors = createProjectors(() => 'Ctrl+O');
  const one = {key: 'one', title: 'One', session: sessionOf('first\n\nsecond\n\nthird\n\nfourth\n')};
  const two = {key: 'two', title: 'Two', session: sessionOf('other\n')};
  const shown = (open: typeof one, rows = limits) => projectors.update(open, rows).committed;
  expect(texts(shown(one))).toContain('first');
  expect(texts(shown(two))).toEqual(['Session: Two', 'entry', 'other', 'entry']);
  const again = texts(shown(one));
  expect(again).toEqual(['Session: One', 'second', 'third', 'fourth', 'entry']);
  expect(shown(one)).toEqual([]);
});

test('a piece that is too tall for the screen shows its end', () => {
  const projectors = createProjectors(() => 'Ctrl+O');
  const one = {key: 'one', title: 'One', session: sessionOf('first\n')};
  const two = {key: 'two', title: 'Two', session: sessionOf('other\n')};
  for (const open of [one, two]) projectors.update(open, limits);
  const {committed} = projectors.update(one, {...limits, heightOf: () => 100});
  expect(committed).toHaveLength(2);
  expect(committed[1]?.lastRows).toBe(6);
});

test('of a long session only the end is printed, below a line that says how to see the rest', () => {
  const talk = conversation();
  for (let turn = 1; turn <= 100; turn++)
    talk.report(prompt(turn, 'Say it'), says(`answer ${turn}`), ended(turn));
  const open = {key: 'one', title: 'One', session: talk.session()};
  const projectors = createProjectors(() => 'Ctrl+O');
  const shown = texts(projectors.update(open, limits).committed);
  expect(shown[0]).toBe('100 earlier entries are not printed; Ctrl+O shows all.');
  expect(shown.filter((text) => text.startsWith('answer'))).toHaveLength(67);
  expect(projectors.update(open, limits).committed).toEqual([]);
  // No key shows the rest once the window is closed.
  const finished = texts(createProjectors(() => 'Ctrl+O').finish(open).committed);
  expect(finished[0]).toBe('100 earlier entries are not printed.');
});
