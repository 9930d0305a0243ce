import {expect, onTestFinished, test, vi} from 'vitest';
import type {ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {detach} from '../../../src/app/commands/session-commands.ts';
import {createTab} from '../../../src/app/initial.ts';
import {collectUnsent} from '../../../src/app/sessions.ts';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {activityLine} from '../../../src/session/labels/activity-line.ts';
import {doingOf} from '../../../src/session/labels/session-states.ts';
import {limitTime} from '../../../src/session/queue/provider-limit.ts';
import type {NewPrompt} from '../../../src/session/queue/queued-prompt.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {lostByClosing} from '../../../src/window/effects/session-effects.ts';
import {notices, openScripted} from './open-conversation.ts';
import {permission} from './steps.ts';

const HOUR = 3_600_000;
const limited: ScriptStep = {
  fail: {code: -32603, message: "You've hit your usage limit. Try again in 2 hours."},
};
const says = (text: string): ScriptStep => ({
  update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}},
});

const isLimited = ({queue, turn}: SessionState) => queue.limit !== undefined && turn.kind === 'idle';

/** A session with the time in the test's hands. */
async function open(turns: readonly (readonly ScriptStep[])[], options: Partial<ConversationOptions> = {}) {
  const opened = await openScripted({turns}, options);
  const {conversation, sent} = opened;
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date']});
  onTestFinished(() => void vi.useRealTimers());
  return {
    ...opened,
    prompts: () =>
      sent().flatMap(({method, params}) =>
        method === 'session/prompt' ? (params!['prompt'] as {text: string}[]).map(({text}) => text) : [],
      ),
    submit: (text: string, how: Pick<NewPrompt, 'isSentOnce'> = {}) =>
      conversation.changeQueue({
        kind: 'submit',
        prompt: {text, content: [{type: 'text', text}], ...how},
        place: 'last',
      }),
    wait: () => conversation.changeQueue({kind: 'await_limit', isAwaited: true}),
  };
}

test('a prompt that fails at a limit is sent again once when that is over, and then what is queued', async () => {
  const {conversation, submit, wait, prompts, until, state, said} = await open([
    [limited],
    [says('done')],
    [],
  ]);
  await submit('one');
  await until(isLimited, 'the limit');
  expect(state().queue).toMatchObject({isPaused: false, limit: {isAwaited: false}});
  await wait();
  await submit('two');
  await vi.advanceTimersByTimeAsync(2 * HOUR - 60_000);
  expect(prompts()).toEqual(['one']);
  expect(state().queue.prompts).toHaveLength(1);
  // In the background it does not end as one in which nothing happens, and the board says what it waits for.
  expect(doingOf(state())).toBe('working');
  expect(activityLine(state())).toMatch(/^Waiting until .* to send the prompt again$/);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  await until(({lastTurn}) => lastTurn?.turn === 3, 'the queued prompt');
  expect(prompts()).toEqual(['one', 'one', 'two']);
  expect(said()).toBe('done');
  expect(state().queue.limit).toBeUndefined();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toHaveLength(3);
  await conversation.close();
});

test('the wait is cancelled as a turn is, which leaves the offer and pauses the queue', async () => {
  const {conversation, submit, wait, prompts, until, state} = await open([[limited], []]);
  await submit('one');
  await until(isLimited, 'the limit');
  await wait();
  await submit('two');
  conversation.cancel();
  expect(state().queue).toMatchObject({isPaused: true, limit: {isAwaited: false}});
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toEqual(['one']);
  // It is not offered any more, either.
  expect(state().queue).toMatchObject({isPaused: true, limit: undefined});
});

test('a prompt that is sent now ends the wait', async () => {
  const {conversation, submit, wait, prompts, until} = await open([[limited], []]);
  await submit('one');
  await until(isLimited, 'the limit');
  await wait();
  await submit('two');
  const [queued] = (await until(({queue}) => queue.prompts.length === 1, 'the prompt')).queue.prompts;
  await conversation.changeQueue({kind: 'prioritize', id: queued?.id ?? ''});
  await until(({lastTurn}) => lastTurn?.turn === 2, 'its turn');
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toEqual(['one', 'two']);
});

test('a session that waits is not left for the background, and says what is lost with it', async () => {
  const {submit, wait, until, state} = await open([[limited]]);
  await submit('one');
  await until(isLimited, 'the limit');
  const opened = createTab({key: 'one', agentLabel: 'some', session: state(), approval: 'none'});
  const tab = () => ({...opened, session: state()});
  expect(lostByClosing(tab())).toEqual([]);
  await wait();
  expect(lostByClosing(tab())).toEqual(['1 queued prompt']);
  expect(collectUnsent(tab()).queue).toEqual(['one']);
  const resumable = {...state(), agent: {...state().agent!, capabilities: {loadSession: true}}};
  expect(detach.unavailable?.({...tab(), session: resumable}, defaultKeymap)).toMatch(/waits for a limit/);
});

test('another session in its place does not get the prompt', async () => {
  const {conversation, submit, wait, prompts, until, state} = await open([[limited], []]);
  await submit('one');
  await until(isLimited, 'the limit');
  await wait();
  await conversation.openSession({kind: 'new'});
  expect(state().queue.limit).toBeUndefined();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toEqual(['one']);
});

test('a closed session sends nothing later', async () => {
  const {conversation, submit, wait, prompts, until} = await open([[limited], []]);
  await submit('one');
  await until(isLimited, 'the limit');
  await wait();
  await conversation.close();
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toEqual(['one']);
});

test('with the setting it is waited for again if the prompt that was sent again has worked for a while', async () => {
  const working = [permission('first'), {answered: 'first'}, limited] as const;
  const {conversation, submit, prompts, until, state} = await open([[limited], working, []], {
    waitsForLimits: true,
  });
  await submit('one');
  await until(isLimited, 'the limit');
  await vi.advanceTimersByTimeAsync(2 * HOUR + 60_000);
  const {pending} = await until((now) => now.pending.length > 0, 'its work');
  await vi.advanceTimersByTimeAsync(HOUR);
  await conversation.answer(pending[0]!.id, {kind: 'option', index: 0});
  await until(({lastTurn}) => lastTurn?.turn === 2, 'the second limit');
  expect(state().queue.limit).toMatchObject({isAwaited: true});
  await vi.advanceTimersByTimeAsync(2 * HOUR + 60_000);
  await until(({lastTurn}) => lastTurn?.turn === 3, 'the third turn');
  expect(prompts()).toEqual(['one', 'one', 'one']);
});

test('with the setting it is waited for without being asked, but not again if it fails at once', async () => {
  const {submit, prompts, until, state} = await open([[limited]], {waitsForLimits: true});
  await submit('one');
  const waiting = await until((now) => notices(now).length > 0, 'the wait');
  const {limit} = waiting.queue;
  expect(limit).toMatchObject({isAwaited: true});
  expect(notices(waiting)).toEqual([`Waiting until ${limitTime(limit!)} to send the prompt again.`]);
  await vi.advanceTimersByTimeAsync(2 * HOUR + 60_000);
  await until(({lastTurn}) => lastTurn?.turn === 2, 'the second turn');
  expect(state().queue.limit).toMatchObject({isAwaited: false});
  await vi.advanceTimersByTimeAsync(3 * HOUR);
  expect(prompts()).toEqual(['one', 'one']);
});

test('a prompt that something waits for, as for a summary, does not wait for the limit', async () => {
  const {submit, until, state} = await open([[limited]], {waitsForLimits: true});
  await submit('one', {isSentOnce: true});
  await until(({lastTurn}) => lastTurn?.turn === 1, 'the turn');
  expect(state().queue.limit).toBeUndefined();
  expect(notices(state())).toEqual([]);
});

test('what Claude reports of its limit counts', async () => {
  const resetsAt = Math.floor(Date.now() / 1000) + 7200;
  const reported = (info: object): ScriptStep => ({
    update: {sessionUpdate: 'usage_update', used: 1, size: 100, _meta: {'_claude/rateLimit': info}},
  });
  const failed: ScriptStep = {fail: {code: -32603, message: 'Internal error: no more'}};
  const {prompt, until} = await openScripted({
    turns: [
      [reported({status: 'rejected', resetsAt}), failed],
      [reported({status: 'rejected', resetsAt}), reported({status: 'allowed', resetsAt}), failed],
    ],
  });
  prompt('one');
  const {queue} = await until(({lastTurn}) => lastTurn?.turn === 1, 'the first turn');
  expect(queue.limit?.until).toBe(resetsAt * 1000);
  prompt('two');
  const ended = await until(({lastTurn}) => lastTurn?.turn === 2, 'the second turn');
  expect(ended.queue.limit).toBeUndefined();
});
