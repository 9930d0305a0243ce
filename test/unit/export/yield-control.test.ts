import {expect, test} from 'vitest';
import {EXPORT_NAMES} from '../../../src/export/format.ts';
import {EXPORT_FORMATS} from '../../../src/export/formats.ts';
import {reduceEvents, opened, says, update} from '../../support/session/build.ts';
import {exportDocument} from '../../support/session/everything.ts';

test.each(EXPORT_NAMES)('writing as %s can be paused between any two entries', async (name) => {
  const entries = Array.from({length: 20}, (_, id) => update(says('words', `m${id}`)));
  let asked = 0;
  await EXPORT_FORMATS[name].write(exportDocument(reduceEvents(opened, ...entries)), () => {
    asked++;
    return undefined;
  });
  expect(asked).toBeGreaterThanOrEqual(entries.length - 1);
});
