/**
 * A colour as chalk knows it: the name of one of the terminal's own sixteen (`cyan`, `redBright`), or `#rrggbb`;
 * undefined leaves the terminal's own colour.
 */
export type Colour = string | undefined;

/** Colours by meaning. Nothing relies on colour alone: symbols and words repeat it. */
export interface Theme {
  readonly name: string;
  /** What stands out: the frame that has the keyboard, links to choose, headings. */
  readonly accent: Colour;
  /** What stands back: thoughts, times, counts, hints. */
  readonly muted: Colour;
  readonly border: Colour;
  readonly user: Colour;
  readonly agent: Colour;
  /** Output of commands. */
  readonly output: Colour;
  readonly success: Colour;
  readonly warning: Colour;
  readonly error: Colour;
  readonly link: Colour;
  readonly added: Colour;
  readonly removed: Colour;
  /** Backgrounds of the words that changed within a line. */
  readonly addedWord: Colour;
  readonly removedWord: Colour;
  /** The row that Enter takes. */
  readonly selected: Colour;
  readonly code: CodeColours;
}

/** Parts of code, in markdown and in diffs. */
interface CodeColours {
  readonly inline: Colour;
  readonly keyword: Colour;
  readonly string: Colour;
  readonly number: Colour;
  readonly comment: Colour;
  /** Names of functions and types. */
  readonly title: Colour;
}

/** For dark backgrounds; the terminal's own colours, so that the user's palette stays. */
const dark: Theme = {
  name: 'dark',
  accent: 'cyanBright',
  muted: 'gray',
  border: 'gray',
  user: 'cyanBright',
  agent: undefined,
  output: 'gray',
  success: 'green',
  warning: 'yellow',
  error: 'redBright',
  link: 'blueBright',
  added: 'green',
  removed: 'red',
  addedWord: '#14532d',
  removedWord: '#7f1d1d',
  selected: 'cyanBright',
  code: {
    inline: 'cyan',
    keyword: 'magentaBright',
    string: 'green',
    number: 'yellow',
    comment: 'gray',
    title: 'blueBright',
  },
};

/** For light backgrounds: no yellow, no bright colours, which vanish on white. */
const light: Theme = {
  name: 'light',
  accent: 'blue',
  muted: '#6b6b6b',
  border: '#8a8a8a',
  user: 'blue',
  agent: undefined,
  output: '#5a5a5a',
  success: '#116329',
  warning: '#7a4d00',
  error: '#b00020',
  link: 'blue',
  added: '#116329',
  removed: '#b00020',
  addedWord: '#b7ebc6',
  removedWord: '#ffc9c9',
  selected: 'blue',
  code: {
    inline: '#0b5c6b',
    keyword: 'magenta',
    string: '#116329',
    number: '#7a4d00',
    comment: '#6b6b6b',
    title: 'blue',
  },
};

/** The theme `plain`, and every theme where there are no colours. */
export const withoutColours: Theme = {
  name: 'plain',
  accent: undefined,
  muted: undefined,
  border: undefined,
  user: undefined,
  agent: undefined,
  output: undefined,
  success: undefined,
  warning: undefined,
  error: undefined,
  link: undefined,
  added: undefined,
  removed: undefined,
  addedWord: undefined,
  removedWord: undefined,
  selected: undefined,
  code: {
    inline: undefined,
    keyword: undefined,
    string: undefined,
    number: undefined,
    comment: undefined,
    title: undefined,
  },
};

export const themes: readonly Theme[] = [dark, light, withoutColours];

export const THEME_NAMES = themes.map(({name}) => name);

/** The theme of that name; the dark one when there is none. */
export function themeNamed(name: string): Theme {
  return themes.find((theme) => theme.name === name) ?? dark;
}
