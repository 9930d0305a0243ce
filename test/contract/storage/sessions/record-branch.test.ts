import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {recordSession} from '../../../../src/storage/sessions/record-session.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {conversation, origin, playConversation, storeIn, turn, valueOf} from '../stores.ts';

/** A command of the user's shell. */
const command: SessionEvent[] = [
  {type: 'terminal_created', terminalId: 't', command: 'git switch', cwd: '/', pty: true, at: 2000},
  {type: 'terminal_exited', terminalId: 't', exit: {code: 0, signal: null}, at: 2001},
];

test('a session is listed with the branch as it is after each turn and command', () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.git'));
  const checkOut = (branch: string) => writeFileSync(join(cwd, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
  const store = storeIn(temporaryFolder());
  const branch = () => valueOf(store.list())[0]?.branch;
  checkOut('main');
  const {recorder} = valueOf(recordSession(store, {...origin, cwd}));
  const begun = playConversation(recorder, conversation([['Why?', 'Because.']]));
  expect(branch()).toBe('main');
  checkOut('of-the-user');
  const ran = playConversation(recorder, command, begun);
  expect(branch()).toBe('of-the-user');
  checkOut('of-the-agent');
  playConversation(recorder, turn(2, 'And now?', 'Still.'), ran);
  expect(branch()).toBe('of-the-agent');
  recorder.close();
});
