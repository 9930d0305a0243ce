import type {Shade} from './background.ts';
import {AUTO, findTheme, themes, type Colors, type Theme} from './themes.ts';

/** A theme in the settings: its differences from the theme it is based on. */
type ThemeSettings = {readonly [Each in Shade]?: Partial<Colors> | undefined} & {
  /** The name of a built-in theme. */
  readonly base?: string | undefined;
};

/** Returns the user's own themes. */
export function ownThemes(settings: Readonly<Record<string, ThemeSettings>> = {}): readonly Theme[] {
  return Object.entries(settings).map(([name, {base = AUTO, ...changes}]) => {
    const {colors} = findTheme(base);
    const changed = (shade: Shade) => colors[shade] && {[shade]: {...colors[shade], ...changes[shade]}};
    const description = `Your own, based on ${base}`;
    return {name, description, colors: {...changed('dark'), ...changed('light')}};
  });
}

/** Returns all available themes; the user's own replace built-in ones of the same name. */
export function allThemes(own: readonly Theme[]): readonly Theme[] {
  const isReplaced = ({name}: Theme) => own.some((theme) => theme.name === name);
  return [...themes.filter((theme) => !isReplaced(theme)), ...own];
}
