import {describe, expect, test} from 'vitest';
import type {AgentCommand} from '../../../../src/agents/resolve.ts';
import {agentsToAsk, storedAgent, type AgentToAsk} from '../../../../src/window/sessions/other-agents.ts';
import {joinSessions} from '../../../../src/window/sessions/session-rows.ts';
import type {StoredSession} from '../../../../src/storage/sessions/stored-session.ts';
import type {ListedSession} from '../../../../src/session/actions.ts';

const listed = (sessionId: string, title?: string): ListedSession => ({
  sessionId,
  cwd: '/project',
  additionalDirectories: [],
  title,
  updatedAt: 5,
});

test('all agents are the configured ones and those with stored sessions, each once, without the current one', () => {
  const command = (label: string, line: string) => ({label, command: line, args: [], env: {}});
  const known = (label: string, line: string): AgentToAsk => ({
    label,
    agent: {ok: true, value: {...command(label, line), env: {KEY: 'x'}}},
  });
  const asked = agentsToAsk(
    [known('a', 'a'), known('b', 'b'), known('also-own', 'own')],
    [
      {label: 'b', command: 'older-b', args: []},
      {label: 'c', command: 'c', args: []},
      {label: 'c2', command: 'c', args: []},
      {label: 'imported', command: '', args: []},
    ],
    command('own', 'own'),
  );
  expect(asked).toEqual([
    known('a', 'a'),
    known('b', 'b'),
    {label: 'c', agent: {ok: true, value: command('c', 'c')}},
  ]);
});

test('a session opens with its agent, started as currently configured if known', () => {
  const own = {label: 'own', command: 'own', args: [], env: {}};
  const today = {label: 'x', command: '/agents/x/2.0.0/x', args: ['acp'], env: {KEY: 'x'}, byName: true};
  const known: readonly AgentToAsk[] = [{label: 'x', agent: {ok: true, value: today}}];
  const stored = (label: string, command: string) => ({agent: {label, command, args: []}});
  expect(storedAgent(stored('x', '/agents/x/1.0.0/x'), own, known)).toBe(today);
  expect(storedAgent(stored('y', 'y'), own, known)).toEqual({label: 'y', command: 'y', args: [], env: {}});
  expect(storedAgent(stored('own', 'own'), own, known)).toBeUndefined();
  expect(storedAgent(stored('imported', ''), own, known)).toBeUndefined();
});

test('a session ID that two agents list appears twice, once per agent', () => {
  const other = {label: 'other', command: 'other', args: [], env: {}};
  const rows = joinSessions(
    [],
    [
      {name: 'Own', agent: undefined, sessions: [listed('s', 'Mine'), listed('s', 'Mine')]},
      {name: 'Other', agent: other, sessions: [listed('s', 'Its')]},
    ],
  );
  expect([...rows].map(([id, {row, lister}]) => [id, row.id, row.agent, lister?.label])).toEqual([
    ['s', 's', 'Own', undefined],
    ['s other', 's other', 'Other', 'other'],
  ]);
});

describe("the merged list of stored sessions and the agent's", () => {
  const stored = (id: string, more: Partial<StoredSession>): StoredSession => ({
    byPrint: false,
    doing: undefined,
    says: undefined,
    cost: undefined,
    changes: undefined,
    readAt: undefined,
    asks: undefined,
    id,
    agent: {label: 'a', command: 'a', args: []},
    agentSessionId: 's',
    cwd: '/',
    additionalDirectories: [],
    branch: undefined,
    title: undefined,
    titledBy: undefined,
    firstPrompt: undefined,
    createdAt: 0,
    updatedAt: 0,
    turns: 1,
    bytes: 0,
    archived: false,
    deletedAt: undefined,
    status: 'closed',
    openBy: undefined,
    ...more,
  });

  test("prefers the user's title over the agent’s", () => {
    const rows = joinSessions(
      [stored('new', {title: 'Mine', titledBy: 'user'})],
      [{name: 'a', agent: undefined, sessions: [listed('s', 'Its')]}],
    );
    expect([...rows.values()].map(({row}) => row.title)).toEqual(['Mine']);
  });

  test('knows the stored session of an agent that lists it under another name of its command', () => {
    const other = (label: string, command: string) => ({label, command, args: [], env: {}});
    const rows = (agent: AgentCommand) =>
      joinSessions([stored('new', {})], [{name: 'b', agent, sessions: [listed('s', 'Its')]}]);
    expect([...rows(other('b', 'a')).keys()]).toEqual(['new']);
    expect([...rows(other('b', 'b')).keys()]).toEqual(['new', 's']);
  });

  test('keeps all sessions of an agent that repeats the same ID in every run', () => {
    const rows = joinSessions(
      [stored('new', {}), stored('old', {firstPrompt: 'Why?'})],
      [{name: 'a', agent: undefined, sessions: [listed('s', 'Its')]}],
    );
    expect(
      [...rows.values()].map(({row, listed}) => [row.id, row.title ?? row.firstPrompt, listed?.sessionId]),
    ).toEqual([
      ['new', 'Its', 's'],
      ['old', 'Why?', undefined],
    ]);
  });
});
