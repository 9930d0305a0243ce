import {expect, test} from 'vitest';
import {previewOf} from '../../../../src/window/sessions/session-rows.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {conversation, databaseIn, storeConversation, storeIn, turn, valueOf} from '../stores.ts';

test('the end of a session is read without its old parts, and equals the whole', async () => {
  const store = storeIn(temporaryFolder());
  const long = 'word '.repeat(2_000);
  const id = storeConversation(store, [
    ...conversation([
      ['first', long],
      ['second', long],
    ]),
    ...turn(3, 'third', 'and now the end'),
  ]);
  const [whole, end] = [valueOf(await store.state(id)), valueOf(await store.end(id))];
  expect(previewOf(end)).toBe(previewOf(whole));
  expect(previewOf(end)).toContain('> third\n\nand now the end');
  expect(end.entries.length).toBeLessThan(whole.entries.length);
});

test('catching up reports its progress', async () => {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  for (const prompt of ['one', 'two']) storeConversation(store, conversation([[prompt, 'yes']]));
  valueOf(databaseIn(folder).use((sql) => sql.run('DELETE FROM sessions')));
  const reported: string[] = [];
  expect(valueOf(await store.reindex((read, of) => void reported.push(`${read} of ${of}`)))).toBe(2);
  expect(reported).toEqual(['1 of 2', '2 of 2']);
});
