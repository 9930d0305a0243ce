import {describe, expect, test} from 'vitest';
import {contentItems} from '../../../../src/session/content/content-items.ts';
import {diffCounts} from '../../../../src/session/labels/labels.ts';
import {createNamedFiles} from '../../../../src/session/transcript/named-files.ts';
import {reportedDiffs, withFileChange, type FileChange} from '../../../../src/session/transcript/diffs.ts';
import {
  calls,
  ended,
  only,
  opened,
  prompted,
  reduceEvents,
  reduceUpdates,
  text,
} from '../../../support/session/build.ts';

/** A change of which no lines are shown, as version 2 reports it. */
function change(does: FileChange['does'], path: string, oldPath?: string) {
  const said = {type: 'content' as const, content: text(`${does} ${path}`)};
  return withFileChange(said, {does, path, ...(oldPath !== undefined && {oldPath})});
}

describe('a change that shows no lines', () => {
  const content = [
    change('delete', '/work/gone'),
    change('move', '/work/new', '/work/old'),
    change('copy', '/work/twin', '/work/one'),
    change('edit', '/work/logo.png'),
    change('other', '/'),
  ];
  const running = reduceUpdates(
    reduceEvents(opened, prompted('go')),
    calls('c', {title: 'Clean up', kind: 'edit', status: 'completed', content}),
  );
  const session = reduceEvents(running, ended('end_turn'));

  test('counts among the files of its turn', () => {
    expect(only(session, 'turn_end')).toMatchObject({summary: {changedFiles: 4}});
  });

  test('is among the reported changes, as what it is', () => {
    const reported = reportedDiffs(session);
    expect(reported.map(({diff}) => diff.path)).toEqual([
      '/work/gone',
      '/work/new',
      '/work/twin',
      '/work/logo.png',
    ]);
    const counts = reported.map(({diff, kind}) => diffCounts(diff, {minus: '-', kind}));
    expect(counts).toEqual(['deleted', 'moved', 'copied', 'changed']);
  });

  test('names its files: a moved one at both places, a copied one only where it is new', () => {
    const isNamed = createNamedFiles(session, 1);
    expect(['gone', 'old', 'new', 'twin', 'one', 'logo.png'].filter(isNamed)).toEqual([
      'gone',
      'old',
      'new',
      'twin',
      'logo.png',
    ]);
  });

  test('can be opened where it is', () => {
    const places = contentItems(session).filter(({kind}) => kind === 'location');
    expect(places.map(({target}) => target)).toEqual(expect.arrayContaining(['/work/new', '/work/logo.png']));
  });
});
