import {expect, onTestFinished, test, vi} from 'vitest';
import {openService, says} from './open-service.ts';

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

test.each([
  ['that shows it', () => undefined],
  ['that only starts it', undefined],
])('a session without a prompt ends if a client %s is gone before it is prepared', async (_, onEvents) => {
  const {begun, goOn, onPrepare} = heldPreparation();
  const {given, inProcess} = await openService({}, {onPrepare});
  const sessions = inProcess();
  const client = sessions.connect();
  const starting = client.start({given, environment: {}}, onEvents);
  await begun;
  client.close();
  goOn();
  expect(await starting).toMatchObject({ok: true});
  await expect.poll(() => client.list()).toEqual([]);
});

test('a session with a prompt runs without the client that is gone before it is prepared', async () => {
  const {begun, goOn, onPrepare} = heldPreparation();
  const {given, inProcess} = await openService({turns: [[says('done')]]}, {onPrepare});
  const sessions = inProcess();
  onTestFinished(() => sessions.end());
  const client = sessions.connect();
  const starting = client.start({given, prompt: 'go', environment: {}}, () => undefined);
  await begun;
  client.close();
  goOn();
  await starting;
  await expect.poll(() => client.list()).toMatchObject([{title: 'go', doing: 'idle', windows: 0}]);
});

test('a stored session is resumed once: another client is refused while it is prepared', async () => {
  const {begun, goOn, onPrepare} = heldPreparation();
  const {given, inProcess} = await openService({}, {onPrepare});
  const sessions = inProcess();
  onTestFinished(() => sessions.end());
  const client = sessions.connect();
  const resume = (id: string) =>
    client.start({given: {...given, resumeRequest: {which: 'named', id}}, environment: {}});
  const first = resume('one');
  await begun;
  expect(await resume('one')).toMatchObject({ok: false, failure: {why: 'it runs'}});
  const other = resume('other');
  goOn();
  expect([await first, await other]).toMatchObject([{ok: true}, {ok: true}]);
});
