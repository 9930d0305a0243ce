import {handleKey} from '../../src/app/handlers/index.ts';
import type {KeyPress} from '../../src/app/input/keys.ts';
import {initialApp, createTab} from '../../src/app/initial.ts';
import {visibleItems} from '../../src/app/pickers/picker.ts';
import {reduceApp} from '../../src/app/reduce.ts';
import {sessionPicker} from '../../src/app/pickers/session-picker.ts';
import type {AppState} from '../../src/app/state.ts';
import {joinSessions} from '../../src/window/sessions/session-rows.ts';
import type {ListedSession} from '../../src/session/actions.ts';
import {initialSession} from '../../src/session/initial.ts';
import {median, quantile, type Measure} from '../row.ts';
import type {SessionRow} from '../../src/app/pickers/listings.ts';
import {boardRows, countsOf, groupOf} from '../../src/app/board/board-rows.ts';
import {applyReaction} from '../../src/app/effects.ts';

/** A frame, in milliseconds. */
const FRAME = 16;
const ROUNDS = 9;
const TYPED = ['parser tests', 'sky', 'zq', 'flky', 'deploy 99'];
const WORDS = ['parser', 'tests', 'sky', 'deploy', 'config', 'flaky', 'list', 'terminal'];

/** Each key typed into the list of 10,000 sessions, with the resulting list; and the cost of an arriving page. */
export const sessions: Measure = {
  name: 'sessions',
  run(scale) {
    const count = Math.round(10_000 * scale);
    const listed = Array.from({length: count}, (_, index) => session(index));
    const rows = () =>
      [...joinSessions([], [{name: 'Agent', agent: undefined, sessions: listed}]).values()].map(
        ({row}) => row,
      );
    const opened = listing(rows());
    const rounds = Array.from({length: ROUNDS}, () => TYPED.flatMap((text) => typed(opened, text)));
    // The median of several rounds: in use, the program is warm.
    const keys = (rounds[0] ?? []).map((_, index) =>
      median(rounds.map((round) => round[index] ?? Number.NaN)),
    );
    const plain = TYPED.flatMap((text) =>
      Array.from(text, (_, index) =>
        timed(() => listed.filter(({title = ''}) => title.includes(text.slice(0, index + 1)))),
      ),
    );
    const growing = Array.from({length: 5}, () => timed(() => listing(rows())));
    return Promise.resolve([
      {
        what: `key in the list of ${count} sessions, worst of ${keys.length}`,
        unit: 'ms',
        value: quantile(keys, 1),
        baseline: quantile(plain, 1),
        target: FRAME,
      },
      {
        what: `list of ${count} sessions drawn anew when it has grown`,
        unit: 'ms',
        value: median(growing),
        baseline: median(plain),
        target: 10 * FRAME,
      },
    ]);
  },
};

function session(index: number): ListedSession {
  const title = [index, index * 7, index * 3].map((word) => WORDS[word % WORDS.length]).join(' ');
  return {
    sessionId: `session-${index}`,
    cwd: `/home/someone/project-${index % 50}`,
    additionalDirectories: [],
    title: `${title} ${index}`,
    updatedAt: 1_700_000_000_000 + index * 60_000,
  };
}

function listing(rows: readonly SessionRow[]): AppState {
  const at = 1_800_000_000_000;
  const session = initialSession({cwd: '/project', additionalDirectories: [], at});
  const state = initialApp({
    session: {key: 'one', agentLabel: 'agent', session, approval: 'none'},
    theme: 'dark',
  });
  const picker = sessionPicker({scope: 'everywhere', isGrowing: false, rows, at});
  return reduceApp(state, {type: 'overlay_opened', overlay: {kind: 'picker', picker}});
}

/** The duration of each key, including reading the list as a frame does. */
function typed(opened: AppState, text: string): readonly number[] {
  let state = opened;
  return Array.from(text, (character, index) =>
    timed(() => {
      const key: KeyPress = {
        kind: 'key',
        name: character === ' ' ? 'space' : character,
        text: character,
        ctrl: false,
        alt: false,
        shift: false,
        at: 2_000_000_000_000 + index * 100,
      };
      for (const event of handleKey(state, key).events) state = reduceApp(state, event);
      const {overlay} = state;
      if (overlay.kind !== 'picker' || overlay.picker.filter.length !== index + 1)
        throw new Error('nothing typed');
      visibleItems(overlay.picker);
    }),
  );
}

function timed(action: () => unknown): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}

const OPEN = 50;
const STREAMING = 5;
const KEYS = 400;
const NOW = 1_800_000_000_000;

/** The board with many open sessions of which some stream: a key between chunks, and opening it; and a chunk while it is closed. */
export const board: Measure = {
  name: 'board',
  run(scale) {
    const closed = withSessions();
    const open = boardOf(closed);
    const count = Math.max(50, Math.round(KEYS * scale));
    let state = open;
    const keys = Array.from({length: count}, (_, index) => {
      state = chunk(state, index);
      return timed(() => {
        state = pressed(state, index);
        draw(state);
      });
    });
    const openings = Array.from({length: 30}, () => timed(() => draw(boardOf(closed))));
    const without = chunks(one(), count);
    return Promise.resolve([
      {
        what: `key on the board of ${OPEN} sessions, ${STREAMING} of which stream, p99`,
        unit: 'ms',
        value: quantile(keys, 0.99),
        target: 25,
      },
      {what: `board of ${OPEN} sessions opened and drawn`, unit: 'ms', value: median(openings), target: 50},
      {
        what: 'chunk while the board is closed (baseline: a single session)',
        unit: 'µs',
        value: 1000 * median(chunks(closed, count)),
        baseline: 1000 * median(without),
        target: 2,
        of: 'ratio',
      },
    ]);
  },
};

function one(): AppState {
  const session = initialSession({cwd: '/project', additionalDirectories: [], at: NOW});
  return initialApp({session: {key: 's0', agentLabel: 'agent', session, approval: 'none'}, theme: 'dark'});
}

function withSessions(): AppState {
  const session = initialSession({cwd: '/project', additionalDirectories: [], at: NOW});
  const tabs = Array.from({length: STREAMING}, (_, index) =>
    createTab({key: `s${index}`, agentLabel: 'agent', session, approval: 'none'}),
  );
  return tabs.reduce((state, tab) => {
    const added = reduceApp(state, {type: 'session_added', key: tab.key, tab});
    const content = [{type: 'text' as const, text: 'go'}];
    return reduceApp(added, {
      type: 'session',
      key: tab.key,
      event: {type: 'prompt_started', turn: 1, content, at: NOW},
      at: 0,
    });
  }, one());
}

function boardOf(state: AppState): AppState {
  const stored = Array.from({length: OPEN - STREAMING}, (_, index): SessionRow => ({
    id: `id${index}`,
    title: `task number ${index}`,
    firstPrompt: undefined,
    at: NOW - index * 60_000,
    cwd: `/home/someone/project-${index}`,
    branch: 'main',
    agent: 'Agent',
    bytes: 1000,
    status: 'idle',
    says: 'What it said last',
    byPrint: false,
  }));
  const begun = reduceApp(state, {type: 'board_opened'});
  return reduceApp(begun, {type: 'board_changed', change: {stored, at: NOW}});
}

function chunk(state: AppState, index: number): AppState {
  const content = {type: 'text', text: `word ${index} `} as const;
  const update = {sessionUpdate: 'agent_message_chunk', content} as const;
  const key = `s${index % STREAMING}`;
  const event = {type: 'session_update', update, at: NOW + index} as const;
  return reduceApp(state, {type: 'session', key: state.sessions[key] ? key : 's0', event, at: index});
}

function chunks(start: AppState, count: number): readonly number[] {
  let state = start;
  return Array.from({length: count}, (_, index) => timed(() => (state = chunk(state, index))));
}

function pressed(before: AppState, index: number): AppState {
  const key: KeyPress = {
    kind: 'key',
    name: index % 2 === 0 ? 'down' : 'x',
    text: index % 2 === 0 ? '' : 'x',
    ctrl: false,
    alt: false,
    shift: false,
    at: 2_000_000 + index * 100,
  };
  let state = before;
  const store = {
    dispatch: (event: Parameters<typeof reduceApp>[1]) => void (state = reduceApp(state, event)),
  };
  applyReaction(handleKey(before, key), store, () => undefined);
  return state;
}

/** What a frame needs of the board. */
function draw({board: view, ...state}: AppState): void {
  if (!view) throw new Error('the board is closed');
  const rows = boardRows(state, view);
  for (const row of rows) groupOf(row, view);
  countsOf(rows);
}
