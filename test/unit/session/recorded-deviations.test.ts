import {describe, expect, test} from 'vitest';
import {initialSession} from '../../../src/session/initial.ts';
import {configOptionOfCategory} from '../../../src/session/settings/options.ts';
import {messageText} from '../../../src/session/selectors.ts';
import {serverStart} from '../../../src/session/lifecycle/mcp-servers.ts';
import {INTERRUPTION} from '../../../src/session/labels/labels.ts';
import {commandLabel} from '../../../src/session/labels/command-label.ts';
import {resultText} from '../../../src/session/labels/tool-labels.ts';
import {userQuestions} from '../../../src/protocol/user-questions.ts';
import {entriesOf, fold, only} from '../../support/session/build.ts';
import {eventsOf} from '../../support/session/recorded.ts';

const place = {cwd: '/home/user/project', additionalDirectories: [], at: 0};
const replay = (recording: string) => fold(initialSession(place), ...eventsOf(recording));

describe.each(['claude', 'codex'])('a session of %s with an attached file', (agent) => {
  const first = replay(`${agent}-attachment.ndjson`);
  const sessionId = first.sessionId ?? '';
  const session = {sessionId, cwd: place.cwd, additionalDirectories: []};
  const reported = eventsOf(`${agent}-attachment-load.ndjson`).filter(({type}) => type === 'session_update');
  const prompts = (of: typeof first) => entriesOf(of, 'user_message').map(messageText);

  test('replays the prompt and the file with new IDs, and the prompt is shown once', () => {
    const loaded = fold(first, {type: 'replay_started'}, ...reported, {
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
  const loaded = fold(
    initialSession(place),
    {type: 'replay_started'},
    ...reported.filter(({type}) => type === 'session_update'),
    {type: 'session_opened', how: 'load', session},
  );
  const prompts = entriesOf(loaded, 'user_message').map(messageText);
  expect(prompts).toHaveLength(2);
  expect(prompts.join()).not.toContain('interrupted');
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
