import {nextSessionLine} from '../src/app/board/next-session.ts';
import {menuOf} from '../src/app/completion/menu.ts';
import {promptHeight, type ScreenSize} from '../src/app/editor/layout.ts';
import {hintText} from '../src/app/keymap/hints.ts';
import {keyFor} from '../src/app/keymap/key-names.ts';
import {hasFilter} from '../src/app/pickers/picker.ts';
import {activeSession} from '../src/app/sessions.ts';
import type {AppState} from '../src/app/state.ts';
import {activityOf, stallText} from '../src/app/status/progress.ts';
import {promptBox} from '../src/app/status/prompt-box.ts';
import {statusLine} from '../src/app/status/status-line.ts';
import {hintLine} from '../src/app/status/toasts.ts';
import {isLimitAwaited} from '../src/session/queue/queue.ts';
import {activePlan, isAsking} from '../src/session/selectors.ts';
import {sanitize} from '../src/text/sanitize.ts';
import {hasBox} from './layout/box.ts';
import {stripStyles} from '../src/text/ansi.ts';
import {styledHints} from './layout/hints.ts';
import type {Theme} from './theme/theme.tsx';
import {rowsOfWarning, wrapHanging} from './layout/lines.ts';
import {panelOf} from './panels/current-panel.ts';
import {queueHeight, queueView} from '../src/app/queue/queue-view.ts';
import {choosesFirstAgent} from '../src/app/pickers/agent-picker.ts';
import {openPlanHeight} from './transcript/plan.tsx';
import {rowsOfFirstStart} from './transcript/start-card.ts';

export type ScreenParts = ReturnType<typeof layOutScreen>;

interface ScreenContext {
  readonly screen: ScreenSize;
  /** On the window's clock. */
  readonly now: number;
  readonly theme: Theme;
  /** True if a side panel has the plan, the context and the cost. */
  readonly hasSidePanel?: boolean;
  /** Rows of the transcript above, if all of it that is on the screen is known. */
  readonly above?: number;
}

/** Decides what is below the transcript, and how many rows each part of it gets. */
export function layOutScreen(
  state: AppState,
  {screen, now, theme, hasSidePanel = false, above = Infinity}: ScreenContext,
) {
  const tab = activeSession(state);
  const prompt = promptBox(state);
  const plan = hasSidePanel || state.board ? undefined : activePlan(tab.session)?.content;
  const queue = queueView(state);
  const hint = rowsOfHint(state, now, theme);
  const opening = choosesFirstAgent(state) ? rowsOfOpening(state, theme) : [];
  const isFirst = opening.length > 0;
  const asked = {
    ...nothing,
    screen: screen.rows - opening.length,
    prompt: isFirst ? 0 : promptHeight(prompt.draft, screen),
    hint: hint.length,
  };
  const {isLinear} = theme;
  const most = isLinear ? Infinity : mostForList(state, screen.rows, above);
  // Whatever is as high as this is granted: it is made once.
  const panel = panelOf(state, Math.min(most, allocateRows({...asked, panel: Infinity}).panel), theme);
  const isAsked = hasBox(theme) && panel.scrolled?.subject.kind === 'request';
  // The viewer shows requests itself.
  const isRead = state.overlay.kind === 'transcript' && tab.session.pending.length > 0;
  const activity =
    state.board || isAsked || isRead
      ? undefined
      : activityOf(tab, now, {namesTool: isLinear, keymap: state.keymap});
  const granted = allocateRows({
    ...asked,
    queue: isFirst || state.board ? 0 : queueHeight(queue),
    plan: plan === undefined ? 0 : openPlanHeight(plan, theme),
    panel: panel.height,
    gap: hasBox(theme) && panel.height > 0 ? 1 : 0,
    air: hasBox(theme) && !isAsked && menuOf(state) === undefined ? 1 : 0,
    working: activity === undefined ? 0 : 1,
  });
  const shares = isFirst ? {...granted, status: 0} : granted;
  const said = [hintText(panel.hints ?? []), ...hint.slice(0, shares.hint)].map(stripStyles);
  const back = keyFor('cancel_or_back', state.keymap);
  /** Without what is said elsewhere: what Esc does is said once. */
  const status = {
    ...statusLine(state, now),
    ...(hasSidePanel && {context: undefined, cost: undefined}),
    ...(said.some((words) => words.includes(`${back} `)) && {escape: undefined}),
  };
  return {
    shares,
    /** At the first start: above the list of agents, in place of the prompt; otherwise empty. */
    opening,
    /** The unfinished plan. */
    plan,
    panel,
    queue,
    hint: hint.slice(0, shares.hint),
    activity: shares.working > 0 ? activity : undefined,
    /** False if nothing should move, also while only the user can act, or only time passes. */
    isAnimated: !state.reducedMotion && !isAsking(tab.session) && !isLimitAwaited(tab.session.queue),
    /** The prompt, or the note of a rejection. */
    prompt: {
      agent: state.board?.next.agent?.name ?? status.agent,
      ...prompt,
      ...(isFirst && {placeholder: '', hints: []}),
    },
    status,
  };
}

function rowsOfOpening(state: AppState, theme: Theme): readonly string[] {
  const {session, branch} = activeSession(state);
  return rowsOfFirstStart({folder: session.cwd, branch, prompt: session.queue.prompts[0]?.text}, theme);
}

function rowsOfHint(state: AppState, now: number, theme: Theme): string[] {
  if (state.board && state.toast === undefined) {
    // In linear output, the board itself says it.
    const line = theme.isLinear ? '' : nextSessionLine(state, state.board, theme.columns);
    return line === '' ? [] : [theme.paint.dim(line)];
  }
  const stalled = state.board ? undefined : stallText(state, now);
  const warning = stalled === undefined ? [] : rowsOfWarning(stalled, theme);
  const hint = hintLine(state, {isMenuOpen: menuOf(state) !== undefined});
  if (hint === undefined) return warning;
  const line = typeof hint === 'string' ? sanitize(hint) : styledHints(hint, theme);
  return [...warning, ...wrapHanging(theme.symbols.notice, line, theme)];
}

/** Requested rows of each part below the transcript; 0 for absent parts. */
export interface RowRequests {
  /** Rows of the terminal. */
  readonly screen: number;
  readonly prompt: number;
  /** Less than all of it is one row. */
  readonly queue: number;
  readonly plan: number;
  /** A list, a page or a request over the prompt: its preferred height. */
  readonly panel: number;
  /** A blank row above the panel. */
  readonly gap: number;
  /** A blank row above the prompt and what belongs to it. */
  readonly air: number;
  /** A toast or hint near the prompt. */
  readonly hint: number;
  /** The progress line. */
  readonly working: number;
}

const nothing = {queue: 0, plan: 0, gap: 0, air: 0, working: 0} as const;

/** Rows that a panel leaves to everything else. */
const ROWS_BESIDE_PANEL = 6;
/** Minimum height of a usable panel. */
const MIN_PANEL = 2;
/** Up to this height a panel takes precedence over parts that only show progress. */
const SMALL_PANEL = 5;
/** Minimum rows of the transcript before less important parts get any. */
const MIN_LIVE = 3;
const MAX_PLAN = 9;
/** Minimum rows of the screen for a blank row above the prompt. */
const ROWS_FOR_AIR = 16;

/**
 * Distributes the rows of the screen; `live` are those of the transcript. One row stays free: a frame as tall as the screen would have to be cleared each time. The prompt comes first, then the
 * panel, then progress, then the status line, then the rest.
 */
export function allocateRows(requests: RowRequests) {
  let left = Math.max(1, requests.screen - 1);
  const take = (wanted: number, keep = 0) => {
    const granted = Math.max(0, Math.min(wanted, left - keep));
    left -= granted;
    return granted;
  };
  const isPanel = requests.panel > 0;
  const prompt = take(requests.prompt, isPanel ? MIN_PANEL : 0);
  const status = take(1, isPanel ? MIN_PANEL : 0);
  const panel = isPanel ? take(Math.min(requests.panel, mostForPanel(requests.screen))) : 0;
  const keep = isPanel ? 0 : MIN_LIVE;
  const hint = take(requests.hint);
  const more = isPanel ? take(Math.min(requests.panel, SMALL_PANEL) - panel) : 0;
  const working = take(requests.working, isPanel ? 0 : 1);
  const queue = take(requests.queue <= left - keep ? requests.queue : Math.min(1, requests.queue));
  const plan = take(Math.min(requests.plan, MAX_PLAN, Math.floor(requests.screen / 4)), keep);
  const gap = panel + more < requests.panel ? 0 : take(requests.gap, MIN_LIVE);
  const air = requests.screen < ROWS_FOR_AIR ? 0 : take(requests.air, keep);
  return {prompt, status, panel: panel + more, gap, air, hint, working, queue, plan, live: left};
}

/** Maximum rows of a panel on a screen of this height. */
function mostForPanel(screen: number): number {
  return Math.max(MIN_PANEL, screen - ROWS_BESIDE_PANEL);
}

/** Minimum rows of a list, which otherwise gets half of the screen to leave the transcript in view. */
const MIN_FOR_LIST = 12;

/** Maximum rows of a list next to a transcript: those that would be blank, or half of the screen. */
function mostForList(state: AppState, screen: number, above: number): number {
  const {session} = activeSession(state);
  if (!isList(state) || session.entries.length === 0) return Infinity;
  const blank = session.turn.kind === 'idle' ? mostForPanel(screen) - above : 0;
  return Math.max(MIN_FOR_LIST, Math.floor(screen / 2), blank);
}

/** True for the menu and for lists that only show choices; without a filter, a list is a decision. */
function isList(state: AppState): boolean {
  const {overlay, request} = state;
  if (overlay.kind === 'picker') return hasFilter(overlay.picker);
  return request === undefined && menuOf(state) !== undefined;
}
