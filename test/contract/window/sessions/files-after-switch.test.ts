import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {insertText} from '../../../../src/app/editor/insert.ts';
import {emptyDraft} from '../../../../src/app/editor/draft.ts';
import {createTab, initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {syncFileIndex} from '../../../../src/window/file-index-sync.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** A session in a folder with one file, in whose prompt an `@` has just been typed. */
function typingIn(key: string) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, `${key}.ts`), '');
  const session = initialSession({cwd, additionalDirectories: [], at: 0});
  const draft = {...insertText(emptyDraft, '@'), last: 'typing'} as const;
  return {start: {key, agentLabel: 'Some', session, approval: 'none'} as const, draft};
}

test('lists the files of the session on the screen, whose prompt ends like that of the one before', async () => {
  const [one, other] = [typingIn('one'), typingIn('other')];
  const store = createStore(reduceApp, initialApp({session: one.start, theme: 'dark'}));
  store.dispatch({type: 'session_added', key: 'other', tab: createTab(other.start)});
  for (const {start, draft} of [one, other])
    store.dispatch({type: 'draft_changed', key: start.key, draft, at: 0});
  const sync = syncFileIndex(store);
  const listed = () => store.latest().files?.items.map(({path}) => path);
  sync();
  await expect.poll(listed).toEqual(['one.ts']);
  store.dispatch({type: 'session_activated', key: 'other'});
  sync();
  expect(listed()).toBeUndefined();
  await expect.poll(listed).toEqual(['other.ts']);
});
