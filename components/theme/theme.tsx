import {createContext, useContext} from 'react';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Action} from '../../src/app/keymap/keymap.ts';
import type {SessionState} from '../../src/session/state.ts';
import type {Paint} from './paint.ts';
import type {Symbols} from './symbols.ts';

/**
 * What turns state into rows: colors, symbols and a width. Everything that can be long becomes rows of at most `columns` columns, so that its height is known
 * before it is on the screen, and each piece is wrapped only once.
 */
export interface Theme {
  readonly columns: number;
  readonly paint: Paint;
  readonly symbols: Symbols;
  /** True for linear output, where nothing is put at the right edge. */
  readonly isLinear: boolean;
  /** True inside a box. */
  readonly isBoxed?: boolean;
  /** Absolute working folder; paths inside it are shown relative to it. */
  readonly cwd: string;
  /** How much is drawn: the important lines, everything as in the transcript viewer, or before an approval, everything as an exact reading. */
  readonly extent: 'folded' | 'whole' | 'exact';
  readonly terminals: SessionState['terminals'];
  readonly subagents: SessionState['subagents'];
  /** Tool calls that are drawn completely elsewhere: of those only the headline is drawn. */
  readonly asked?: ReadonlySet<acp.ToolCallId> | undefined;
  /** The time, in milliseconds since the epoch and at most a second old, where running calls show how long they take. */
  readonly clock?: number | undefined;
  /** The part of the key hints that is shown, if not all of them fit. */
  readonly hints?: number;
  /** Returns an action's key for display: `Ctrl+O`; the same behind the prefix key: `Ctrl+X i`. */
  readonly keyOf: (action: Action) => string;
  readonly leaderKeyOf: (action: Action) => string;
  /** Says that the drawing lacks something that is still to come, like a picture that is being read. */
  readonly lacks?: () => void;
}

/** Gives everything inside its colors, symbols and width. */
export const ThemeContext = createContext<Theme | undefined>(undefined);

/** Returns the colors, symbols and width of the place in the tree. */
export function useTheme(): Theme {
  const theme = useContext(ThemeContext);
  if (!theme) throw new Error('a part of the screen was rendered outside of a ThemeContext');
  return theme;
}
