import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {CommonOptions} from '../../../../src/cli/options.ts';
import type {SessionStore} from '../../../../src/storage/sessions/session-store.ts';
import type {SessionOrigin} from '../../../../src/storage/sessions/stored-session.ts';
import {findResumeTarget} from '../../../../src/modes/start/resume-target.ts';
import {
  conversation,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  turn,
  valueOf,
} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const HERE = {cwd: '/', additionalDirectories: ['/tmp']};

const given: CommonOptions = {
  agent: undefined,
  protocol: undefined,
  cwd: '/',
  additionalDirectories: [],
  mcpConfig: [],
  resumeRequest: {which: 'newest'},
  background: false,
  wait: false,
  fork: false,
  worktree: undefined,
  systemPrompt: {},
  settings: {options: []},
  approve: undefined,
  allow: undefined,
  deny: undefined,
  maxCost: undefined,
  maxTokens: undefined,
  maxTurns: undefined,
  maxTime: undefined,
  waitForLimits: undefined,
  sandbox: undefined,
  noSandbox: undefined,
  offer: {fs: true, terminal: true},
  save: true,
  record: undefined,
  authMethod: undefined,
  env: {},
  screenReader: false,
  theme: undefined,
  screen: undefined,
  color: true,
  logLevel: undefined,
  logFile: undefined,
};

type Place = Pick<SessionOrigin, 'cwd' | 'additionalDirectories'>;

/** Stores a session with this first prompt; returns its ID. */
function storeAt(store: SessionStore, place: Place, sessionId: string, prompt = `prompt ${sessionId}`) {
  const events = conversation([[prompt, 'Answer.']], sessionId);
  for (const event of events) if (event.type === 'session_opened') Object.assign(event.session, place);
  return storeConversation(store, events, place);
}

/** A state folder with two sessions of `/`, of which the second is newer. */
function stored(place: Place = HERE) {
  const folder = temporaryFolder();
  const store = storeIn(folder);
  return {folder, ids: ['first', 'second'].map((sessionId) => storeAt(store, place, sessionId))};
}

describe('resuming', () => {
  test('the newest session of the folder restores its agent, folders and transcript', async () => {
    const {folder, ids} = stored();
    const picked = valueOf(await findResumeTarget(given, folder));
    expect(picked).toMatchObject({
      given: {cwd: '/'},
      agent: {label: 'some-agent', command: 'some-agent', args: ['--acp']},
      opening: {kind: 'continue', sessionId: 'second', fork: false},
      kept: {id: ids[1], session: {connection: {kind: 'starting'}, turn: {kind: 'idle'}}},
    });
    expect(picked.kept?.session.entries.map(({type}) => type)).toEqual([
      'user_message',
      'agent_message',
      'turn_end',
    ]);
  });

  test("by ID needs only its first characters, acp-tui's or the agent’s", async () => {
    const {folder, ids} = stored();
    for (const id of [ids[0] ?? '', 'first', 'fir']) {
      const picked = await findResumeTarget(
        {...given, cwd: '/elsewhere', resumeRequest: {which: 'named', id}},
        folder,
      );
      expect(valueOf(picked)).toMatchObject({given: {cwd: '/'}, opening: {sessionId: 'first'}});
    }
  });

  test('by title prefers the folder, and a window lists those of several', async () => {
    const folder = temporaryFolder();
    const store = storeIn(folder);
    const add = (cwd: string, sessionId: string, title = 'Fix it') =>
      storeAt(store, {cwd, additionalDirectories: []}, sessionId, title);
    const resumeRequest = {which: 'named', id: 'fix IT'} as const;
    const find = (isWindow: boolean) =>
      findResumeTarget({...given, cwd: '/tmp', resumeRequest}, folder, {isWindow});
    add('/', 'elsewhere');
    expect(valueOf(await find(false)).opening).toMatchObject({sessionId: 'elsewhere'});
    const here = add('/tmp', 'here');
    expect(valueOf(await find(true)).opening).toMatchObject({sessionId: 'here'});
    const other = add('/tmp', 'other');
    expect(await find(false)).toMatchObject({
      ok: false,
      failure: {kind: 'unknown_value', valid: expect.arrayContaining([here, other])},
    });
    expect(valueOf(await find(true))).toMatchObject({
      given: {resumeRequest: {which: 'chosen', filter: 'fix IT'}},
      opening: {kind: 'later'},
    });
    // Only what the list of all folders has.
    store.archive(other);
    expect(valueOf(await find(true)).opening).toMatchObject({sessionId: 'here'});
    store.archive(here);
    expect(await find(true)).toMatchObject({ok: false, failure: {kind: 'unknown_value'}});
  });

  test('works when one of its folders no longer exists', async () => {
    const {folder, ids} = stored({cwd: '/gone/project', additionalDirectories: ['/gone/more', '/tmp']});
    const [id = ''] = ids;
    const picked = valueOf(
      await findResumeTarget({...given, cwd: folder, resumeRequest: {which: 'named', id}}, folder),
    );
    expect(picked).toMatchObject({given: {cwd: folder, additionalDirectories: ['/tmp']}, kept: {id}});
    expect(picked.problems).toEqual([
      `The session folder /gone/project no longer exists; using ${folder}.`,
      '/gone/more, another folder of this session, no longer exists and is skipped.',
    ]);
  });

  test("uses the agent's copy when the stored file cannot be read", async () => {
    const {folder, ids} = stored();
    const [id = ''] = ids;
    writeFileSync(join(folder, 'sessions', `${id}.ndjson`), 'garbage');
    const picked = valueOf(await findResumeTarget({...given, resumeRequest: {which: 'named', id}}, folder));
    expect(picked).toMatchObject({
      opening: {kind: 'continue', sessionId: 'first'},
      agent: {label: 'some-agent'},
    });
    expect(picked.kept).toBeUndefined();
    expect(picked.problems).toEqual([expect.stringMatching(/only what the agent sends/)]);
    expect(picked.isUnreadable).toBe(true);
  });

  test('an imported session unknown to every agent shows its transcript', async () => {
    const folder = temporaryFolder();
    const agent = {label: 'some-agent', command: '', args: []};
    const recorder = valueOf(storeIn(folder).record({...origin, ...HERE, agent}));
    const entries = [
      {type: 'notice', id: '0', at: 1, turn: undefined, level: 'info', text: 'hello', source: 'agent'},
    ] as const;
    playConversation(recorder, [{type: 'imported', title: 'Elsewhere', entries, terminals: [], at: 1}]);
    recorder.close();
    const id = recorder.id() ?? '';
    const picked = valueOf(await findResumeTarget({...given, resumeRequest: {which: 'named', id}}, folder));
    expect(picked).toMatchObject({opening: {kind: 'later'}, kept: {id}});
    expect(picked.agent).toBeUndefined();
  });

  test('a session that is not stored is left to the agent', async () => {
    const folder = temporaryFolder();
    expect(valueOf(await findResumeTarget(given, folder))).toMatchObject({
      opening: {kind: 'newest', fork: false},
      isUnreadable: false,
    });
    const named = await findResumeTarget(
      {...given, resumeRequest: {which: 'named', id: 'x'}, fork: true},
      folder,
    );
    expect(valueOf(named).opening).toEqual({kind: 'continue', sessionId: 'x', fork: true});
  });

  test("prefers the window's session over a print-mode copy", async () => {
    const folder = temporaryFolder();
    const window = storeIn(folder);
    const recorder = valueOf(window.record({...origin, ...HERE}));
    const begun = conversation([['in the window', 'Answer.']]);
    for (const event of begun) if (event.type === 'session_opened') Object.assign(event.session, HERE);
    const session = playConversation(recorder, begun);
    const printed = storeIn(folder, {hasUser: false});
    const copy = valueOf(printed.record({...origin, ...HERE, copies: recorder.id() ?? ''}));
    playConversation(copy, turn(2, 'in the run', 'Answer.'), session);
    copy.close();
    recorder.close();
    const picked = async (hasUser: boolean) =>
      valueOf(await findResumeTarget(given, folder, {hasUser})).kept?.id;
    expect(await picked(true)).toBe(recorder.id());
    // A script continues with its next line.
    expect(await picked(false)).toBe(copy.id());
    const resumed = valueOf(window.record({...origin, ...HERE, continues: copy.id() ?? ''}));
    resumed.close();
    expect(await picked(true)).toBe(copy.id());
  });

  test("with another agent does not pass on this one's session", async () => {
    const {folder} = stored();
    const other = valueOf(await findResumeTarget({...given, agent: 'demo'}, folder));
    expect(other).toMatchObject({opening: {kind: 'newest'}, given: {agent: 'demo'}});
    for (const agent of ['some-agent --acp', `'some-agent' "--acp"`]) {
      const same = valueOf(await findResumeTarget({...given, agent}, folder));
      expect(same.opening).toMatchObject({sessionId: 'second'});
    }
  });
});
