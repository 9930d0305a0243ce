import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {stripStyles} from '../../../../src/text/ansi.ts';
import {width} from '../../../../src/text/width.ts';
import {conversation, playConversation, origin, storeIn, turn, valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {worktreeRepository} from '../../../support/folders/worktree-repository.ts';
import {sessions} from './context.ts';
import {storeWith} from './stored.ts';

const TOKEN = `ghp_${'x1'.repeat(18)}`;

describe('list', () => {
  test('lists stored sessions, last used first, and filters by agent, folder and age', async () => {
    const {store, ids} = storeWith(
      temporaryFolder(),
      {said: [['Fix the tests', 'Done.']], agent: 'codex', cwd: '/project/app', daysAgo: 10},
      {said: [['Write a poem', 'Roses.']], agent: 'gemini', cwd: '/poems'},
    );
    const [old = '', young = ''] = ids;
    const {stdout} = await sessions(store, []);
    expect(stdout.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      [young, 'gemini', '/poems', 'now', 'Write a poem'],
      [old, 'codex', '/project/app', '10 d', 'Fix the tests'],
      [''],
    ]);
    const listed = async (...argv: string[]) => {
      const {stdout} = await sessions(store, ['list', '--json', ...argv]);
      return (JSON.parse(stdout) as {sessions: {id: string}[]}).sessions.map(({id}) => id);
    };
    expect(await listed('--agent', 'Code')).toEqual([old]);
    expect(await listed('--cwd', '/project')).toEqual([old]);
    expect(await listed('--cwd', '/proj')).toEqual([]);
    expect(await listed('--newer', '2d')).toEqual([young]);
    expect(await listed('--older', '1w')).toEqual([old]);
    expect(await listed('--limit', '1')).toEqual([young]);
  });

  test('names the folder that a worktree was made from, and its branch', async () => {
    const {state, source, made} = worktreeRepository();
    const record = await made();
    const {store} = storeWith(
      state,
      {said: [['Fix it', 'Done.']], cwd: join(record.folder, 'sub')},
      {said: [['Hi', 'Hello.']], cwd: source},
    );
    const {stdout} = await sessions(store, [], {state});
    const columns = stdout.split('\n').map((line) => line.split(/\s{2,}/).slice(2, 4));
    const ofWorktree = [expect.stringMatching(/project\/sub$/), 'acp-tui/fix'];
    expect(columns).toEqual([[expect.stringMatching(/project$/), 'now'], ofWorktree, []]);
    const listed = await sessions(store, ['--json'], {state});
    expect(JSON.parse(listed.stdout)).toMatchObject({
      sessions: [
        {cwd: source, worktree: null},
        {worktree: {name: 'fix', branch: 'acp-tui/fix', source: join(source, 'sub')}},
      ],
    });
  });

  test('says what open sessions do: they work, wait for the user, have finished unread, are idle, have failed, or have no agent any more', async () => {
    const folder = temporaryFolder();
    const open = (asked: string, ...events: readonly SessionEvent[]) => {
      const recorder = valueOf(storeIn(folder).record(origin));
      playConversation(recorder, [...conversation([[asked, 'ok']], `agent of ${asked}`), ...events]);
      return recorder.id() ?? '';
    };
    const [prompt] = turn(2, 'Go', 'ok');
    const toolCall = {toolCallId: 'call', title: 'Edit'};
    const request = {sessionId: 'agent', toolCall, options: []};
    open('is done');
    valueOf(storeIn(folder).markRead(open('idle')));
    const failure = {kind: 'not_offered', what: 'it', why: 'it has ended'} as const;
    open('fails', prompt!, {
      type: 'prompt_ended',
      turn: 2,
      outcome: {kind: 'failed', failure},
      at: prompt!.at,
    });
    open('works', prompt!);
    open('waits', prompt!, {type: 'permission_requested', id: 'p', request, at: prompt!.at});
    open('is over', {type: 'connection_changed', connection: {kind: 'lost', failure}, at: prompt!.at});
    const {store} = storeWith(folder, {said: [['rests', 'ok']]});
    const {stdout} = await sessions(store, []);
    expect(stdout).toMatch(/ idle .* idle$/m);
    expect(stdout).toMatch(/ done .* is done$/m);
    expect(stdout).toMatch(/ failed .* fails$/m);
    expect(stdout).toMatch(/ working .* works$/m);
    expect(stdout).toMatch(/ needs you .* waits · Allow Edit\?$/m);
    expect(stdout).toMatch(/ ended .* is over$/m);
    expect(stdout).toMatch(/ {2}rests$/m);
    const {sessions: listed} = JSON.parse((await sessions(store, ['--json'])).stdout) as {
      readonly sessions: readonly {readonly firstPrompt: string; readonly state: string}[];
    };
    expect(Object.fromEntries(listed.map(({firstPrompt, state}) => [firstPrompt, state]))).toEqual({
      idle: 'idle',
      'is done': 'done',
      fails: 'failed',
      works: 'working',
      waits: 'waiting',
      'is over': 'ended',
      rests: 'stored',
    });
    expect((await sessions(store, ['--open'])).stdout).not.toContain('rests');
  });

  test.each([20, 60, 80, 120])('fits a terminal with %i columns', async (columns) => {
    const {store} = storeWith(temporaryFolder(), {
      said: [['a long prompt 日本語 '.repeat(20), 'ok']],
      cwd: `/${'folder/'.repeat(20)}`,
    });
    const {stdout} = await sessions(store, ['list'], {columns});
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => width(line) <= columns),
    ).toEqual([true, true]);
    expect(stdout).toMatch(/^ID/);
  });

  test("omits the agent's command from JSON, as it may hold secrets", async () => {
    const {store} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
    const {stdout} = await sessions(store, ['list', '--json']);
    expect(stdout).not.toContain('--acp');
    expect(JSON.parse(stdout)).toMatchObject({
      v: 1,
      sessions: [{name: 'Hi', cwd: '/project', turns: 1, status: 'closed'}],
    });
  });
});

describe('show', () => {
  test('prints Markdown, rendered on a terminal', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {
      said: [['Say **it**', 'A **bold** word. '.repeat(10)]],
    });
    const [id = ''] = ids;
    const plain = await sessions(store, ['show', id.slice(0, 6)]);
    expect(plain.stdout).toContain('\n## You\n\n> Say **it**\n');
    const {stdout} = await sessions(store, ['show', id], {columns: 30});
    const lines = stdout.split('\n').map((line) => stripStyles(line).trimEnd());
    expect(lines.filter((line) => line.startsWith('A bold')).every((line) => width(line) <= 30)).toBe(true);
    expect(lines).toContain('A bold word. A bold word. A');
    expect(stdout).toMatch(/\x1b\[1mbold\x1b\[22m/);
  });

  test('says on standard error what the session waits for', async () => {
    const folder = temporaryFolder();
    const recorder = valueOf(storeIn(folder).record(origin));
    const [prompt] = turn(1, 'Go', 'ok');
    const toolCall = {toolCallId: 'call', title: `Edit ${TOKEN}`};
    const request = {sessionId: 'agent', toolCall, options: []};
    playConversation(recorder, [prompt!, {type: 'permission_requested', id: 'p', request, at: 1}]);
    const id = recorder.id() ?? '';
    const shown = (...argv: readonly string[]) => sessions(storeIn(folder), argv);
    for (const argv of [
      ['show', id],
      ['logs', id],
      ['show', id, '--json'],
    ])
      expect((await shown(...argv)).stderr).toBe('needs you: Allow Edit [masked]?\n');
    expect((await shown('show', id, '--with-secrets')).stderr).toContain(TOKEN);
    recorder.close();
    expect((await shown('show', id)).stderr).toBe('');
  });

  test('masks what looks like a credential by default', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [[`Use ${TOKEN}`, 'ok']]});
    const [id = ''] = ids;
    for (const argv of [
      ['show', id],
      ['show', id, '--json'],
      ['export', id, '--format', 'html'],
    ]) {
      expect((await sessions(store, argv)).stdout).not.toContain(TOKEN);
      expect((await sessions(store, [...argv, '--with-secrets'])).stdout).toContain(TOKEN);
    }
  });

  test.each([['show'], ['export'], ['delete'], ['restore']])(
    '%s exits with 4 for an unknown session',
    async (command) => {
      const {store} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
      expect(await sessions(store, [command, 'zz'])).toEqual({
        exitCode: 4,
        stdout: '',
        stderr: 'acp-tui: No session "zz". List sessions with: acp-tui sessions.\n',
      });
    },
  );

  test('lists the sessions that match an ambiguous ID', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['a', 'b']]}, {said: [['c', 'd']]});
    const {exitCode, stderr} = await sessions(store, ['show', 'agent-']);
    expect(exitCode).toBe(2);
    for (const id of ids) expect(stderr).toContain(id);
  });
});

test('accepts the options of list without a subcommand', async () => {
  const {store, ids} = storeWith(temporaryFolder(), {said: [['a', 'b']]});
  expect(JSON.parse((await sessions(store, ['--cwd', '/project', '--json'])).stdout)).toMatchObject({
    sessions: [{id: ids[0]}],
  });
  expect((await sessions(store, ['--agent', 'nobody'])).stderr).toBe('No sessions.\n');
  expect((await sessions(store, ['--help'])).stdout).toContain('Commands:');
});

test('search, show and export include what subagents wrote and did, at any depth', async () => {
  const subagent = (sessionId: string, title: string, of?: string): SessionEvent => {
    const update = {sessionUpdate: 'subagent_update', sessionId, title} as const;
    return of === undefined
      ? {type: 'session_update', update, at: 1}
      : {type: 'subagent_updated', sessionId: of, update, at: 1};
  };
  const {store, ids} = storeWith(temporaryFolder(), {
    said: [['Review it', 'Reviewed.']],
    more: [
      subagent('child', 'Reviewer'),
      subagent('tester', 'Tester', 'child'),
      {
        type: 'subagent_updated',
        sessionId: 'tester',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: {type: 'text', text: 'The parser is a walrus.'},
        },
        at: 2,
      },
    ],
  });
  const [id = ''] = ids;
  const found = JSON.parse((await sessions(store, ['search', 'walrus', '--json'])).stdout);
  expect(found.hits).toMatchObject([{session: {id}, role: 'agent', subagent: 'Tester'}]);
  expect((await sessions(store, ['search', 'walrus'])).stdout).toContain(
    '  subagent Tester: The parser is a walrus.',
  );
  expect((await sessions(store, ['search', 'Tester', '--json'])).stdout).toContain(id);
  for (const argv of [
    ['show', id],
    ['show', id, '--json'],
    ['export', id, '--format', 'markdown'],
    ['export', id, '--format', 'html'],
    ['export', id, '--format', 'json'],
  ]) {
    const {stdout} = await sessions(store, argv);
    for (const text of ['Reviewer', 'Tester', 'The parser is a walrus.']) expect(stdout).toContain(text);
  }
});

describe('search', () => {
  test('requires words', async () => {
    const {store} = storeWith(temporaryFolder(), {said: [['a', 'b']]});
    const {exitCode, stderr} = await sessions(store, ['search', ' ']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Missing search words.');
  });

  test('finds messages, grouped by session, with matches highlighted', async () => {
    const {store, ids} = storeWith(
      temporaryFolder(),
      {said: [['About whales', 'The whale is a mammal.']], agent: 'codex'},
      {said: [['About birds', 'They fly.']]},
    );
    const {stdout} = await sessions(store, ['search', 'whale'], {marks: true, columns: 60});
    expect(stdout.split('\n')).toEqual([
      `${ids[0]}  About whales  now · codex · /project`,
      '  agent: The <whale> is a mammal.',
      '  you: About <whales>',
      '',
    ]);
    expect((await sessions(store, ['search', 'whale', '--agent', 'gemini'])).stderr).toBe('No matches.\n');
    const {stdout: json} = await sessions(store, ['search', 'mammal', '--json']);
    expect(JSON.parse(json)).toMatchObject({v: 1, hits: [{role: 'agent', session: {id: ids[0]}}]});
  });
});

test('finds what the filter leaves behind any number of other messages', async () => {
  const {store, ids} = storeWith(
    temporaryFolder(),
    {said: [['a test', 'No.']], agent: 'gemini'},
    {said: Array.from({length: 1001}, () => ['test', 'A test.'] as const), agent: 'codex'},
  );
  const {stdout} = await sessions(store, ['search', 'test', '--agent', 'gemini']);
  expect(stdout).toContain(ids[0]);
});

test('omits a title that only repeats the prompt', async () => {
  const {store} = storeWith(temporaryFolder(), {
    said: [['About whales', 'They swim.']],
    title: 'About whales',
  });
  const {stdout} = await sessions(store, ['search', 'whales', '--json']);
  expect((JSON.parse(stdout) as {hits: unknown[]}).hits).toMatchObject([
    {role: 'user', session: {title: 'About whales'}},
  ]);
});

test('prints no control characters', async () => {
  const cwd = '/a\u009b31m\u202eb';
  const {store, ids} = storeWith(temporaryFolder(), {
    said: [['whales', 'They swim.']],
    cwd,
    agent: 'x\u009b1m',
  });
  for (const argv of [['list'], ['search', 'whales'], ['show', ids[0] ?? '']]) {
    expect((await sessions(store, argv)).stdout).not.toMatch(/[\u009b\u202e]/);
    const {stdout} = await sessions(store, [...argv, '--json']);
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(cwd));
  }
});

test.each([
  [['list', '--newer', 'soon'], '--newer must be an age such as 90m, 12h, 7d or 2w, not "soon".'],
  [['export', 'x', '--format', 'pdf'], '--format must be markdown, html, json, recording, not "pdf".'],
  [['list', '--limit', '0'], '--limit must be greater than 0.'],
  [['show'], "Missing required argument 'id'."],
  [['burn'], "Unknown command 'burn'."],
  [['list', '--wrong'], "Unknown option '--wrong'."],
])('rejects %j with the reason', async (argv, problem) => {
  const {exitCode, stderr} = await sessions(storeIn(temporaryFolder()), argv);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`acp-tui: ${problem} See acp-tui sessions --help.\n`);
});
