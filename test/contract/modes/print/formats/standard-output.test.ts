import {Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {startFake} from '../run-fake.ts';

test('a closed standard output cancels the turn and exits silently with 141', async () => {
  const broken = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'})),
  });
  const {conversation, io, exitCode} = startFake(
    ['hello'],
    async (agent) => {
      agent.say('Nobody reads this.');
      await agent.cancelled;
      return 'cancelled';
    },
    {stdout: broken},
  );
  expect(await exitCode).toBe(141);
  expect(io.err()).toBe('');
  expect(conversation.calls).toEqual(['open', 'cancel', 'close']);
});

/** A reader that reads nothing until it is released, and then everything. */
function stuckReader(): {stream: Writable; release: () => void; got: () => string} {
  const chunks: string[] = [];
  const released = Promise.withResolvers<void>();
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      void released.promise.then(() => process.nextTick(done));
    },
  });
  return {stream, release: () => released.resolve(), got: () => chunks.join('')};
}

test('a slow reader slows down the agent and gets everything in the end', async () => {
  const reader = stuckReader();
  const {exitCode} = startFake(
    ['hello'],
    async (agent) => {
      expect(agent.pace()).toBeUndefined();
      agent.say('a line that is longer than the reader takes\n');
      await expect.poll(() => agent.pace() instanceof Promise).toBe(true);
      const held = agent.pace();
      reader.release();
      await held;
      expect(agent.pace()).toBeUndefined();
      agent.say('and another one');
      return 'end_turn';
    },
    {stdout: reader.stream},
  );
  expect(await exitCode).toBe(0);
  expect(reader.got()).toBe('a line that is longer than the reader takes\nand another one\n');
});

test('a reader that never reads cannot block an interrupted run', async () => {
  const reader = stuckReader();
  const {io, exitCode} = startFake(
    ['hello'],
    async (agent) => {
      agent.say('a line that is longer than the reader takes\n');
      io.signal('SIGINT');
      io.signal('SIGINT');
      return 'never';
    },
    {stdout: reader.stream},
  );
  expect(await exitCode).toBe(130);
});
