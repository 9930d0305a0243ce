import {useMemo} from 'react';
import {moreKeyName} from '../src/app/hints.ts';
import {keyFor} from '../src/app/key-names.ts';
import type {Action, Keymap} from '../src/app/keymap.ts';
import {themeNamed} from '../src/app/themes.ts';
import type {SessionState} from '../src/session/state.ts';
import type {Draw} from './draw/draw.ts';
import {createPaint} from './draw/paint.ts';
import {signsFor} from './draw/signs.ts';
import type {Abilities} from './terminal/abilities.ts';

export interface DrawSource {
  readonly session: SessionState;
  /** Name of the theme. */
  readonly theme: string;
  readonly keymap: Keymap;
  readonly columns: number;
  readonly abilities: Abilities;
  readonly extent?: Draw['extent'];
}

/** How to draw a session now; the same object as long as nothing of it changed. */
export function useDraw({
  session: {cwd, terminals},
  theme,
  keymap,
  columns,
  abilities,
  extent = 'folded',
}: DrawSource): Draw {
  const paint = useMemo(
    () => createPaint(themeNamed(theme), {...abilities, level: abilities.colours}),
    [theme, abilities],
  );
  const signs = signsFor(abilities.charset);
  const named = useMemo(
    () => ({keyOf: (action: Action) => keyFor(action, keymap), keys: namedKeys(keymap)}),
    [keymap],
  );
  return useMemo(
    () => ({columns, paint, signs, cwd, extent, terminals, ...named}),
    [columns, paint, signs, cwd, extent, terminals, named],
  );
}

function namedKeys(keymap: Keymap): Draw['keys'] {
  return {
    giveKeyboard: moreKeyName({keymap}, 'give_keyboard'),
    stop: moreKeyName({keymap}, 'stop_command'),
    openAll: keyFor('open_transcript', keymap),
  };
}
