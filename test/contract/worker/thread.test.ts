import {afterAll, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {arrivalCount} from '../../../src/worker/arrivals.ts';
import {wholeBlock} from '../../support/text/blocks.ts';
import {
  awaitTaskOutput,
  taskOutputIfReady,
  startDrawing,
  useThreads,
} from '../../../src/worker/background.ts';
import {TaskQueue} from '../../../src/worker/task-queue.ts';
import {startThread, type StartThread} from '../../../src/worker/thread.ts';
import {inProcess} from '../../support/in-process.ts';

// The thread is real here.
beforeEach(() => useThreads(startThread));
afterAll(() => useThreads(inProcess));

/** A text on which the grammar of Markdown takes minutes. */
const ENDLESS = '[x](`'.repeat(20_000);

const code = (text: string, language = 'ts') => ({language, texts: [text]});
const highlighted = (of: object, text: string, language?: string) =>
  taskOutputIfReady('highlight', {of, input: () => code(text, language)});

async function whenReady(): Promise<void> {
  const before = arrivalCount();
  startDrawing();
  await expect.poll(arrivalCount).toBeGreaterThan(before);
}

test('a thread has the output some time after something was drawn without it, and announces it', async () => {
  const early = {};
  expect(highlighted(early, 'const a = 1')).toBeUndefined();
  await expect.poll(() => highlighted(early, 'const a = 1')).toBeTruthy();
  const later = {};
  await expect
    .poll(() => highlighted(later, 'let b')?.[0]?.[0]?.[0])
    .toEqual({text: 'let', token: 'keyword'});
});

test('a drawing that makes anew what it asks about asks the thread once', async () => {
  let posted = 0;
  useThreads((events) => {
    const thread = startThread(events);
    return {...thread, post: (...task) => (posted++, thread.post(...task))};
  });
  const draws = () => [
    highlighted({}, 'const a = 1'),
    highlighted({}, `let b${' '.repeat(2_000_001)}`, 'none'),
  ];
  await expect.poll(draws).not.toContain(undefined);
  const arrivals = arrivalCount();
  expect(draws()).toEqual([expect.any(Array), expect.any(Array)]);
  expect(draws()).toEqual(draws());
  expect({posted, arrivals: arrivalCount()}).toEqual({posted: 2, arrivals});
});

test('a thread keeps the program running until its last task is done', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  const running: number[] = [];
  const ready = Promise.withResolvers<void>();
  const thread = startThread({
    onReady: ready.resolve,
    onOutput: () => running.push(ports() - before),
    onEnd: () => ready.reject(new Error('The thread has ended.')),
  });
  await ready.promise;
  for (const text of ['# One', '# Two']) thread.post('html', text);
  await expect.poll(() => running).toEqual([1, 0]);
  thread.end();
});

test('a text that takes too long ends its thread; the next one gets a new thread', async () => {
  await whenReady();
  const [endless, other] = [{}, {}];
  expect(highlighted(endless, ENDLESS, 'markdown')).toBeUndefined();
  expect(highlighted(other, 'const a = 1')).toBeUndefined();
  await expect.poll(() => highlighted(endless, ENDLESS, 'markdown')).toBeNull();
  await expect.poll(() => highlighted(other, 'const a = 1')).toBeTruthy();
});

test('a text has longer on a busy machine, where its thread gets little of the processor', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const startIdle: StartThread = ({onReady}) => {
    setTimeout(onReady, 0);
    return {post() {}, received: () => undefined, end() {}};
  };
  let used = 0;
  const queue = new TaskQueue({startThread: startIdle, timeLimit: 1000, processorTime: () => used});
  const outputs: unknown[] = [];
  const run = () => queue.run({name: 'html', input: '', finish: (output) => outputs.push(output)});
  run();
  await vi.advanceTimersByTimeAsync(900);
  used = 300;
  await vi.advanceTimersByTimeAsync(600);
  expect(outputs).toEqual([]);
  used = 1000;
  await vi.advanceTimersByTimeAsync(700);
  expect(outputs).toEqual([null]);
  // But not for ever.
  run();
  await vi.advanceTimersByTimeAsync(9000);
  expect(outputs).toEqual([null]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(outputs).toEqual([null, null]);
});

test('a draft is dropped while another task runs, and drawn after it', async () => {
  await whenReady();
  expect(highlighted({}, ENDLESS, 'markdown')).toBeUndefined();
  const draft = {};
  const input = () => code('const a = 1');
  expect(taskOutputIfReady('highlight', {of: draft, input, isDraft: true})).toBeUndefined();
  await expect.poll(() => taskOutputIfReady('highlight', {of: draft, input, isDraft: true})).toBeTruthy();
});

test('what is written to a file is waited for', async () => {
  const block = wholeBlock('# One');
  const look = {level: 0, emphasis: true, hyperlinks: false, inks: {}, surface: undefined} as never;
  expect(await awaitTaskOutput('render', {block, columns: 20, look, highlight: false})).toEqual(['One']);
  expect(await awaitTaskOutput('html', '# One')).toContain('<h1>One</h1>');
});

test('of a flood of texts that take too long, most are not run', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let starts = 0;
  const startSlow: StartThread = ({onReady}) => {
    starts++;
    setTimeout(onReady, 50);
    return {post() {}, received: () => undefined, end() {}};
  };
  const processorTime = () => performance.now();
  const queue = new TaskQueue({startThread: startSlow, timeLimit: 1000, processorTime});
  const outputs: unknown[] = [];
  for (let text = 0; text < 20; text++)
    queue.run({
      name: 'highlight',
      input: code(ENDLESS, 'markdown'),
      finish: (output) => outputs.push(output),
    });
  await vi.advanceTimersByTimeAsync(5000);
  expect(outputs).toEqual(Array.from({length: 20}, () => null));
  expect(starts).toBe(4);
});

test('a thread that cannot start is not started forever, and nothing is drawn by it', async () => {
  let starts = 0;
  useThreads(({onEnd}) => {
    starts++;
    setImmediate(onEnd);
    return {post() {}, received: () => undefined, end() {}};
  });
  const of = {};
  expect(highlighted(of, 'const a')).toBeUndefined();
  await expect.poll(() => highlighted(of, 'const a')).toBeNull();
  expect(highlighted({}, 'const a')).toBeNull();
  expect(starts).toBe(3);
});

test('what waits behind a task that takes too long is run in the next thread', async () => {
  await whenReady();
  const outputs: unknown[] = [];
  const queue = new TaskQueue({startThread, timeLimit: 300});
  const run = (text: string, language: string) =>
    queue.run({name: 'highlight', input: code(text, language), finish: (output) => outputs.push(output)});
  run(ENDLESS, 'markdown');
  for (let index = 0; index < 20; index++) run('let b', 'ts');
  await expect.poll(() => outputs.length, {timeout: 20_000}).toBe(21);
  expect(outputs[0]).toBeNull();
  expect(outputs.slice(1).every((output) => output !== null)).toBe(true);
});
