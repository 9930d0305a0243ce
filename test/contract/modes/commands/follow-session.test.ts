import {mkdirSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import type {Script, ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {createOutputStyle} from '../../../../src/cli/output-style.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {asks, openService, says} from '../../service/open-service.ts';
import {conversation, origin, storeIn, valueOf, playConversation} from '../../storage/stores.ts';
import {sessions} from './context.ts';
import {storeWith} from './stored.ts';

const TOKEN = `ghp_${'x1'.repeat(18)}`;
const KEY = ['-----BEGIN PRIVATE KEY-----', 'TUlJRXZR', '-----END PRIVATE KEY-----'];

/** A service with a session of this script, its window, and `acp-tui sessions logs` with the session's id. */
async function runs(script: Script) {
  const service = await openService(script);
  const id = await service.start('go');
  const window = await service.attach(id);
  const submit = (text: string) =>
    window.actions.changeQueue({
      kind: 'submit',
      prompt: {text, content: [{type: 'text', text}]},
      place: 'last',
    });
  const logs = (...argv: readonly string[]) => {
    let text = '';
    const stdout = {
      write: (more: string) => (text += more),
      columns: undefined,
      style: createOutputStyle({isTerminal: false}),
    };
    const ended = sessions(storeIn(service.state), ['logs', id.slice(0, 6), ...argv], {
      state: service.state,
      stdout,
    });
    return {ended, text: () => text};
  };
  const stop = async () => (await service.client()).stop(id);
  const {state} = service;
  const command = (...argv: readonly string[]) => sessions(storeIn(state), argv, {state});
  return {id, window, submit, logs, stop, command};
}

const isIdle = ({turn, lastTurn}: SessionState) => turn.kind === 'idle' && lastTurn !== undefined;

const ran: ScriptStep = {
  update: {sessionUpdate: 'tool_call', toolCallId: 'ran', title: 'Run tests', status: 'completed'},
};

test('prints a session of the background, then what happens in it, until it ends', async () => {
  const {id, window, submit, logs, stop} = await runs({
    turns: [
      [says('One, '), ...asks('p'), says('two.'), ran, says('Three.')],
      [says('Four.'), {stop: {stopReason: 'refusal'}}],
      [{fail: {code: -32603, message: 'broken'}}],
    ],
  });
  await window.until(({pending}) => pending.length === 1);
  const {ended, text} = logs('-f');
  await expect.poll(text).toContain('needs you: Allow Run p?');
  void window.actions.answer(window.state().pending[0]?.id ?? '', {kind: 'option', index: 0});
  await window.until(isIdle);
  for (const prompt of ['once\nmore', 'and again']) {
    await submit(prompt);
    await window.until(({lastTurn}) => lastTurn?.turn === (prompt === 'once\nmore' ? 2 : 3));
  }
  await stop();
  expect(await ended).toMatchObject({exitCode: 0, stderr: ''});
  const [soFar = '', followed] = text().split(/(?=needs you: )/);
  expect(soFar).toMatch(/^# go\n[^]*\n> go\n[^]*\nOne,\n/);
  expect(followed).toBe(
    [
      'needs you: Allow Run p?',
      `notice: acp-tui attach ${id} shows all of it.`,
      'two.',
      'tool: Run tests (done)',
      '',
      'Three.',
      'tool: Run p (pending)',
      '',
      '> once',
      '> more',
      '',
      'Four.',
      'notice: The agent refused to continue. This prompt and everything after it are not in its context: the next prompt starts without them.',
      '',
      '> and again',
      '',
      'error: The agent answered session/prompt with an error (-32603): broken.',
      '',
    ].join('\n'),
  );
});

test.each([
  ['masked', [], ['Half [masked] a', '[masked]', 'end.', 'notice: Cancelled', '']],
  [
    'shown with --with-secrets',
    ['--with-secrets'],
    [`Half ${TOKEN} a`, ...KEY, 'end.', 'notice: Cancelled', ''],
  ],
])('a message that comes in pieces is whole, and its credentials are %s', async (_, options, lines) => {
  const pieces = [`${TOKEN.slice(20)} a\n`, ...KEY.map((line) => `${line}\n`), 'end.'];
  const {window, logs, stop} = await runs({
    turns: [[says(`Half ${TOKEN.slice(0, 20)}`), {cancelled: true}, ...pieces.map(says)]],
  });
  await window.until(() => window.said() !== '');
  const {ended, text} = logs('--follow', ...options);
  await expect.poll(text).toContain('> go');
  expect(text()).not.toContain('Half');
  window.actions.cancel();
  await window.until(isIdle);
  await stop();
  await ended;
  expect(text().split('\n').slice(-lines.length)).toEqual(lines);
});

test('a command cancels the turn of a session in the background, and sends it a prompt', async () => {
  const {id, window, command} = await runs({turns: [[{cancelled: true}], [says('All done.')]]});
  await window.until(({turn}) => turn.kind === 'running');
  const done = {exitCode: 0, stdout: '', stderr: ''};
  expect(await command('cancel', id.slice(0, 6))).toEqual(done);
  await window.until(isIdle);
  expect(await command('cancel', id)).toEqual({...done, stderr: 'acp-tui: no turn is running\n'});
  expect(await command('send', id, 'go', 'on')).toEqual(done);
  await window.until(({lastTurn}) => lastTurn?.turn === 2);
  expect(window.said()).toContain('All done.');
  expect(await command('send', 'zz', 'go on')).toMatchObject({exitCode: 4});
  expect(await command('send', id)).toMatchObject({exitCode: 2});
});

test('a command that cannot be used is not sent to a session in the background', async () => {
  const {id, window, command} = await runs({turns: [[], []]});
  const config = temporaryFolder();
  vi.stubEnv('ACP_TUI_CONFIG_DIR', config);
  mkdirSync(join(config, 'commands'));
  writeFileSync(join(config, 'commands/gbad.md'), '');
  await window.until(isIdle);
  expect(await command('send', id, '/gbad a')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('It has no prompt.') as string,
  });
  expect(window.state().queue.prompts).toEqual([]);
  expect(await command('send', id, '//gbad a')).toMatchObject({exitCode: 0});
  await window.until(({lastTurn}) => lastTurn?.turn === 2);
});

test.each(['\u2028', '\u2029'])(
  'what contains %j is shown, exported and attached, once',
  async (separator) => {
    const service = await openService({turns: [[says(`before${separator}after`)]]});
    const id = await service.start(`one${separator}two`);
    const first = await service.attach(id);
    await first.until(isIdle);
    const second = await service.attach(id);
    expect([...second.state().entries]).toEqual([...first.state().entries]);
    for (const argv of [
      ['show', id],
      ['export', id],
    ]) {
      const {stdout} = await sessions(storeIn(service.state), argv, {state: service.state});
      for (const word of ['before', 'after']) expect(stdout.split(word)).toHaveLength(2);
      expect(stdout).toContain('two');
    }
  },
);

test('what a full disk keeps out of the file is shown and exported from the background', async () => {
  const disk = {isFull: false};
  const {start, attach, state} = await openService(
    {turns: [[...asks('p'), says('All done.')]]},
    {
      write(handle, data) {
        if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});
        return writeSync(handle, data);
      },
    },
  );
  const id = await start('go');
  const window = await attach(id);
  const {pending} = await window.until(({pending}) => pending.length === 1);
  disk.isFull = true;
  void window.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  await window.until(isIdle);
  for (const argv of [
    ['show', id],
    ['export', id],
  ])
    expect((await sessions(storeIn(state), argv, {state})).stdout).toContain('All done.');
});

test('a session that cannot be used is a failure', async () => {
  const {logs} = await runs({errors: {'session/new': {code: -32603, message: 'no place'}}});
  expect(await logs('-f').ended).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no place') as string,
  });
});

test('a session that is only stored is printed, and one that a window runs is not followed', async () => {
  const state = temporaryFolder();
  const {store, ids} = storeWith(state, {said: [['Hi', 'Hello.']]});
  const [id = ''] = ids;
  expect(await sessions(store, ['logs', '-f', id], {state})).toEqual(await sessions(store, ['show', id]));
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, conversation([['Hi', 'Hello.']], 'open'));
  expect(await sessions(store, ['logs', '-f', recorder.id() ?? ''], {state})).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `acp-tui: Cannot follow this session. It is open in another acp-tui (process ${process.pid}); /detach there lets it run in the background.\n`,
  });
  expect(await sessions(store, ['logs', '-f', 'zz'], {state})).toMatchObject({exitCode: 4});
});

test('goes on after the beginning of a private key that has no end', async () => {
  const lines = Array.from({length: 500}, (_, at) => `line ${at} of what the agent says about keys`);
  const text = ['The file begins with -----BEGIN PRIVATE KEY-----', ...lines, ''].join('\n\n');
  const {logs, stop, window} = await runs({
    turns: [[...asks('p'), says(text), ...asks('q'), says('So much for keys.\n\n')]],
  });
  await window.until(({pending}) => pending.length === 1);
  const followed = logs('-f');
  await expect.poll(followed.text).toContain('needs you: Allow Run p?');
  const allow = () =>
    void window.actions.answer(window.state().pending[0]?.id ?? '', {kind: 'option', index: 0});
  allow();
  await expect.poll(followed.text).toContain('needs you: Allow Run q?');
  allow();
  await expect.poll(followed.text).toContain('So much for keys.');
  await stop();
  await followed.ended;
});

test('prints nothing of a private key that follows text about one', async () => {
  const about = `-----BEGIN PRIVATE KEY----- begins the file.${'\n\nMore about it.'.repeat(1500)}`;
  const pieces = [
    about,
    '\n\n-----BEGIN PRIVATE KEY-----\nAAAA\n',
    'SECRET\n-----END PRIVATE KEY-----\n\nEnd.',
  ];
  const {logs, stop, window} = await runs({
    turns: [[...asks('p0'), says(pieces[0]!), ...asks('p1'), ...pieces.slice(1).map(says)]],
  });
  await window.until(({pending}) => pending.length === 1);
  const followed = logs('-f');
  for (const at of [0, 1]) {
    await expect.poll(followed.text).toContain(`needs you: Allow Run p${at}?`);
    void window.actions.answer(window.state().pending[0]?.id ?? '', {kind: 'option', index: 0});
  }
  await expect.poll(followed.text).toContain('End.');
  await stop();
  await followed.ended;
  expect(followed.text()).not.toMatch(/AAAA|SECRET/);
});

test('says that the agent of a session in the background starts in a mode in which it asks less', async () => {
  const availableModes = [
    {id: 'default', name: 'Manual'},
    {id: 'auto', name: 'Auto', description: 'Claude handles permission decisions'},
  ];
  const {window, logs} = await runs({session: {modes: {currentModeId: 'auto', availableModes}}, turns: [[]]});
  await window.until(isIdle);
  const {ended, text} = logs();
  expect(await ended).toMatchObject({exitCode: 0});
  expect(text()).toContain('asks less than in Manual; /mode or --mode changes that.');
});
