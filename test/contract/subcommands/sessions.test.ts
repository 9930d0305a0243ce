import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import type {SessionEvent} from '../../../src/session/events.ts';
import {stripStyles} from '../../../src/text/sgr.ts';
import {width} from '../../../src/text/width.ts';
import {conversation, live, origin, storeIn, valueOf} from '../persistence/stores.ts';
import {temporaryFolder} from '../persistence/temporary-folder.ts';
import {sessions} from './context.ts';

const HOUR = 3_600_000;

interface Kept {
  readonly said: readonly (readonly [prompt: string, answer: string])[];
  readonly agent?: string;
  readonly cwd?: string;
  readonly daysAgo?: number;
}

/** A store with these sessions; gives their ids. */
function storeWith(folder: string, ...kept: readonly Kept[]) {
  const store = storeIn(folder);
  const ids = kept.map(({said, agent = 'some-agent', cwd = '/project', daysAgo = 0}, index) => {
    const recorder = valueOf(store.record({...origin, agent: {...origin.agent, label: agent}, cwd}));
    const shift = Date.now() - daysAgo * 24 * HOUR - 1000 + index;
    const response = {protocolVersion: 1, agentInfo: {name: agent, version: '1'}};
    const events = conversation(said, `agent-${index}`).map((event): SessionEvent => {
      if (event.type === 'agent_initialized')
        return {type: event.type, response, fallbackName: agent, at: shift};
      if (event.type !== 'session_opened') return Object.assign(event, {at: shift});
      return {type: event.type, how: event.how, session: Object.assign(event.session, {cwd}), at: shift};
    });
    live(recorder, events);
    recorder.close();
    return recorder.id() ?? '';
  });
  return {store, ids};
}

describe('list', () => {
  test('shows what is stored, the one used last first, and filters by agent, folder and age', async () => {
    const {store, ids} = storeWith(
      temporaryFolder(),
      {said: [['Fix the tests', 'Done.']], agent: 'codex', cwd: '/project/app', daysAgo: 10},
      {said: [['Write a poem', 'Roses.']], agent: 'gemini', cwd: '/poems'},
    );
    const [old = '', young = ''] = ids;
    const {stdout} = await sessions(store, []);
    expect(stdout.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      [young, 'now', 'gemini', '/poems', 'Write a poem'],
      [old, '10 d', 'codex', '/project/app', 'Fix the tests'],
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

  test.each([20, 60, 80, 120])('fits a terminal of %i columns', async (columns) => {
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
    ).toEqual([true]);
  });

  test('as JSON says nothing of how the agent is started: that may hold secrets', async () => {
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
  test('prints Markdown, and lays it out where there is a terminal', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {
      said: [['Say **it**', 'A **bold** word. '.repeat(10)]],
    });
    const [id = ''] = ids;
    const plain = await sessions(store, ['show', id.slice(0, 6)]);
    expect(plain.stdout).toContain('\n## You\n\n> Say **it**\n');
    const {stdout} = await sessions(store, ['show', id], {columns: 30});
    const lines = stdout.split('\n').map(stripStyles);
    expect(lines.filter((line) => width(line) > 30)).toEqual([]);
    expect(lines).toContain('A bold word. A bold word. A');
  });

  test('masks what looks like a credential, unless asked not to', async () => {
    const token = `ghp_${'x1'.repeat(18)}`;
    const {store, ids} = storeWith(temporaryFolder(), {said: [[`Use ${token}`, 'ok']]});
    const [id = ''] = ids;
    for (const argv of [
      ['show', id],
      ['show', id, '--json'],
      ['export', id, '--format', 'html'],
    ]) {
      expect((await sessions(store, argv)).stdout).not.toContain(token);
      expect((await sessions(store, [...argv, '--with-secrets'])).stdout).toContain(token);
    }
  });

  test.each([['show'], ['export'], ['delete'], ['restore']])(
    '%s of a session that is not there ends with 4',
    async (command) => {
      const {store} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
      expect(await sessions(store, [command, 'zz'])).toEqual({
        exitCode: 4,
        stdout: '',
        stderr: 'acp-tui: There is no session "zz". acp-tui sessions lists those that there are.\n',
      });
    },
  );

  test('tells which sessions an id may mean when there are several', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['a', 'b']]}, {said: [['c', 'd']]});
    const {exitCode, stderr} = await sessions(store, ['show', 'agent-']);
    expect(exitCode).toBe(2);
    for (const id of ids) expect(stderr).toContain(id);
  });
});

describe('search', () => {
  test('finds what was said, under its session, with the words marked', async () => {
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
    expect((await sessions(store, ['search', 'whale', '--agent', 'gemini'])).stderr).toBe('Nothing found.\n');
    const {stdout: json} = await sessions(store, ['search', 'mammal', '--json']);
    expect(JSON.parse(json)).toMatchObject({v: 1, hits: [{role: 'agent', session: {id: ids[0]}}]});
  });
});

describe('export and import', () => {
  test('a file of ours is private, says its form by its name, and replaces no other', async () => {
    const folder = temporaryFolder();
    const {store, ids} = storeWith(folder, {said: [['Hi', 'Hello.']]});
    const file = join(folder, 'session.html');
    const argv = ['export', ids[0] ?? '', '-o', file];
    expect(await sessions(store, argv)).toMatchObject({exitCode: 0, stdout: ''});
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await sessions(store, argv);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain(file);
  });

  test('what was exported as JSON is listed, read and found after the import', async () => {
    const folder = temporaryFolder();
    const {store, ids} = storeWith(folder, {
      said: [['About whales', 'The whale is a **mammal**.']],
      agent: 'codex',
    });
    const file = join(folder, 'session.json');
    await sessions(store, ['export', ids[0] ?? '', '-o', file]);
    const other = storeIn(temporaryFolder());
    const {stdout} = await sessions(other, ['import', file]);
    const id = stdout.trim();
    expect((await sessions(other, ['list'])).stdout).toMatch(
      new RegExp(`^${id} .* codex .* About whales\n$`),
    );
    const shown = await sessions(other, ['show', id]);
    expect(shown.stdout).toContain('The whale is a **mammal**.');
    expect((await sessions(other, ['search', 'mammal'])).stdout).toContain(id);
    expect(valueOf(other.find(id))).toMatchObject({status: 'closed', agentSessionId: undefined});
  });

  test('a file that is no export is refused', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'other.json');
    await writeFile(file, '{}');
    const {exitCode, stderr} = await sessions(storeIn(folder), ['import', file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It is no exported session');
  });
});

describe('delete', () => {
  test('asks, keeps what is not confirmed, and can be taken back', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
    const [id = ''] = ids;
    expect(await sessions(store, ['delete', id])).toMatchObject({exitCode: 2});
    const confirm = vi.fn<(question: string) => Promise<boolean>>(async () => false);
    expect((await sessions(store, ['delete', id], {confirm})).stderr).toContain('Nothing was deleted.');
    expect(confirm).toHaveBeenCalledExactlyOnceWith('Delete this session? [y/N] ');
    expect((await sessions(store, ['list'])).stdout).toContain(id);
    expect((await sessions(store, ['delete', '--yes', id])).stderr).toContain(
      `acp-tui sessions restore ${id}`,
    );
    expect((await sessions(store, ['list'])).stdout).toBe('');
    expect((await sessions(store, ['list', '--deleted'])).stdout).toContain(id);
    expect(await sessions(store, ['restore', id.slice(0, 5)])).toMatchObject({exitCode: 0});
    expect((await sessions(store, ['list'])).stdout).toContain(id);
  });

  test('deletes nothing when one of several is not there', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
    expect(await sessions(store, ['delete', '--yes', ids[0] ?? '', 'zz'])).toMatchObject({exitCode: 4});
    expect((await sessions(store, ['list'])).stdout).toContain(ids[0]);
  });
});

test.each([
  [['list', '--newer', 'soon'], '--newer takes an age such as 90m, 12h, 7d or 2w, not "soon".'],
  [['export', 'x', '--format', 'pdf'], '--format takes markdown, html, json, not "pdf".'],
  [['list', '--limit', '0'], '--limit takes a number greater than 0.'],
  [['show'], "Missing required argument 'id'."],
  [['burn'], "Unknown command 'burn'."],
  [['list', '--wrong'], "Unknown option '--wrong'."],
])('%j is refused with what is wrong', async (argv, problem) => {
  const {exitCode, stderr} = await sessions(storeIn(temporaryFolder()), argv);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`acp-tui: ${problem} See acp-tui sessions --help.\n`);
});
