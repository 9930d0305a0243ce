import {copyFileSync, existsSync, mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {
  conversation,
  databaseIn,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  valueOf,
} from '../stores.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Stores a session whose last activity was at this time; returns its ID. */
function stored(store: SessionStore, at: number): string {
  const events = conversation([[`prompt ${at}`, 'answer']]);
  return storeConversation(
    store,
    events.map((event) => Object.assign(event, {at})),
  );
}

const kept = (store: SessionStore) => valueOf(store.list({include: 'archived'})).map(({id}) => id);

test('sessions older than the limit are deleted, but not open and archived ones', () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const now = 100 * DAY;
  const [old, archived, young] = [stored(store, DAY), stored(store, DAY), stored(store, 95 * DAY)] as const;
  valueOf(store.archive(archived));
  const open = valueOf(store.record(origin));
  playConversation(open, conversation([['open', 'yes']]));
  expect(valueOf(store.prune({keepDays: 10}, now)).map(({id}) => id)).toEqual([old]);
  expect(kept(store).sort()).toEqual([archived, young, open.id() ?? ''].sort());
  expect(existsSync(join(folder, 'sessions', `${old}.ndjson`))).toBe(false);
  expect(valueOf(store.search('prompt'))).toHaveLength(2);
});

test('the oldest sessions are deleted when all exceed the limit', () => {
  const store = storeIn(temporaryFolder());
  const ids = [1, 2, 3, 4].map((day) => stored(store, day * DAY));
  const [{bytes} = {bytes: 0}] = valueOf(store.list());
  expect(
    valueOf(store.prune({maxBytes: 2.5 * bytes}, 5 * DAY))
      .map(({id}) => id)
      .sort(),
  ).toEqual(ids.slice(0, 2).sort());
  expect(kept(store)).toEqual(ids.slice(2).reverse());
});

test('it goes on after a day on which the clock was ahead', () => {
  const store = storeIn(temporaryFolder());
  expect(valueOf(store.prune({}, 1000 * DAY))).toEqual([]);
  const id = stored(store, DAY);
  expect(valueOf(store.prune({keepDays: 10}, 50 * DAY)).map((session) => session.id)).toEqual([id]);
});

test('below the limits everything stays, and it checks once a day', () => {
  const store = storeIn(temporaryFolder());
  const id = stored(store, DAY);
  expect(valueOf(store.prune({}, 1000 * DAY))).toEqual([]);
  expect(valueOf(store.prune({keepDays: 1}, 1000.5 * DAY))).toEqual([]);
  expect(valueOf(store.prune({keepDays: 1}, 1001 * DAY)).map((session) => session.id)).toEqual([id]);
});

test('a deleted session that is open is not removed, and does not replace another file when it is restored', () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const id = stored(store, DAY);
  valueOf(store.record({...origin, continues: id}));
  // As an earlier version left it.
  mkdirSync(join(folder, 'sessions', 'deleted'));
  copyFileSync(join(folder, 'sessions', `${id}.ndjson`), join(folder, 'sessions', 'deleted', `${id}.ndjson`));
  valueOf(databaseIn(folder).use((sql) => sql.run('UPDATE sessions SET deleted_at = 1')));
  valueOf(store.prune({}, 2 * DAY));
  expect(valueOf(store.list({include: 'deleted'}))).toMatchObject([{id, status: 'open'}]);
  expect(store.restore(id)).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
  expect(existsSync(join(folder, 'sessions', `${id}.ndjson`))).toBe(true);
});

test('deleted sessions can be restored for a day', () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  const [one, other] = [stored(store, DAY), stored(store, DAY)] as const;
  valueOf(store.delete(one));
  valueOf(store.delete(other));
  valueOf(store.prune({}, Date.now() + DAY / 2));
  valueOf(store.restore(one));
  valueOf(store.prune({}, Date.now() + 2 * DAY));
  expect(store.restore(other)).toMatchObject({ok: false, failure: {kind: 'unknown_value'}});
  expect(readdirSync(join(folder, 'sessions', 'deleted'))).toEqual([]);
  expect(kept(store)).toEqual([one]);
});
