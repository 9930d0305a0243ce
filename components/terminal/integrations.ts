import {activeDraft} from '../../src/app/sessions.ts';
import type {AppState} from '../../src/app/state.ts';
import {openTabs} from '../../src/app/open-sessions.ts';
import {ASK_FOR_BACKGROUND} from '../../src/app/themes/background.ts';
import {notifications, terminalTitle, type Notification} from '../../src/app/status/notifications.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {isAsking} from '../../src/session/selectors.ts';
import type {ReadableStore} from '../../src/shared/store.ts';
import {ASK_FOR_NAME} from './graphics.ts';
import {isAgentBusy} from '../../src/session/lifecycle/live.ts';
import type {Progress, TerminalSignals} from './signals.ts';

export const BELL = '\x07';

/** The cursor shape shows the vim mode: a bar between characters, or a block on one. */
const BAR = '\x1b[6 q';
const BLOCK = '\x1b[2 q';
const USUAL_SHAPE = '\x1b[0 q';

const SHOW_CURSOR = '\x1b[?25h';

/** Enable and disable focus reports of the terminal. */
const REPORT_FOCUS = '\x1b[?1004h';
const IGNORE_FOCUS = '\x1b[?1004l';
const FOCUSED = '\x1b[I';
const UNFOCUSED = '\x1b[O';

/**
 * Enable and disable reports of a change between light and dark, after which the background is queried again.
 * https://contour-terminal.org/vt-extensions/color-palette-update-notifications/
 */
const REPORT_SCHEME = '\x1b[?2031h';
const IGNORE_SCHEME = '\x1b[?2031l';
const SCHEME_CHANGED = /^\x1b\[\?997;[12]n$/;

/**
 * The kitty keyboard protocol, which distinguishes keys like Shift+Enter: queried, and used as soon as the terminal answers.
 * https://sw.kovidgoyal.net/kitty/keyboard-protocol/
 */
const ASK_FOR_KITTY = '\x1b[?u';
const KITTY_ANSWER = /^\x1b\[\?\d+u$/;

/** Terminal features beside the frame: window title, keyboard protocol, focus reports and the bell. */
export type TerminalIntegrations = ReturnType<typeof createTerminalIntegrations>;

export function createTerminalIntegrations(
  store: ReadableStore<AppState>,
  write: (data: string) => void,
  signals: TerminalSignals,
  onNotified: (notification: Notification) => void,
) {
  let stop: (() => void) | undefined;
  let seen = store.getSnapshot();
  const shown = {title: '', shape: USUAL_SHAPE, progress: signals.progress('none')};
  /** Until the terminal reports focus, the user may be elsewhere. */
  let isElsewhere = true;
  const modes = createScreenModes(store);

  function follow(): void {
    const state = store.getSnapshot();
    const reasons = isElsewhere ? notifications(seen, state) : [];
    for (const data of alerts(reasons, state.notifications, signals)) write(data);
    for (const reason of reasons) onNotified(reason);
    seen = state;
    show('progress', signals.progress(progressOf(state)));
    show('title', setTitle(terminalTitle(state)));
    show('shape', shapeOf(state));
    writeSome(modes.follow());
  }

  function show(part: keyof typeof shown, next: string): void {
    if (next !== shown[part]) writeSome(next);
    shown[part] = next;
  }

  const writeSome = (data: string) => void (data === '' || write(data));

  return {
    /** Sets title and keyboard protocol. */
    enter: () => {
      if (stop !== undefined) return;
      write(pushTitle + REPORT_FOCUS + REPORT_SCHEME + ASK_FOR_KITTY + ASK_FOR_BACKGROUND + ASK_FOR_NAME);
      shown.title = '';
      stop = store.subscribe(follow);
      follow();
    },
    /** Restores them. */
    leave: () => {
      if (stop === undefined) return;
      stop();
      stop = undefined;
      show('shape', USUAL_SHAPE);
      show('progress', signals.progress('none'));
      write(modes.restore() + IGNORE_SCHEME + IGNORE_FOCUS + popTitle + SHOW_CURSOR);
    },
    modes,
    /** Handles reports of the terminal. */
    handleReport: (sequence: string) => {
      if (sequence === FOCUSED || sequence === UNFOCUSED) isElsewhere = sequence === UNFOCUSED;
      if (stop === undefined) return;
      if (SCHEME_CHANGED.test(sequence)) write(ASK_FOR_BACKGROUND);
      if (KITTY_ANSWER.test(sequence)) writeSome(modes.kittyFound());
    },
  };
}

/** What tells the user, by the setting. */
function alerts(
  reasons: readonly Notification[],
  level: AppState['notifications'],
  signals: TerminalSignals,
): readonly string[] {
  if (reasons.length === 0 || level === 'off') return [];
  const notified = level === 'all' ? reasons.map(({text}) => signals.notify(text)) : [];
  return [BELL, ...notified.filter((sequence) => sequence !== '')];
}

/** Over all sessions: waiting for the user takes precedence over working. */
function progressOf({sessions, waitingElsewhere}: AppState): Progress {
  const open = openTabs(sessions).map(({session}) => session);
  if (waitingElsewhere.length > 0 || open.some(isAsking)) return 'waiting';
  return open.some(isAgentBusy) ? 'working' : 'none';
}

function shapeOf(state: AppState): string {
  if (state.editing !== 'vim') return USUAL_SHAPE;
  return activeDraft(state).vim.mode === 'insert' ? BAR : BLOCK;
}

/** Saves and restores the terminal's title. */
const pushTitle = '\x1b[22;2t';
const popTitle = '\x1b[23;2t';

/** Returns the sequence that sets the title. Nothing in a title can end the sequence. */
function setTitle(title: string): string {
  return `\x1b]2;${sanitizeLine(title)}\x07`;
}

/** Reports buttons, wheel and drags, in SGR format. With Shift, the terminal itself selects. */
const READ_MOUSE = '\x1b[?1002h\x1b[?1006h';
const IGNORE_MOUSE = '\x1b[?1006l\x1b[?1002l';
/** Reports unambiguous keys, with alternate keys for other layouts and Shift: https://sw.kovidgoyal.net/kitty/keyboard-protocol/ */
const USE_KITTY = '\x1b[>5u';
const LEAVE_KITTY = '\x1b[<u';

export type ScreenModes = ReturnType<typeof createScreenModes>;

/** Mouse and keyboard modes of a terminal's two screens: each has its own keyboard protocol, and only the alternate screen reports the mouse. */
function createScreenModes({getSnapshot}: ReadableStore<AppState>) {
  let hasKitty = false;
  let isAlternate = false;
  const set = {mouse: false, ordinary: false, alternate: false};

  function change(mode: keyof typeof set, isOn: boolean): string {
    if (set[mode] === isOn) return '';
    set[mode] = isOn;
    if (mode === 'mouse') return isOn ? READ_MOUSE : IGNORE_MOUSE;
    return isOn ? USE_KITTY : LEAVE_KITTY;
  }

  const setMouse = (isOn: boolean) => change('mouse', isOn);
  const setKitty = (isOn: boolean) => change(isAlternate ? 'alternate' : 'ordinary', isOn);

  return {
    /** Call it when the terminal supports the kitty keyboard protocol. */
    kittyFound: () => {
      hasKitty = true;
      return setKitty(true);
    },
    /** Returns what to write after entering the alternate screen. */
    entered: () => {
      isAlternate = true;
      return setKitty(hasKitty) + setMouse(getSnapshot().mouse);
    },
    /** Returns what to write before leaving it. */
    leaving: () => setMouse(false) + setKitty(false),
    /** Returns what to write after leaving it. */
    left: () => {
      isAlternate = false;
      return setKitty(hasKitty);
    },
    /** Applies the mouse setting. */
    follow: () => (isAlternate ? setMouse(getSnapshot().mouse) : ''),
    /** Restores all modes of the current screen. */
    restore: () => {
      hasKitty = false;
      return setMouse(false) + setKitty(false);
    },
  };
}
