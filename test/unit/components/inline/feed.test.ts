import {expect, onTestFinished, test, vi} from 'vitest';
import {createFeed} from '../../../../components/inline/feed.ts';
import type {Chunk} from '../../../../components/chunks/chunks.ts';
import {lacksNothing} from '../../../../components/chunks/chunk-rows.ts';
import {announceArrival} from '../../../../src/worker/arrivals.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {useThreads} from '../../../../src/worker/background.ts';
import {colorTheme} from '../../../support/screen/theme.ts';
import {inProcess} from '../../../support/in-process.ts';
import {conversation, ended, prompt, says} from '../../../support/session/conversation.ts';

const LIMITS = {heightOf: () => 1, liveRows: 20, pageRows: 20, isAsked: () => false};

/** Of a window with one session that nothing holds back. */
const feedOf = (session: () => SessionState) => ({
  shown: () => ({key: 'one', session: session(), title: '', start: undefined}),
  isLinear: false,
  fullTranscriptKey: () => 'Ctrl+O',
  isHeld: () => false,
  isAway: () => false,
  isTailOnly: () => false,
});

test.each([
  ['rust', '```rust\nfn main() {}\n```\n'],
  ['kotlin', '- As here:\n\n  ```kotlin\n  fun main() {}\n  ```\n'],
])(
  'code (%s) is drawn without colors, but not printed, until the thread has highlighted it',
  async (_, source) => {
    const ready = Promise.withResolvers<() => void>();
    useThreads((events) => inProcess({...events, onReady: () => ready.resolve(events.onReady)}));
    const talk = conversation();
    talk.report(prompt(1), says(source), ended(1));
    const session = talk.session();
    const theme = colorTheme();
    const printed: {readonly chunk: Chunk; readonly isComplete: boolean}[] = [];
    const feed = createFeed({
      ...feedOf(() => session),
      limits: () => ({...LIMITS, canPrint: (chunk) => lacksNothing(chunk, theme)}),
      print: (pieces) =>
        printed.push(...pieces.map(({chunk}) => ({chunk, isComplete: lacksNothing(chunk, theme)}))),
    });
    feed.refresh();
    const isCode = (chunk: Chunk) => chunk.kind === 'block' && chunk.block.source.includes('main');
    await expect.poll(() => feed.getSnapshot().live.some(({chunk}) => isCode(chunk))).toBe(true);
    expect(printed.some(({chunk}) => isCode(chunk))).toBe(false);
    (await ready.promise)();
    await expect.poll(() => printed.some(({chunk}) => isCode(chunk))).toBe(true);
    expect(printed.every(({isComplete}) => isComplete)).toBe(true);
    feed.close();
  },
);

test('what has arrived is drawn once, with the next step of a text if that comes before it is announced', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const talk = conversation();
  talk.report(prompt(1), says('It grows'));
  const feed = createFeed({
    ...feedOf(() => talk.session()),
    limits: () => ({...LIMITS, canPrint: () => true}),
    print: () => undefined,
  });
  feed.refresh();
  vi.runAllTimers();
  let frames = 0;
  feed.subscribe(() => frames++);
  announceArrival({isDraft: true});
  vi.advanceTimersByTime(20);
  expect(frames).toBe(0);
  talk.report(says(' on'));
  feed.refresh();
  vi.runAllTimers();
  expect(frames).toBe(1);
  announceArrival({isDraft: true});
  vi.runAllTimers();
  expect(frames).toBe(2);
  feed.close();
});
