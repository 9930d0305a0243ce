import {describe, expect, it} from 'vitest';
import type {Failure} from '../../../../src/shared/failure.ts';
import {runningTasks} from '../../../../src/session/lifecycle/tasks.ts';
import {isLive, isReady} from '../../../../src/session/selectors.ts';
import {
  calls,
  ended,
  reduceEvents,
  type UntimedEvent,
  newSession,
  only,
  opened,
  prompted,
  says,
  reduceUpdates,
  types,
} from '../../../support/session/build.ts';

const failure: Failure = {
  kind: 'connection_lost',
  exit: {code: 1, signal: null},
  stderrTail: 'out of memory',
};
const lost: UntimedEvent = {type: 'connection_changed', connection: {kind: 'lost', failure}};
const failed: UntimedEvent = {type: 'prompt_ended', turn: 1, outcome: {kind: 'failed', failure}};
const permission: UntimedEvent = {
  type: 'permission_requested',
  id: 'p',
  request: {sessionId: 's1', toolCall: {toolCallId: 't'}, options: []},
};

describe('a connection that is lost', () => {
  const running = reduceEvents(
    reduceUpdates(reduceEvents(opened, prompted('go')), says('well', 'm'), calls('t')),
    permission,
  );

  it.each([
    ['before the end of the turn', [lost, failed]],
    ['after the end of the turn', [failed, lost]],
    ['twice', [lost, failed, lost]],
  ])('%s is reported once, by the end of the turn', (_when, events) => {
    const session = reduceEvents(running, ...events);
    expect(types(session)).toEqual(['user_message', 'agent_message', 'tool_call', 'turn_end']);
    expect(session.losses).toBe(1);
    expect(session.lastTurn?.outcome).toEqual({kind: 'failed', failure});
    expect(session.turn.kind).toBe('idle');
    expect(isReady(session)).toBe(false);
  });

  it('leaves nothing running or waiting', () => {
    const session = reduceEvents(running, lost);
    expect(session.pending).toEqual([]);
    expect(only(session, 'agent_message').complete).toBe(true);
    expect(only(session, 'tool_call').status).toBe('cancelled');
    expect(session.entries.some((entry) => isLive(session, entry))).toBe(false);
  });

  it('after a turn that failed for another reason reports both', () => {
    const quota: Failure = {kind: 'agent_error', method: 'session/prompt', code: 429, message: 'no quota'};
    const session = reduceEvents(
      reduceEvents(opened, prompted('go')),
      {type: 'prompt_ended', turn: 1, outcome: {kind: 'failed', failure: quota}},
      lost,
    );
    expect(types(session)).toEqual(['user_message', 'turn_end', 'failure']);
  });
});

describe('what an agent left running', () => {
  const terminal = {terminal_id: 't1', command: 'npm start', capabilities: {cancel: {}}};
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'serve',
    _meta: {terminal_info: terminal},
  } as const;
  const left = reduceEvents(
    reduceUpdates(
      opened,
      {sessionUpdate: 'subagent_update', sessionId: 'sub', state: {state: 'running'}},
      call,
    ),
    {type: 'terminal_created', terminalId: 't2', command: 'mine', cwd: '/project', pty: false, runBy: 'user'},
  );
  const response = {protocolVersion: 2};

  it.each<[string, UntimedEvent]>([
    ['is lost', lost],
    ['has failed', {type: 'connection_changed', connection: {kind: 'failed', failure}}],
    ['is restarted', {type: 'agent_initialized', response, fallbackName: 'agent'}],
    ['has another session open', newSession('s2')],
    ['was closed', {type: 'connection_changed', connection: {kind: 'closed'}}],
    [
      'has a copy of the session open',
      {
        type: 'session_opened',
        how: 'fork',
        session: {sessionId: 's2', cwd: '/project', additionalDirectories: []},
      },
    ],
  ])('does not run any more if it %s', (_how, event) => {
    expect(runningTasks(left).map(({id}) => id)).toEqual(['t1', 't2', 'sub']);
    expect(runningTasks(reduceEvents(left, event)).map(({id}) => id)).toEqual(['t2']);
  });

  it('runs if the agent reports more of it', () => {
    const more = {...call, sessionUpdate: 'tool_call_update'} as const;
    expect(runningTasks(reduceUpdates(reduceEvents(left, lost), more)).map(({id}) => id)).toContain('t1');
  });
});

describe('an agent that cannot be started', () => {
  it('is an entry', () => {
    const missing: Failure = {kind: 'command_not_found', command: 'gemni'};
    const session = reduceEvents(opened, {
      type: 'connection_changed',
      connection: {kind: 'failed', failure: missing},
    });
    expect(only(session, 'failure').failure).toEqual(missing);
  });
});

describe('a new session after another', () => {
  const rich = reduceEvents(
    reduceUpdates(
      reduceEvents(opened, prompted('go'), ended('end_turn')),
      {sessionUpdate: 'session_info_update', title: 'Old work'},
      {sessionUpdate: 'usage_update', used: 1, size: 2},
      {sessionUpdate: 'available_commands_update', availableCommands: [{name: 'x', description: ''}]},
      {sessionUpdate: 'plan', entries: [{content: 'a', priority: 'low', status: 'pending'}]},
      says('old words', 'm'),
    ),
    permission,
  );
  const fresh = reduceEvents(rich, newSession('s2', {modes: {currentModeId: 'a', availableModes: []}}));

  it('keeps the transcript and marks where it starts', () => {
    expect(fresh.entries.slice(0, rich.entries.length).map(({id}) => id)).toEqual(
      rich.entries.map(({id}) => id),
    );
    expect(fresh.entries.at(-1)).toMatchObject({type: 'notice', source: 'client'});
    expect(fresh.sessionStart).toBe(fresh.entries.length);
  });

  it("drops the agent's state of the old one", () => {
    expect(fresh).toMatchObject({
      sessionId: 's2',
      title: undefined,
      usage: undefined,
      commands: [],
      plans: [],
      pending: [],
      modes: {currentModeId: 'a'},
      configOptions: undefined,
    });
  });

  it('ends a running turn', () => {
    const session = reduceEvents(
      reduceUpdates(reduceEvents(opened, prompted('go')), calls('t')),
      newSession('s2'),
    );
    expect(session.turn.kind).toBe('idle');
    expect(only(session, 'tool_call').status).toBe('cancelled');
    expect(reduceEvents(session, ended('end_turn'))).toBe(session);
  });

  it('is not announced if it is the first', () => {
    expect(opened.entries).toHaveLength(0);
  });

  it('takes over the prompt that was rejected for a missing sign-in', () => {
    const failure = {kind: 'authentication_required' as const, methods: []};
    const refused = reduceEvents(
      opened,
      prompted('go'),
      {type: 'prompt_ended', turn: 1, outcome: {kind: 'failed', failure}},
      newSession('s2'),
    );
    expect(types(refused)).toEqual(['user_message', 'turn_end']);
    expect(refused).toMatchObject({sessionId: 's2', sessionStart: 0, unused: true});
    const taken = reduceEvents(opened, prompted('go'), ended('end_turn'), newSession('s2'));
    expect(taken).toMatchObject({sessionStart: 3, unused: true});
  });
});

describe("the agent's own information", () => {
  const response = {protocolVersion: 1, authMethods: [{id: 'a', name: 'Key'}]};

  it('names it', () => {
    const agentInfo = {name: 'codex', title: 'Codex', version: '2.6.0'};
    const session = reduceEvents(opened, {
      type: 'agent_initialized',
      response: {...response, agentInfo},
      fallbackName: 'codex-acp',
    });
    expect(session.agent).toMatchObject({name: 'codex', title: 'Codex', version: '2.6.0'});
  });

  it('leaves it the name of its command if missing', () => {
    const session = reduceEvents(opened, {type: 'agent_initialized', response, fallbackName: 'codex-acp'});
    expect(session.agent).toEqual({
      name: 'codex-acp',
      title: undefined,
      version: undefined,
      capabilities: {},
      authMethods: response.authMethods,
      steers: false,
      protocolVersion: 1,
    });
  });

  it.each([
    [{steering: {supported: true}}, true],
    [{steering: {supported: 'yes'}}, false],
    [{steering: true}, false],
    [null, false],
  ])('enables steering only if explicit: %j', (_meta, steers) => {
    const event = {type: 'agent_initialized', response: {...response, _meta}, fallbackName: 'x'} as const;
    expect(reduceEvents(opened, event).agent?.steers).toBe(steers);
  });
});
