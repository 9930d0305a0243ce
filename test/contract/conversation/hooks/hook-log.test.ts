import path from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {createPermissionRules} from '../../../../src/conversation/trust/permission-rules.ts';
import {decisionsIn} from '../../../../src/session/requests/permission-rules.ts';
import type {Hook} from '../../../../src/session/settings/hooks.ts';
import {createAudit} from '../../../../src/storage/audit.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {idle} from '../open-conversation.ts';
import {hook, LASTING, openWithHooks} from './open-with-hooks.ts';

const GO: Script = {turns: [[]]};
const CALL: Script = {
  turns: [[{update: {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Done', status: 'completed'}}]],
};

/** A session whose log of decisions is in a file, as that of the program. */
async function openLogged(script: Script, hooks: readonly Hook[], env: Record<string, string> = {}) {
  const problems: unknown[] = [];
  const audit = createAudit({
    state: temporaryFolder(),
    env,
    onProblem: (problem) => problems.push(problem),
  });
  const permissions = createPermissionRules({
    config: path.join(temporaryFolder(), 'none'),
    rules: [],
    hooks,
    audit,
  });
  const opened = await openWithHooks(script, {hooks: [], permissions: permissions.of('test')});
  const untold = {at: undefined, sessionId: undefined};
  const logged = () =>
    permissions
      .log('test', 'session-1')
      .map(({method, ...record}) => Object.assign({method}, record as object, untold));
  return {...opened, logged, recent: () => decisionsIn(permissions.log('test', 'session-1')), problems};
}

const by = (command: string) => `hook: ${command} (user)`;

describe('the log of decisions', () => {
  test('has each run of a hook, but not among the decisions that are explained', async () => {
    const events = ['SessionStart', 'PostToolUse', 'Stop', 'Notification', 'SessionEnd'] as const;
    const {go, conversation, logged, recent} = await openLogged(
      CALL,
      events.map((event) => hook(event, `true ${event}`)),
    );
    await go();
    conversation.notified('The turn ended');
    await expect.poll(() => logged().length).toBe(4);
    await conversation.close();
    expect(logged().toSorted((one, other) => one.method.localeCompare(other.method))).toEqual(
      events
        .map((event) => ({method: `hook/${event}`, outcome: 'ran', by: by(`true ${event}`)}))
        .toSorted((one, other) => one.method.localeCompare(other.method)),
    );
    expect(recent()).toEqual([]);
  });

  test('has what a hook said about a request or a prompt, also if something else decided', async () => {
    const no = 'echo No. >&2; exit 2';
    const {go, logged, recent} = await openLogged(GO, [hook('UserPromptSubmit', no)]);
    await go('the secret plan');
    expect(logged()).toMatchObject([
      {method: 'hook/UserPromptSubmit', outcome: 'ran', said: 'deny', by: by(no)},
      {method: 'session/prompt', outcome: 'rejected', by: by(no)},
    ]);
    expect(recent()).toMatchObject([{method: 'session/prompt'}]);
  });

  test('has the size of what a hook added to a prompt, not the text', async () => {
    const {go, logged} = await openLogged(GO, [
      hook('SessionStart', 'echo Monday'),
      hook('UserPromptSubmit', 'echo Friday evening'),
    ]);
    await go();
    expect(logged()).toEqual([
      {method: 'hook/SessionStart', outcome: 'ran', by: by('echo Monday')},
      {method: 'hook/UserPromptSubmit', outcome: 'ran', by: by('echo Friday evening')},
      {method: 'hook/SessionStart', outcome: 'added', by: by('echo Monday'), characters: 6},
      {method: 'hook/UserPromptSubmit', outcome: 'added', by: by('echo Friday evening'), characters: 14},
    ]);
  });

  test('has what was added to a running turn', async () => {
    const {go, logged} = await openLogged(
      {
        initialize: {_meta: {steering: {supported: true}}},
        turns: [
          [
            {update: {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'x', status: 'completed'}},
            {received: '_session/steering'},
          ],
        ],
        results: {'_session/steering': {outcome: 'injected'}},
      },
      [hook('PostToolUse', `printf '{"hookSpecificOutput": {"additionalContext": "Hello."}}'`)],
    );
    await go();
    expect(logged()).toMatchObject([
      {method: 'hook/PostToolUse', outcome: 'ran'},
      {method: 'hook/PostToolUse', outcome: 'added', characters: 6},
    ]);
  });

  test.each([
    ['failed', 'echo broken >&2; exit 3', 'It exited with code 3: broken', 30],
    ['took too long', 'sleep 300', 'It did not end within 0.1 s.', 0.1],
  ])('has each time that a hook %s, with the reason', async (_how, command, why, seconds) => {
    const {go, logged} = await openLogged(GO, [hook('UserPromptSubmit', command, {seconds})]);
    await go();
    await go();
    const record = {method: 'hook/UserPromptSubmit', outcome: 'failed', by: by(command), why};
    expect(logged()).toEqual([record, record]);
  });

  test('has that a hook was stopped, once: with its turn, and at the end of the session', async () => {
    const {prompt, hookRuns, conversation, until, logged} = await openLogged(GO, [
      hook('UserPromptSubmit', LASTING),
      hook('SessionEnd', 'sleep 301'),
    ]);
    prompt('go');
    await hookRuns();
    conversation.cancel();
    await until(idle, 'the end');
    const stopped = {method: 'hook/UserPromptSubmit', outcome: 'stopped', by: by(LASTING)};
    expect(logged()).toEqual([{...stopped, why: 'its turn was cancelled'}]);
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    onTestFinished(() => void vi.useRealTimers());
    const closing = conversation.close();
    while (logged().length < 2) await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(logged()[1]).toMatchObject({outcome: 'stopped', by: by('sleep 301'), why: 'the session ended'});
    await closing;
  });

  test('has no secrets of their command lines and errors', async () => {
    const {go, logged, problems} = await openLogged(
      GO,
      [hook('UserPromptSubmit', 'echo hunter2-hunter2 >&2; API_KEY=abcdefgh exit 3')],
      {DEPLOY_TOKEN: 'hunter2-hunter2'},
    );
    await go();
    expect(JSON.stringify(logged())).toContain('[masked]');
    expect(JSON.stringify(logged())).not.toMatch(/hunter2|abcdefgh/);
    expect(problems).toEqual([]);
  });
});
