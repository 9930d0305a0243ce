import {afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import type {Chunk} from '../../../../components/chunks/chunks.ts';
import {createMessageStream} from '../../../../components/chunks/message-stream.ts';
import {lacksNothing, rowsOfChunk} from '../../../../components/chunks/chunk-rows.ts';
import {rowsOfOpenPlan} from '../../../../components/transcript/plan.tsx';
import type {AgentMessageEntry} from '../../../../src/session/entries.ts';
import {onArrival} from '../../../../src/worker/arrivals.ts';
import {startDrawing, useThreads} from '../../../../src/worker/background.ts';
import {runTask} from '../../../../src/worker/tasks.ts';
import {plainTheme} from '../../../support/screen/theme.ts';
import {drawBlocks, plain} from '../../../support/text/blocks.ts';
import {inProcess} from '../../../support/in-process.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});
afterAll(() => useThreads(inProcess));

/** A thread that answers when it is told to. */
function openSlowThread() {
  const answers: (() => void)[] = [];
  useThreads(({onReady, onOutput}) => {
    queueMicrotask(onReady);
    const post: typeof runTask = (name, input) =>
      void answers.push(() => onOutput(runTask(name, structuredClone(input))));
    return {post, received: () => undefined, end() {}};
  });
  startDrawing();
  return {
    answerAll: () => {
      for (let next = answers.shift(); next !== undefined; next = answers.shift()) next();
    },
  };
}

function message(text: string): AgentMessageEntry {
  const content = [{type: 'text', text}] as const;
  return {type: 'agent_message', id: '1', at: 0, turn: 1, messageId: 'm', complete: false, content};
}

test('a growing message is shown as it was until more of it is rendered, and never as its source', async () => {
  const thread = openSlowThread();
  await Promise.resolve();
  const stream = createMessageStream('1');
  const theme = plainTheme();
  const shown: string[][] = [];
  const show = (chunks: readonly Chunk[]) => shown.push(chunks.flatMap((chunk) => rowsOfChunk(chunk, theme)));
  const grow = (text: string): readonly Chunk[] => {
    const {finished, tail} = stream.take(message(text));
    return [...finished, ...(tail === undefined ? [] : [tail])];
  };
  const take = (text: string) => {
    const chunks = grow(text);
    show(chunks);
    const isComplete = () => chunks.every((chunk) => lacksNothing(chunk, theme));
    const isThere = isComplete();
    while (!isComplete()) thread.answerAll();
    show(chunks);
    return isThere;
  };
  take('**One**');
  expect(take('**One** and **two**')).toBe(false);
  expect(take('**One** and **two**\n\n- **three**')).toBe(false);
  // Only the very first one has nothing before it.
  expect(shown).toEqual([
    ['  **One**'],
    ['  One'],
    ['  One'],
    ['  One and two'],
    ['  One and two'],
    ['  One and two', '  • three'],
  ]);
});

test('the rendered end of a growing message is announced when no more follows, as each step shows what came before', async () => {
  const thread = openSlowThread();
  await Promise.resolve();
  vi.runAllTimers();
  let announced = 0;
  onTestFinished(onArrival(() => announced++));
  const stream = createMessageStream('1');
  for (const text of ['It', 'It grows', 'It grows on']) {
    const {tail} = stream.take(message(text));
    expect(tail && lacksNothing(tail, plainTheme())).toBe(false);
    thread.answerAll();
    vi.advanceTimersByTime(45);
  }
  expect(announced).toBe(0);
  vi.advanceTimersByTime(50);
  expect(announced).toBe(1);
  const {finished} = stream.take({...message('It grows on.'), complete: true});
  expect(finished.every((chunk) => lacksNothing(chunk, plainTheme()))).toBe(false);
  thread.answerAll();
  vi.advanceTimersByTime(8);
  expect(announced).toBe(2);
});

test('a plan in Markdown is shown as rendered once that has arrived', async () => {
  const thread = openSlowThread();
  await Promise.resolve();
  const content = {type: 'markdown', planId: 'a', content: '**One**'} as const;
  const theme = plainTheme();
  expect(rowsOfOpenPlan(content, 5, theme)).toEqual(['Plan', '**One**']);
  thread.answerAll();
  expect(rowsOfOpenPlan(content, 5, theme)).toEqual(['Plan', 'One']);
});

test('a message of which an earlier state is drawn again, as a search does, has no text twice', () => {
  const stream = createMessageStream('1');
  const [earlier, later, last] = ['One', 'One and two', 'One and two.\n\nThree'].map(message);
  for (const state of [earlier!, later!, earlier!]) stream.take(state);
  const {finished, tail} = stream.take(last!);
  const blocks = [...finished, tail].map((chunk) => chunk?.kind === 'block' && chunk.block.source);
  expect(blocks).toEqual(['One and two.\n\n', 'Three']);
});

test('a message that is whole when it is first drawn has the addresses of links that it defines later', () => {
  const {finished} = createMessageStream('1').take({
    ...message('See [it][1].\n\n[1]: https://a.example\n'),
    complete: true,
  });
  const blocks = finished.flatMap((chunk) => (chunk.kind === 'block' ? [chunk.block] : []));
  expect(drawBlocks(blocks, plain)).toEqual(['See it (https://a.example).']);
});
