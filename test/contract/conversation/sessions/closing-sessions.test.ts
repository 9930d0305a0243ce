import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {optionsOfNew} from '../../../../src/window/sessions/options-beside.ts';
import {createCommandLibrary} from '../../../../src/conversation/prompt/command-library.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {agentDefaults} from '../conversation-defaults.ts';
import {FIRST, openWindow} from '../open-window.ts';

/** Unhandled rejections during the test. */
function unhandled(): readonly unknown[] {
  const caught: unknown[] = [];
  const listener = (error: unknown) => void caught.push(error);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return caught;
}

test('a closed session leaves the window at once, and its agent stops in the background', async () => {
  const mark = join(temporaryFolder(), 'tidied-up');
  const window = await openWindow('echo');
  await window.converse(FIRST, 'one');
  const second = await window.open('lingers', mark);
  await window.converse(second, 'hello');
  window.sessions.close(second);
  expect(window.session(second)).toBeUndefined();
  expect(window.store.latest().active).toBe(FIRST);
  expect(existsSync(mark)).toBe(false);
  await window.sessions.closeAll();
  expect(existsSync(mark)).toBe(true);
});

test('effects for a closed session are dropped and logged', async () => {
  const rejected = unhandled();
  const window = await openWindow('echo');
  await window.converse(FIRST, 'one');
  const second = await window.open('lingers', join(temporaryFolder(), 'mark'));
  await window.converse(second, 'hello');
  window.sessions.close(second);
  window.sessions.close(second);
  window.sessions.perform({kind: 'edit_unsent', key: second, id: 'prompt-0'});
  window.sessions.perform({kind: 'call', key: second, action: 'cancel', args: []});
  window.prompt(second, 'too late');
  await window.converse(FIRST, 'still here');
  expect(window.log).toContain(`edit_unsent dropped: session ${second} is closed`);
  expect(window.log).toContain(`cancel dropped: session ${second} is closed`);
  await window.sessions.closeAll();
  expect(rejected).toEqual([]);
});

test('closing the only session opens a new one', async () => {
  const window = await openWindow('lingers', join(temporaryFolder(), 'mark'));
  await window.converse(FIRST, 'hello');
  window.sessions.close(FIRST);
  expect(window.session(FIRST)).toBeUndefined();
  const {active} = window.store.latest();
  await window.until(() => window.session(active)?.session.connection.kind === 'ready');
});

/** A window in whose session no prompt was sent: one waits there. */
async function waitingWindow() {
  const window = await openWindow('echo');
  await window.sessions.clientOf(FIRST).changeQueue({kind: 'hold', isHeld: true});
  window.prompt(FIRST, 'drop the tables');
  await window.until(() => window.session(FIRST)?.session.queue.prompts.length === 1);
  return window;
}

test('a prompt that waits in a session that has not begun is not sent to another one that is opened', async () => {
  const window = await waitingWindow();
  const other = await window.openWith({cwd: temporaryFolder()}, 'echo');
  await window.converse(other, 'hello');
  expect(window.said(other)).toBe('hello');
  expect(window.session(FIRST)?.session.queue.prompts).toMatchObject([{text: 'drop the tables'}]);
});

test('it goes on in the session that was chosen to take the place of its own', async () => {
  const window = await waitingWindow();
  const options = optionsOfNew(window.sessions.optionsOf(FIRST), () => agentDefaults);
  await window.sessions.open({options, takesQueue: true});
  const {active} = window.store.latest();
  await window.until(() => window.said(active) === 'drop the tables');
  expect(window.session(FIRST)).toBeUndefined();
});

test('it is not sent in the session that takes the place of one that was closed', async () => {
  const window = await waitingWindow();
  window.sessions.close(FIRST);
  const {active} = window.store.latest();
  await window.until(() => window.session(active)?.session.connection.kind === 'ready');
  await window.converse(active, 'hello');
  expect(window.said(active)).toBe('hello');
  expect(window.session(FIRST)).toBeUndefined();
});

test('a session of the background service that is not used is left, not ended, when another one is opened', async () => {
  const window = await openWindow('echo');
  await window.converse(FIRST, 'one');
  const happened: string[] = [];
  const actions = Object.assign({}, window.sessions.clientOf(FIRST), {
    close: async () => void happened.push('ended'),
  });
  const session = initialSession({cwd: '/', additionalDirectories: [], at: 0});
  const leave = async () => void happened.push('left');
  const attached = {session, id: () => 'shown', follow: () => actions, leave};
  await window.sessions.open({options: window.sessions.optionsOf(FIRST), attached});
  await window.open('echo');
  await expect.poll(() => happened).toEqual(['left']);
});

test('a failing effect is reported in its session and in the log, and the window keeps working', async () => {
  const rejected = unhandled();
  const window = await openWindow('echo');
  const client = window.sessions.clientOf(FIRST);
  Object.assign(client, {
    planUndo: () => Promise.reject(new Error('planted rejection')),
    setMode() {
      throw new Error('planted exception');
    },
  });
  window.sessions.perform({kind: 'plan_undo', key: FIRST});
  window.sessions.perform({kind: 'call', key: FIRST, action: 'setMode', args: ['any']});
  await window.until(() => window.notices(FIRST).length === 2);
  expect(window.notices(FIRST)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('planted rejection'),
      expect.stringContaining('planted exception'),
    ]),
  );
  expect(window.log.filter((line) => /planted .*\n +at /.test(line))).toHaveLength(2);
  await window.converse(FIRST, 'still here');
  expect(rejected).toEqual([]);
});

test('a prompt that fails to send is queued again, and the next one is sent', async () => {
  const window = await openWindow('echo');
  const folder = temporaryFolder();
  const command = {name: 'it', description: '', from: 'a test', prompt: 'x'};
  const askFirst = {file: 'it.md', hash: ''};
  const key = await window.openWith(
    {
      customCommands: {
        ...createCommandLibrary({config: folder, state: folder, home: folder}),
        list: async () => ({commands: [{...command, askFirst}], unusable: [], problems: []}),
        trust() {
          throw new Error('planted');
        },
      },
    },
    'echo',
  );
  await window.until(() => window.session(key)?.session.customCommands.length === 1);
  window.prompt(key, '/it');
  await window.until(() => window.session(key)?.session.pending.length === 1);
  const [asked] = window.session(key)!.session.pending;
  void window.sessions.clientOf(key).answer(asked!.id, {kind: 'option', index: 0});
  await window.until(() => window.session(key)?.session.queue.isSending === false);
  expect(window.session(key)?.session.queue).toMatchObject({isPaused: true, prompts: [{text: '/it'}]});
  expect(window.notices(key)).toEqual([expect.stringContaining('planted')]);
  await window.converse(key, 'second');
});
