import {describe, expect, test} from 'vitest';
import {intendedUpdate} from '../../../src/agents/quirks.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {configOptionOfCategory} from '../../../src/session/settings/options.ts';
import {messageText} from '../../../src/session/selectors.ts';
import {serverStart} from '../../../src/session/lifecycle/mcp-servers.ts';
import {INTERRUPTION} from '../../../src/session/labels/labels.ts';
import {commandLabel} from '../../../src/session/labels/command-label.ts';
import {resultText} from '../../../src/session/labels/result-text.ts';
import {userQuestions} from '../../../src/protocol/user-questions.ts';
import {entriesOf, reduceEvents, only} from '../../support/session/build.ts';
import {eventsOf} from '../../support/session/recorded.ts';

const place = {cwd: '/home/user/project', additionalDirectories: [], at: 0};
const replay = (recording: string) => reduceEvents(initialSession(place), ...eventsOf(recording));

describe.each(['claude', 'codex'])('a session of %s with an attached file', (agent) => {
  const first = replay(`${agent}-attachment.ndjson`);
  const sessionId = first.sessionId ?? '';
  const session = {sessionId, cwd: place.cwd, additionalDirectories: []};
  const reported = eventsOf(`${agent}-attachment-load.ndjson`).filter(({type}) => type === 'session_update');
  const prompts = (of: typeof first) => entriesOf(of, 'user_message').map(messageText);

  test('replays the prompt and the file with new IDs, and the prompt is shown once', () => {
    const loaded = reduceEvents(first, {type: 'replay_started'}, ...reported, {
      type: 'session_opened',
      how: 'load',
      session,
    });
    expect(prompts(loaded)).toEqual(prompts(first));
    expect(prompts(loaded).filter((text) => text.includes('say hello'))).toHaveLength(1);
    expect(entriesOf(loaded, 'agent_message')).toHaveLength(entriesOf(first, 'agent_message').length);
  });
});

test('what Claude replays of a cancelled turn is no prompt', () => {
  const reported = eventsOf('claude-attachment-load.ndjson');
  expect(JSON.stringify(reported)).toContain(INTERRUPTION);
  const session = {sessionId: 's', cwd: place.cwd, additionalDirectories: []};
  const loaded = reduceEvents(
    initialSession(place),
    {type: 'replay_started'},
    ...reported.filter(({type}) => type === 'session_update'),
    {type: 'session_opened', how: 'load', session},
  );
  const prompts = entriesOf(loaded, 'user_message').map(messageText);
  expect(prompts).toHaveLength(2);
  expect(prompts.join()).not.toContain('interrupted');
});

/** What an agent replays when it loads a session. */
const replayedBy = (agent: string) => {
  const events = eventsOf(`${agent}-load.ndjson`);
  const first = events.findIndex(({type}) => type === 'prompt_started');
  return events.slice(0, first).filter((event) => event.type === 'session_update');
};

test.each(['kimi', 'grok', 'zed-claude', 'zed-codex'])('what %s replays is shown once', (agent) => {
  const first = replay(`${agent}-chat.ndjson`);
  const session = {sessionId: first.sessionId ?? '', cwd: place.cwd, additionalDirectories: []};
  const loaded = reduceEvents(
    first,
    {type: 'replay_started'},
    ...replayedBy(agent).map((event) =>
      Object.assign(event, {update: intendedUpdate(event.update, first.agent?.name)}),
    ),
    {type: 'session_opened', how: 'load', session},
  );
  expect(entriesOf(loaded, 'user_message').map(messageText)).toEqual(['say hello']);
  expect(entriesOf(loaded, 'agent_message')).toEqual(entriesOf(first, 'agent_message'));
});

test('the reminder to its model that Kimi replays is no prompt', () => {
  const updates = replayedBy('kimi');
  expect(JSON.stringify(updates)).toContain('<system-reminder>');
  const loaded = reduceEvents(
    initialSession(place),
    {type: 'replay_started'},
    ...updates.map((event) => Object.assign(event, {update: intendedUpdate(event.update, 'Kimi Code CLI')})),
    {
      type: 'session_opened',
      how: 'load',
      session: {sessionId: 's', cwd: place.cwd, additionalDirectories: []},
    },
  );
  expect(entriesOf(loaded, 'user_message').map(messageText)).toEqual(['say hello']);
});

describe('the older adapter for Codex', () => {
  const session = replay('zed-codex-allow-run.ndjson');

  test('runs a command of kind search, whose output is its result', () => {
    for (const call of entriesOf(session, 'tool_call')) {
      expect(call).toMatchObject({
        kind: 'search',
        rawInput: {command: ['/bin/bash', '-lc', 'echo hi && ls']},
      });
      expect(resultText(call)).toBe('hi\nnotes.md');
    }
  });
});

describe('Cline', () => {
  const session = replay('cline-run.ndjson');

  test("sends a command's output only in rawOutput, and that is its result", () => {
    const call = only(session, 'tool_call');
    expect(call.content).toEqual([]);
    expect(resultText(call)).toContain('hi');
  });

  test('has two model options, and the one named model counts', () => {
    expect(session.configOptions?.filter(({category}) => category === 'model')).toHaveLength(2);
    expect(configOptionOfCategory(session, 'model')?.id).toBe('model');
  });
});

test('a Codex command that only the request contains is shown in the tool call', () => {
  const session = replay('codex-command.ndjson');
  const call = only(session, 'tool_call');
  expect(call.title).toBe('List files');
  expect(commandLabel(call, session.terminals)).toBe('echo hi && ls');
});

test('a question that Qwen Code sends as a permission request is a question', () => {
  const [request] = eventsOf('qwen-ask.ndjson').flatMap((event) =>
    event.type === 'permission_requested' ? [event.request] : [],
  );
  const questions = request && userQuestions(request);
  expect(questions?.form).toMatchObject({message: 'Which color do you like?'});
  const answer = questions?.respond({action: 'accept', content: {question_0: 'Red'}});
  // What Qwen Code then sent to its model: **Color**: Red.
  expect(answer).toEqual({outcome: {outcome: 'selected', optionId: 'proceed_once'}, answers: {'0': 'Red'}});
});

test.each(['claude', 'codex'])('%s reports which MCP server runs, and which failed to start', (agent) => {
  const session = replay(`${agent}-mcp.ndjson`);
  expect([serverStart(session, 'lab'), serverStart(session, 'bad')]).toEqual(['started', 'unavailable']);
});

test('a prompt that the Cursor adapter echoes after a thought is shown once', () => {
  const session = replay('cursor-acp-echo-after-thought.ndjson');
  expect(messageText(only(session, 'user_message'))).toBe('please say hello');
});

test('why a call of Nanocoder failed is shown below what it was started with', () => {
  const failed = entriesOf(replay('nanocoder-failed-subagent.ndjson'), 'tool_call').at(-1)!;
  expect(failed).toMatchObject({status: 'failed', content: [{content: {text: 'Please say hello.'}}]});
  expect(resultText(failed)).toBe("Error: Subagent 'general' not found. Available subagents:");
});

test('a call of Oh My Pi that is reported in progress after its end has ended', () => {
  const [call] = entriesOf(replay('omp-subagent.ndjson'), 'tool_call').slice(-1);
  expect(call).toMatchObject({status: 'completed', endedAt: expect.any(Number)});
});

test.each([
  [{reason: 'no such file'}, 'no such file'],
  [{errors: [{detail: 'one'}, {detail: 'two'}]}, 'one\ntwo'],
  [{error: {code: 'EACCES', path: '/etc/shadow'}}, 'EACCES: /etc/shadow'],
  [{code: 'ENOSPC', success: false}, 'ENOSPC'],
])('why a call failed is shown below its content: %j', (rawOutput, reason) => {
  const words = {type: 'content' as const, content: {type: 'text' as const, text: 'Please say hello.'}};
  expect(resultText({status: 'failed', content: [words], rawOutput})).toBe(reason);
});

test('the output of a call comes before why it ended', () => {
  expect(resultText({status: 'completed', content: [], rawOutput: {reason: 'stop', output: 'two'}})).toBe(
    'two',
  );
});

test('why a call failed is not repeated if its content says it, nor what a terminal shows', () => {
  const words = {type: 'content' as const, content: {type: 'text' as const, text: 'Failed:\n  no such file'}};
  const failed = {status: 'failed' as const, content: [words]};
  expect(resultText({...failed, rawOutput: {error: 'no such file'}})).toBe('');
  expect(resultText({...failed, rawOutput: {exit_code: 1}})).toBe('');
  const inTerminal = {...failed, content: [{type: 'terminal' as const, terminalId: 't'}]};
  expect(resultText({...inTerminal, rawOutput: {formatted_output: 'no such file', exit_code: 1}})).toBe('');
  expect(resultText({...inTerminal, rawOutput: {error: 'killed'}})).toBe('killed');
});
