import {expect, test} from 'vitest';
import {ALLOW, openStage, REFUSE} from './stage.ts';

test('a read that was allowed does not let the file be written', async () => {
  const {cwd, asks, requests, answers, files, logged} = await openStage({files: {'notes.md': 'mine'}});
  const path = `${cwd}/notes.md`;
  const reading = asks({title: 'Read notes.md', kind: 'read', locations: [{path}]});
  const read = await answers(ALLOW);
  expect(await reading).toBe('yes');
  const writing = requests('fs/write_text_file', {path, content: 'theirs'});
  const drawn = await answers(REFUSE);
  expect(await writing).toMatchObject({code: -32603});
  expect(read.shows('theirs')).toBe(false);
  expect(drawn.shows('theirs')).toBe(true);
  expect(files()).toEqual({'notes.md': 'mine'});
  expect(logged()).toMatchObject([
    {method: 'session/request_permission', kind: 'read', outcome: 'allowed', by: 'user'},
    {method: 'fs/write_text_file', outcome: 'rejected', by: 'user', paths: [path]},
  ]);
});
