import {useMemo} from 'react';
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
  readonly columns: number;
  readonly abilities: Abilities;
}

/** How to draw a session now; the same object as long as nothing of it changed. */
export function useDraw({session: {cwd, terminals}, theme, columns, abilities}: DrawSource): Draw {
  const paint = useMemo(
    () => createPaint(themeNamed(theme), {level: abilities.colours, hyperlinks: abilities.hyperlinks}),
    [theme, abilities],
  );
  const signs = signsFor(abilities.charset);
  return useMemo(() => ({columns, paint, signs, cwd, terminals}), [columns, paint, signs, cwd, terminals]);
}
