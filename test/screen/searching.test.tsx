import {Text} from 'ink';
import {render} from 'ink-testing-library';
import {useSyncExternalStore} from 'react';
import {expect, onTestFinished, test, vi} from 'vitest';
import {useSearch} from '../../components/viewer/search-transcript.ts';
import {createTranscriptRows} from '../../components/viewer/transcript-rows.ts';
import {END} from '../../src/app/pages/viewer.ts';
import type {SessionState} from '../../src/session/state.ts';
import {announceArrival, arrivalCount, onArrival} from '../../src/worker/arrivals.ts';
import {useThreads} from '../../src/worker/background.ts';
import {runTask} from '../../src/worker/tasks.ts';
import {inProcess} from '../support/in-process.ts';
import {plainTheme} from '../support/screen/theme.ts';
import {conversation, ended, prompt, says, tool} from '../support/session/conversation.ts';

const theme = plainTheme({columns: 60, extent: 'whole'});

/** Searches a transcript as a window does that is drawn again with each arrival; `onRow` is called for each entry searched. */
function searchIn(session: SessionState, search: string, onRow: () => void = () => undefined) {
  const found: string[][] = [];
  const drawn = createTranscriptRows();
  const rowsOf: typeof drawn.rowsOf = (source, index) => {
    onRow();
    return drawn.rowsOf(source, index);
  };
  const source = {session, theme, isFolded: () => false, end: []};
  const view = drawn.view(source, END, 5);
  function Searching() {
    useSyncExternalStore(onArrival, arrivalCount);
    useSearch({transcript: {...drawn, rowsOf}, source, view, search, folds: ''}, ({hits}) =>
      found.push(hits.map(({id}) => id)),
    );
    return <Text>searching</Text>;
  }
  const {unmount} = render(<Searching />);
  return {found, unmount};
}

function long(count: number): SessionState {
  const talk = conversation();
  const calls = Array.from({length: count}, (_, index) => tool(String(index), 'completed'));
  talk.report(prompt(1), ...calls, says('a &lt; b'), ended(1));
  return talk.session();
}

test('a search ends while more and more arrives, and takes in what has arrived', async () => {
  let isAnswering = true;
  // Entries take a while, so that something arrives in each slice.
  const drawSlowly = () => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    if (isAnswering) announceArrival();
  };
  const {found, unmount} = searchIn(long(100), 'tool 5', drawSlowly);
  await expect.poll(() => found.length).toBeGreaterThan(0);
  expect(found[0]).toHaveLength(11);
  isAnswering = false;
  const before = found.length;
  await expect.poll(() => found.length).toBeGreaterThan(before);
  unmount();
});

test('a search in a long transcript finds what is drawn, not what was sent', async () => {
  const session = long(2500);
  for (const search of ['a < b', ' min ']) {
    const {found, unmount} = searchIn(session, search);
    await expect.poll(() => found.at(-1)).toHaveLength(1);
    unmount();
  }
});

test('a search goes on once what it has asked for is rendered, so that a growing answer has its turn', async () => {
  const answers: (() => void)[] = [];
  useThreads(({onReady, onOutput}) => {
    queueMicrotask(onReady);
    const post: typeof runTask = (name, input) => void answers.push(() => onOutput(runTask(name, input)));
    return {post, received: () => undefined, end() {}};
  });
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => {
    vi.useRealTimers();
    useThreads(inProcess);
  });
  const talk = conversation();
  talk.report(
    prompt(1),
    ...Array.from({length: 50}, (_, index) => says(`**${index}** &lt;\n\n`, `m${index}`)),
  );
  let rows = 0;
  const drawSlowly = () => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    rows++;
  };
  const {found, unmount} = searchIn(talk.session(), '<', drawSlowly);
  const searchedBy = (milliseconds: number) => {
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) next();
    vi.advanceTimersByTime(milliseconds);
    return rows;
  };
  await expect.poll(() => searchedBy(1000)).toBeGreaterThan(0);
  expect(rows).toBeLessThan(25);
  expect(found).toEqual([]);
  await expect.poll(() => searchedBy(10) && found.at(-1)).toHaveLength(50);
  unmount();
});
