import type {Action} from '../../src/app/keymap.ts';
import type {SessionState} from '../../src/session/state.ts';
import type {Extent} from '../tool-call/extent.ts';
import type {Paint} from './paint.ts';
import type {Signs} from './signs.ts';

/**
 * What it takes to turn a piece of state into lines. Everything that can be long is drawn as lines of at most `columns`
 * columns, so that its height is known before it is on the screen, and so that each piece is wrapped only once.
 */
export interface Draw {
  readonly columns: number;
  readonly paint: Paint;
  readonly signs: Signs;
  /** Absolute working folder; paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Whether long parts are folded, or opened as in the transcript viewer. */
  readonly extent: Extent;
  readonly terminals: SessionState['terminals'];
  /** Keys that a card names, as they are pressed: `Ctrl+X i`. */
  /** The key for an action, as it is written for people. */
  readonly keyOf: (action: Action) => string;
  readonly keys: {readonly giveKeyboard: string; readonly stop: string; readonly openAll: string};
}
