import {expect, test} from 'vitest';
import {turnsWithoutSnapshot} from '../../../src/snapshots/snapshot-log.ts';

const taken = (turn: number, when: 'before' | 'after' | 'saved') => ({session: 's', turn, when, at: turn});

test.each([
  ['none of the turns of a session has one', [], [6, 7, 8]],
  ['the first turns have none', [taken(8, 'before')], [6, 7]],
  ['the end of the first turn has none', [taken(6, 'before'), taken(7, 'before'), taken(7, 'after')], [6, 8]],
])('%s', (_, snapshots, turns) => {
  expect(turnsWithoutSnapshot(snapshots, {firstTurn: 6, turn: 8})).toEqual(turns);
});

test.each([
  ['nothing is known of a session without any', [], []],
  // The turns are numbered on when another session is opened in a window.
  ['the turns of an earlier session are not its own', [taken(8, 'before'), taken(8, 'after')], []],
  ['nor is the last of them, after which files were restored', [taken(7, 'saved'), taken(8, 'before')], []],
  ['a turn that has only one of its end has begun without', [taken(7, 'after'), taken(8, 'before')], [7]],
  ['one between two others has none', [taken(6, 'before'), taken(6, 'after'), taken(8, 'before')], [7]],
])('%s', (_, snapshots, turns) => {
  expect(turnsWithoutSnapshot(snapshots, {turn: 8})).toEqual(turns);
});
