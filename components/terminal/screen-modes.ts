import type {AppState} from '../../src/app/state.ts';
import type {Readable} from '../hooks.ts';

/** Mouse and keyboard modes of the two screens of a terminal: each has a keyboard protocol of its own, and only the alternate one reads the mouse. */
interface ScreenModes extends AlternateModes {
  /** The terminal has the kitty keyboard. */
  readonly kittyFound: () => string;
  /** Follows the setting of the mouse. */
  readonly follow: () => string;
  /** Restores everything on the current screen. */
  readonly restore: () => string;
}

/** Sequences to write when the alternate screen was entered, before it is left, and after that. */
export interface AlternateModes {
  readonly entered: () => string;
  readonly leaving: () => string;
  readonly left: () => string;
}

/** Report buttons, wheel and drags, in SGR form. With Shift, terminals select by themselves. */
const READ_MOUSE = '\x1b[?1002h\x1b[?1006h';
const IGNORE_MOUSE = '\x1b[?1006l\x1b[?1002l';
/** Distinguishes keys, with their characters in other layouts and with Shift: https://sw.kovidgoyal.net/kitty/keyboard-protocol/ */
const USE_KITTY = '\x1b[>5u';
const LEAVE_KITTY = '\x1b[<u';

export function createScreenModes({getSnapshot}: Pick<Readable<AppState>, 'getSnapshot'>): ScreenModes {
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
    kittyFound() {
      hasKitty = true;
      return setKitty(true);
    },
    entered() {
      isAlternate = true;
      return setKitty(hasKitty) + setMouse(getSnapshot().mouse);
    },
    leaving: () => setMouse(false) + setKitty(false),
    left() {
      isAlternate = false;
      return setKitty(hasKitty);
    },
    follow: () => (isAlternate ? setMouse(getSnapshot().mouse) : ''),
    restore() {
      hasKitty = false;
      return setMouse(false) + setKitty(false);
    },
  };
}
