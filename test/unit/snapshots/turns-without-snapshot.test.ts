import {expect, test} from 'vitest';
import {turnsWithoutSnapshot} from '../../../src/snapshots/snapshot-log.ts';

const taken = (turn: number, when: 'before' | 'after' | 'saved') => ({session: 's', turn, when, at: turn});

test.each([
  ['nothing is known of a session without any', [], []],
  // The turns are numbered on when another session is opened in a window.
  ['the turns of an earlier session are not its own', [taken(8, 'before'), taken(8, 'after')], []],
  ['nor is the last of them, after which files were restored', [taken(7, 'saved'), taken(8, 'before')], []],
  ['a turn that has only one of its end has begun without', [taken(7, 'after'), taken(8, 'before')], [7]],
  ['one between two others has none', [taken(6, 'before'), taken(6, 'after'), taken(8, 'before')], [7]],
])('%s', (_, snapshots, turns) => {
  expect(turnsWithoutSnapshot(snapshots, 8)).toEqual(turns);
});
