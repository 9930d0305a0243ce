import {useInput, usePaste, useWindowSize} from 'ink';
import {
  useEffect,
  useEffectEvent,
  useInsertionEffect,
  useMemo,
  useReducer,
  useSyncExternalStore,
} from 'react';
import type {AppEvent} from '../src/app/events.ts';
import {fromInk, pasteFromInk, type KeyEvent} from '../src/app/input/keys.ts';
import {keyNames} from '../src/app/keymap/key-names.ts';
import {activeSession} from '../src/app/sessions.ts';
import type {AppState} from '../src/app/state.ts';
import {findTheme} from '../src/app/themes/themes.ts';
import type {PictureWay} from '../src/text/pictures/cells.ts';
import type {ReadableStore, Store} from '../src/shared/store.ts';
import type {Theme} from './theme/theme.tsx';
import {createPaint} from './theme/paint.ts';
import {symbolsFor} from './theme/symbols.ts';
import type {Panel} from './panels/panel.ts';
import type {TerminalCapabilities} from './terminal/capabilities.ts';
import type {OnFrameSent} from './terminal/sent-frames.ts';
import {unscrolled, type Scroll} from '../src/app/pages/scroll.ts';

const SECOND = 1000;
const CLOCK_STEP = 250;
/** Longer than the time between two frames with streamed text, in milliseconds. */
const RECENT = 105;

/** Returns the time in milliseconds on the window's clock, updated at least each second while it runs. */
export function useClock(isRunning: boolean): number {
  return useTicks(isRunning, CLOCK_STEP, SECOND) * CLOCK_STEP;
}

/**
 * Counts steps of time, and draws a frame after an interval without others, both in milliseconds. Frames drawn for other reasons show the current count; it causes its own only while there are no others. The count is no store's
 * snapshot, since React would draw a frame that takes longer than a step again and again.
 */
export function useTicks(isRunning: boolean, step: number, interval = step): number {
  const [, redraw] = useReducer((frames: number) => frames + 1, 0);
  const drawnAt = timeOfFrame();
  const redrawIfIdle = useEffectEvent(() => performance.now() - drawnAt > RECENT && redraw());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(redrawIfIdle, interval);
    return () => clearInterval(timer);
  }, [isRunning, interval]);
  return Math.floor(drawnAt / step);
}

/** The one thing that drawing reads which is no state, in milliseconds. */
function timeOfFrame(): number {
  return performance.now();
}

/** Returns the theme of the session on the screen. Its paint is the same object until something in it changes. */
export function useThemeOf(state: AppState, columns: number, capabilities: TerminalCapabilities): Theme {
  const {theme, ownThemes, background, agentColors, images, graphics, hints, keymap} = state;
  const {isLinear, charset, colors} = capabilities;
  const paint = useMemo(() => {
    const pictures = pictureWay(images, graphics, capabilities);
    const options = {...capabilities, level: colors, background, agentColors, pictures};
    return createPaint(findTheme(theme, ownThemes), options);
  }, [theme, ownThemes, background, agentColors, images, graphics, capabilities, colors]);
  const {cwd, terminals, subagents} = activeSession(state).session;
  return {
    columns,
    paint,
    symbols: symbolsFor(charset, isLinear),
    isLinear,
    cwd,
    extent: 'folded',
    terminals,
    subagents,
    hints,
    ...keyNames(keymap),
  };
}

/** Half blocks need many colors; a terminal without colors shows no pictures either. */
function pictureWay(
  images: AppState['images'],
  graphics: AppState['graphics'],
  {colors, isLinear}: TerminalCapabilities,
): PictureWay | undefined {
  if (images === 'off' || isLinear || colors === 0) return undefined;
  if (images === 'auto') return graphics;
  return colors >= 2 ? 'blocks' : undefined;
}

interface Shown {
  /** Identifies what is drawn; undefined for nothing. */
  readonly subject: string | undefined;
  /** Its rows. */
  readonly drawn: Scroll;
  readonly onFrameSent: OnFrameSent;
}

/** Reports the rows of a subject once a frame with them is on the terminal, and on changes. */
export function useSeen({subject, drawn, onFrameSent}: Shown, onSeen: (drawn: Scroll) => void): void {
  const report = useEffectEvent(onSeen);
  const {firstRow, visibleRows, totalRows} = drawn;
  // Before Ink writes the frame, which is before the other effects: the next frame is the one with these rows.
  useInsertionEffect(() => {
    if (subject === undefined) return undefined;
    return onFrameSent(() => report({firstRow, visibleRows, totalRows}));
  }, [subject, firstRow, visibleRows, totalRows, onFrameSent]);
}

/** Returns a part of a store; rerenders only if that part has changed. The selector must return existing references. */
export function useStore<State, Part>(store: ReadableStore<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.getSnapshot()));
}

/** What each screen gets. */
export interface ScreenProps {
  readonly store: Store<AppState, AppEvent>;
  readonly capabilities: TerminalCapabilities;
  /** Handles every key and paste. */
  readonly press: (key: KeyEvent) => void;
  readonly onFrameSent: OnFrameSent;
}

/** Passes on every key and paste, in one place, so that nothing is handled twice. */
export function useKeys({press}: Pick<ScreenProps, 'press'>): void {
  useInput((input, key) => {
    const event = fromInk(input, key, performance.now());
    if (event !== undefined) press(event);
  });
  usePaste((text) => press(pasteFromInk(text, performance.now())));
}

/** Handles keys, and reports what is on the screen to the state, which needs it for scrolling and for which answers are allowed. */
export function useScreen(
  {store, press, onFrameSent}: Omit<ScreenProps, 'capabilities'>,
  {scrolled}: Panel,
): void {
  useKeys({press});
  const {columns} = useWindowSize();
  useEffect(
    () => store.dispatch({type: 'changed', change: {screenColumns: columns}}, 'urgent'),
    [store, columns],
  );
  const {subject, drawn} = scrolled ?? {subject: undefined, drawn: unscrolled};
  // A request that was on the board begins anew in its session.
  const isOnBoard = useStore(store, ({board}) => board !== undefined);
  const name = subject && JSON.stringify([subject, isOnBoard]);
  useSeen({subject: name, drawn, onFrameSent}, (drawn) => {
    if (subject?.kind === 'page') store.dispatch({type: 'overlay_drawn', drawn}, 'urgent');
    if (subject?.kind === 'list')
      store.dispatch({type: 'picker_changed', change: {seenAt: performance.now()}}, 'urgent');
    if (subject?.kind === 'request') {
      const {id, version, columns, rule} = subject;
      const at = performance.now();
      store.dispatch({type: 'request_drawn', id, version, drawn, columns, rule, at}, 'urgent');
    }
  });
}
