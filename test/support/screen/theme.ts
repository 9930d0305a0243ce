import type {Theme} from '../../../components/theme/theme.tsx';
import {createPaint} from '../../../components/theme/paint.ts';
import {symbolsFor} from '../../../components/theme/symbols.ts';
import {keyFor, leaderKeyFor} from '../../../src/app/keymap/key-names.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {findTheme} from '../../../src/app/themes/themes.ts';
import {IdMap} from '../../../src/session/terminals/id-map.ts';

/** Draws without colors, at the width that a test needs. */
export function plainTheme(changes: Partial<Theme> = {}): Theme {
  return {
    columns: 50,
    paint: createPaint(findTheme('plain'), {level: 0, emphasis: false, hyperlinks: false}),
    symbols: symbolsFor('unicode'),
    isLinear: false,
    cwd: '/work',
    extent: 'folded',
    terminals: IdMap.empty,
    subagents: {},
    keyOf: (action) => keyFor(action),
    leaderKeyOf: (action) => leaderKeyFor(action, defaultKeymap),
    ...changes,
  };
}

/** A drawing context with the colors of the dark theme. */
export function colorTheme(changes: Partial<Theme> = {}): Theme {
  return plainTheme({
    paint: createPaint(findTheme('dark'), {level: 3, emphasis: true, hyperlinks: true}),
    ...changes,
  });
}
