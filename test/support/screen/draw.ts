import type {Draw} from '../../../components/draw/draw.ts';
import {createPaint} from '../../../components/draw/paint.ts';
import {symbolsFor} from '../../../components/draw/symbols.ts';
import {keyFor, leaderKeyFor} from '../../../src/app/keymap/key-names.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {themeNamed} from '../../../src/app/themes/themes.ts';

/** Draws without colors, at the width that a test needs. */
export function plainDraw(changes: Partial<Draw> = {}): Draw {
  return {
    columns: 50,
    paint: createPaint(themeNamed('plain'), {level: 0, emphasis: false, hyperlinks: false}),
    symbols: symbolsFor('unicode'),
    isLinear: false,
    agentName: 'test agent',
    cwd: '/work',
    extent: 'folded',
    terminals: {},
    subagents: {},
    keyOf: (action) => keyFor(action),
    leaderKeyOf: (action) => leaderKeyFor(action, defaultKeymap),
    ...changes,
  };
}

/** The same with the colors of the dark theme. */
export function colorDraw(changes: Partial<Draw> = {}): Draw {
  return plainDraw({
    paint: createPaint(themeNamed('dark'), {level: 3, emphasis: true, hyperlinks: true}),
    ...changes,
  });
}
