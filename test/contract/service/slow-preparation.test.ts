import {expect, onTestFinished, test, vi} from 'vitest';
import {openService} from './open-service.ts';

/** A preparation of sessions that lasts until it is let go on. */
function heldPreparation() {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    goOn: held.resolve,
    onPrepare: () => {
      begun.resolve();
      return held.promise;
    },
  };
}

test('the service does not end while its first session is prepared', async () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const {begun, goOn, onPrepare} = heldPreparation();
  const {start, client} = await openService({}, {lingerMs: 60_000, onPrepare});
  const starting = start('go');
  await begun;
  vi.advanceTimersByTime(60_000);
  goOn();
  const id = await starting;
  expect(await (await client()).list()).toMatchObject([{id}]);
});
