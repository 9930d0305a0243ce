import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {initialApp} from '../../../../src/app/initial.ts';
import {reduceApp} from '../../../../src/app/reduce.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {createStore} from '../../../../src/shared/store.ts';
import {recordWindow} from '../../../../src/window/sessions/record-window.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {conversation, origin, storeIn} from '../../storage/stores.ts';

test('what is drawn is in the file before, also when both are due in the same turn of the event loop', () => {
  const state = temporaryFolder();
  const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
  const store = createStore(
    reduceApp,
    initialApp({session: {key: 'one', agentLabel: 'some', session, approval: 'none'}, theme: 'dark'}),
  );
  const drawn: string[] = [];
  const stored = () => globSync(join(state, 'sessions/*')).map((file) => readFileSync(file, 'utf8'));
  const recording = recordWindow(store, storeIn(state));
  store.subscribe(() => drawn.push(stored().join('')));
  recording.begin('one', origin);
  const events = conversation([['Why?', 'Because.']]);
  // The end of the turn is written at once anyway.
  const answered = events.findIndex((event) => JSON.stringify(event).includes('Because.'));
  for (const event of events.slice(0, answered + 1))
    store.dispatch({type: 'session', key: 'one', event, at: 0}, 'urgent');
  expect(drawn.at(-1)).toContain('Because.');
  recording.close();
});
