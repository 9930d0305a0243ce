import {RequestError} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {editorPrompts} from '../../../../src/modes/acp-agent/editor-prompt.ts';
import type {QueueChange, SendingChange} from '../../../../src/session/queue/queue-changes.ts';
import {DONE} from '../../../../src/shared/failure.ts';
import {opened, prompted, reduceEvents, text, type UntimedEvent} from '../../../support/session/build.ts';

const CANCELLED = {stopReason: 'cancelled'};

/** The prompts of an editor, and the session that they go to; `done` is what was asked of it. */
function openPrompts() {
  let state = opened;
  const done: string[] = [];
  const prompts = editorPrompts({
    state: () => state,
    actions: {
      cancel: () => void done.push('cancel'),
      async changeQueue(change) {
        done.push(change.kind);
        queueChanged(change);
        return Promise.resolve(DONE);
      },
    },
    errorOf: ({kind}) => RequestError.internalError(undefined, kind),
    commands: async () => Promise.resolve({commands: [], unusable: [], problems: []}),
  });
  function emit(event: UntimedEvent) {
    const before = state;
    state = reduceEvents(before, event);
    prompts.follow({...event, at: 0}, before);
  }
  const queueChanged = (change: QueueChange | SendingChange) => emit({type: 'queue_changed', change});
  /** Sends a prompt, until its conversation has taken it from the queue. */
  async function take() {
    const response = prompts.send(async () => Promise.resolve([text('/tests')]));
    await expect.poll(() => state.queue.prompts.length).toBe(1);
    queueChanged({kind: 'taken', id: state.queue.prompts[0]!.id});
    return {response};
  }
  return {prompts, emit, queueChanged, take, done, state: () => state};
}

test('a prompt is cancelled while its commands run, and does not stay in the queue', async () => {
  const {prompts, take, queueChanged, done, state} = openPrompts();
  const {response} = await take();
  prompts.cancel();
  expect(done).toEqual(['submit', 'cancel']);
  expect(prompts.isOnItsWay()).toBe(true);
  queueChanged({kind: 'not_sent'});
  expect(await response).toEqual(CANCELLED);
  expect(state().queue.prompts).toEqual([]);
});

test('a prompt that was sent although it was cancelled has its turn cancelled', async () => {
  const {prompts, take, emit, done} = openPrompts();
  await take();
  prompts.cancel();
  emit(prompted('/tests'));
  expect(done).toEqual(['submit', 'cancel', 'cancel']);
  expect(prompts.isOnItsWay()).toBe(false);
});

test('a prompt is cancelled while its session is made ready for it, and never sent', async () => {
  const {prompts, emit, done} = openPrompts();
  const ready = Promise.withResolvers<void>();
  const response = prompts.send(async () => ready.promise.then(() => [text('go')]));
  expect(prompts.isRunning()).toBe(true);
  const failure = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
  emit({type: 'connection_changed', connection: {kind: 'lost', failure}});
  expect(prompts.isRunning()).toBe(true);
  prompts.cancel();
  expect(await response).toEqual(CANCELLED);
  emit({type: 'connection_changed', connection: {kind: 'ready'}});
  const next = prompts.send(async () => Promise.resolve([text('next')]));
  ready.resolve();
  await expect.poll(() => done).toEqual(['submit']);
  prompts.leave();
  expect(await next).toEqual(CANCELLED);
});

test('a session that cannot be made ready fails the prompt, and takes the next one', async () => {
  const {prompts} = openPrompts();
  const lost = new Error('lost');
  await expect(prompts.send(async () => Promise.reject(lost))).rejects.toBe(lost);
  expect(prompts.isRunning()).toBe(false);
});
