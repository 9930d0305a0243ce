import {constants} from 'node:os';
import {expect, test} from 'vitest';
import {changeAt} from '../../../src/settings/settings.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

/** Isolated, since conf adds its listeners when it is loaded. */
test('changing a setting leaves no listener for signals behind', async () => {
  const listeners = () =>
    Object.keys(constants.signals).map((name) => [name, process.listenerCount(name)] as const);
  const before = listeners();
  expect(await changeAt(temporaryFolder(), ['theme'], 'dark')).toMatchObject({ok: true});
  expect(listeners()).toEqual(before);
});
