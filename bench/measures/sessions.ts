import {handleKey} from '../../src/app/handlers/index.ts';
import type {KeyPress} from '../../src/app/input/keys.ts';
import {initialApp} from '../../src/app/initial.ts';
import {visibleItems} from '../../src/app/pickers/picker.ts';
import {reduceApp} from '../../src/app/reduce.ts';
import {sessionPicker} from '../../src/app/pickers/session-picker.ts';
import type {AppState} from '../../src/app/state.ts';
import {joinSessions} from '../../src/window/sessions/session-rows.ts';
import type {ListedSession} from '../../src/session/actions.ts';
import {initialSession} from '../../src/session/initial.ts';
import {median, quantile, type Measure} from '../row.ts';
import type {SessionRow} from '../../src/app/pickers/listings.ts';

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
