import type {AppState} from '../../src/app/state.ts';
import type {ReadableStore} from '../hooks.ts';

/** Reports buttons, wheel and drags, in SGR format. With Shift, the terminal itself selects. */
const READ_MOUSE = '\x1b[?1002h\x1b[?1006h';
const IGNORE_MOUSE = '\x1b[?1006l\x1b[?1002l';
/** Reports unambiguous keys, with alternate keys for other layouts and Shift: https://sw.kovidgoyal.net/kitty/keyboard-protocol/ */
const USE_KITTY = '\x1b[>5u';
const LEAVE_KITTY = '\x1b[<u';

export type ScreenModes = ReturnType<typeof createScreenModes>;

/** Mouse and keyboard modes of a terminal's two screens: each has its own keyboard protocol, and only the alternate screen reports the mouse. */
export function createScreenModes({getSnapshot}: Pick<ReadableStore<AppState>, 'getSnapshot'>) {
  let hasKitty = false;
  let isAlternate = false;
  let readsMouse = false;
  const usesKitty = {ordinary: false, alternate: false};

  function setMouse(isOn: boolean): string {
    if (readsMouse === isOn) return '';
    readsMouse = isOn;
    return isOn ? READ_MOUSE : IGNORE_MOUSE;
  }

  function setKitty(isOn: boolean): string {
    const screen = isAlternate ? 'alternate' : 'ordinary';
    if (usesKitty[screen] === isOn) return '';
    usesKitty[screen] = isOn;
    return isOn ? USE_KITTY : LEAVE_KITTY;
  }

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
