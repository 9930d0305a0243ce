import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  type Arbitrary,
} from 'fast-check';
import {expect, test} from 'vitest';
import {hintLine} from '../../../../support/window/hint-text.ts';
import {menuOf} from '../../../../../src/app/completion/menu.ts';
import {draftText, type Draft} from '../../../../../src/app/editor/draft.ts';
import {statusLine} from '../../../../../src/app/status/status-line.ts';
import {stallText} from '../../../../../src/app/status/progress.ts';
import {activityText} from '../../../../support/window/activity-text.ts';
import {askToOpen, askWithForm} from '../asking.ts';
import {
  windowWithRequest,
  lost,
  openWindow,
  press,
  type TestWindow,
  workingWindow,
} from '../../../../support/window/app-window.ts';

const keys = `enter tab escape up down home end pageup pagedown backspace space delete
  ctrl+c ctrl+t ctrl+l ctrl+d ctrl+w ctrl+j ctrl+_ shift+tab alt+up alt+down ctrl+s ctrl+enter alt+p
  1 2 3 9 y a n d r e s ? / q x \\`.split(/\s+/);

/** An action, with a name so that a counterexample is readable. */
interface Move {
  readonly name: string;
  readonly make: (window: TestWindow) => void;
}

function move(name: string, make: Move['make']): Move {
  return {name, make};
}

function inTurn(name: string, make: Move['make']): Move {
  return move(name, (window) => {
    if (window.open.session.turn.kind !== 'idle') make(window);
  });
}

const kinds = ['allow_once', 'allow_always', 'reject_once'] as const;

const agentMoves: readonly Move[] = [
  inTurn('end', (window) => window.endTurn()),
  inTurn('end cancelled', (window) => window.endTurn('cancelled')),
  inTurn('end refused', (window) => window.endTurn('refusal')),
  inTurn('fail', (window) => window.failTurn(lost)),
  ...(['taken', 'detached', 'refused'] as const).map((outcome) =>
    move(`steering ${outcome}`, (window) => window.answerSteering(outcome)),
  ),
  move('lost', (window) => window.connect({kind: 'lost', failure: lost})),
  move('ready', (window) => window.connect({kind: 'ready'})),
  move('sign in', (window) =>
    window.connect({kind: 'authentication_required', methods: [{id: 'key', name: 'Key'}]}),
  ),
  move('call changes', (window) =>
    window.update({sessionUpdate: 'tool_call_update', toolCallId: 'call-1', title: `At ${window.now}`}),
  ),
];

function pressing(key: string): Move {
  return move(key, (window) => window.press(key));
}

function drawing(rows: {readonly visibleRows: number; readonly totalRows: number}): Move {
  return move(`draw ${rows.visibleRows}/${rows.totalRows}`, (window) => {
    if (window.state.request) window.draw(rows);
  });
}

const size = record({visibleRows: integer({min: 0, max: 10}), totalRows: integer({min: 0, max: 30})});

const anyMove: Arbitrary<Move> = oneof(
  {weight: 6, arbitrary: constantFrom(...keys).map(pressing)},
  {weight: 1, arbitrary: constantFrom(...agentMoves)},
  {
    weight: 1,
    arbitrary: constantFrom('1', '2', '3').map((id) =>
      inTurn(`ask ${id}`, (window) => window.ask(id, kinds)),
    ),
  },
  {
    weight: 2,
    arbitrary: size.map(drawing),
  },
  {
    weight: 2,
    arbitrary: constantFrom(50, 300, 1000, 6000).map((ms) => move(`wait ${ms}`, (window) => window.wait(ms))),
  },
);

const moves = array(anyMove, {maxLength: 60});

/** True if an invariant holds after every action, and every label can be computed. */
function always(
  window: TestWindow,
  made: readonly Move[],
  holds: (before: TestWindow['state'], sent: number) => boolean,
): boolean {
  return made.every(({make}) => {
    const before = window.state;
    const sent = window.sent.length;
    make(window);
    return holds(before, sent);
  });
}

test('no sequence of keys and events throws, and something always has the focus', () => {
  const forms = [move('form', (window) => askWithForm(window)), move('url', (window) => askToOpen(window))];
  const runs = property(
    array(oneof({weight: 6, arbitrary: anyMove}, constantFrom(...forms)), {maxLength: 60}),
    (made) => {
      const window = openWindow();
      return always(window, made, () => {
        const {state, open: tab, now} = window;
        const said = [hintLine(state), menuOf(state), statusLine(state, now), activityText(tab, now)];
        const places = [state.request?.id, ...tab.session.queue.prompts.map(({id}) => id)];
        const isSomewhere = state.focus.kind === 'prompt' || places.includes(state.focus.id);
        return said.length > 0 && stallText(state, now) !== null && isSomewhere;
      });
    },
  );
  expect(() => assert(runs)).not.toThrow();
});

test('no command is allowed with a row that was not shown since its last change', () => {
  const partly = record({visibleRows: integer({min: 0, max: 5}), totalRows: integer({min: 4, max: 12})});
  const changes = agentMoves.filter(({name}) => name === 'call changes');
  const near = oneof(
    constantFrom('tab', 'y', 'a', 'n', '1', '2', 'enter', 'end', 'home', 'pagedown').map(pressing),
    partly.map(drawing),
    constantFrom(
      ...changes,
      move('wait', (window) => window.wait(1000)),
    ),
  );
  const runs = property(array(near, {maxLength: 40}), (made) => {
    const window = windowWithRequest(kinds, {visibleRows: 2, totalRows: 9});
    window.ask('2', kinds);
    // Separate from the window's state: the rows of the request that this test put on the screen.
    let rows = {of: 'nothing', total: 9, seen: new Set<number>()};
    const isSeen = (id: string) => id === rows.of && rows.seen.size === rows.total;
    rows = {of: '1', total: 9, seen: new Set([0, 1])};
    return made.every(({name, make}) => {
      const answers = window.answers.length;
      make(window);
      const {request} = window.state;
      const scroll = request?.scroll ?? {firstRow: 0, visibleRows: 0, totalRows: 1};
      const allowed = window
        .called('answer')
        .slice(answers)
        .filter(([, answer]) => answer.kind === 'option' && kinds[answer.index] !== 'reject_once');
      const holds = allowed.every(([id]) => isSeen(id));
      if (name === 'call changes' && rows.of === '1') rows.seen.clear();
      if (name.startsWith('draw') && request) {
        const isSame = rows.of === request.id && rows.total === scroll.totalRows;
        if (!isSame) rows = {of: request.id, total: scroll.totalRows, seen: new Set()};
        const last = Math.min(scroll.totalRows, scroll.firstRow + scroll.visibleRows);
        for (let row = scroll.firstRow; row < last; row++) rows.seen.add(row);
      }
      return holds;
    });
  });
  expect(() => assert(runs)).not.toThrow();
});

test('a key pressed before a request was drawn never answers it', () => {
  const runs = property(constantFrom(...keys), nat({max: 2000}), boolean(), (key, lead, byTab) => {
    const window = workingWindow();
    window.wait(1000);
    window.ask('1', kinds);
    if (byTab) window.press('tab');
    const early = press(key, window.now);
    window.wait(lead);
    window.draw();
    window.key(early);
    return window.answers.length === 0;
  });
  expect(() => assert(runs)).not.toThrow();
});

test('at most one prompt is sent each time the session becomes idle', () => {
  const runs = property(moves, boolean(), (made, steers) => {
    const window = openWindow({steers});
    return always(window, made, (before, sent) => {
      const {session} = window.open;
      const wasIdle = before.sessions['main']?.session.turn.kind === 'idle';
      const more = window.sent.length - sent;
      return (
        more === 0 ||
        (more === 1 && (wasIdle || session.lastTurn !== before.sessions['main']?.session.lastTurn))
      );
    });
  });
  expect(() => assert(runs)).not.toThrow();
});

test('the agent gets one prompt at a time into a turn, and only while it runs', () => {
  const runs = property(moves, (made) => {
    const window = workingWindow({steers: true});
    window.say('later');
    return always(window, made, () => {
      const {session} = window.open;
      const asked = session.queue.prompts.filter(({steering}) => steering).length;
      return asked === 0 || (asked === 1 && session.turn.kind !== 'idle');
    });
  });
  expect(() => assert(runs)).not.toThrow();
});

/** What ↑, ↓ and undo restore. */
function reachable({browsing, undo}: Draft): string[] {
  const aside = [browsing, ...undo.map((change) => change.browsing?.before)];
  return [
    ...aside.flatMap((places) => Object.values(places?.kept ?? {}).map(({text}) => text)),
    ...undo.map((change) => change.removed),
  ];
}

/** Every place that typed text can be in. */
function kept(window: TestWindow): string {
  const {draft, stash, note, session} = window.open;
  const drafts = [draft, stash, note?.draft].filter((each) => each !== undefined);
  return [
    ...drafts.map(draftText),
    ...session.queue.prompts.map((prompt) => prompt.text),
    ...window.sent,
    ...window.steered,
    ...window.state.history.project,
    ...drafts.flatMap(reachable),
  ].join('\n');
}

test('typed text is in a draft, the note, the queue, the history, or was sent', () => {
  const deleting = new Set(['backspace', 'delete', 'ctrl+w', 'ctrl+d', 'ctrl+_']);
  const keeping = moves.map((made) => made.filter(({name}) => !deleting.has(name)));
  const runs = property(keeping, keeping, boolean(), (before, behind, steers) => {
    const window = openWindow({steers});
    always(window, before, () => true);
    // A list that is filtered would use the text as its filter.
    if (window.state.overlay.kind !== 'none') window.press('escape');
    window.paste('◆');
    return always(window, behind, () => kept(window).includes('◆'));
  });
  expect(() => assert(runs)).not.toThrow();
});
