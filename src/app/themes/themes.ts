import type {Shade} from './background.ts';
import type {Hex} from '../../text/color.ts';

/**
 * The roles of colors and their required contrast: `text` is read (contrast 4.5), a `mark` is seen (3), a `line` only divides, and a `surface` is a
 * background. Nothing relies on color alone: symbols and words repeat it.
 */
export const ROLES = {
  /** Prose. */
  text: 'text',
  /** The user's text, and the selected row. */
  strong: 'text',
  /** Secondary text: thoughts, times, counts, hints. */
  dim: 'text',
  /** Line numbers, empty parts of bars, what can be unfolded. */
  faint: 'mark',
  /** Frames. */
  line: 'line',
  /** Running work, links, selections, headings. */
  accent: 'text',
  ok: 'text',
  bad: 'text',
  warn: 'text',
  inlineCode: 'text',
  keyword: 'text',
  string: 'text',
  number: 'text',
  comment: 'text',
  /** Names of functions and types. */
  title: 'text',
  /** Background of the user's text, and of code. */
  surface: 'surface',
  selection: 'surface',
  /** Backgrounds of changed lines, and of changed words in them. */
  added: 'surface',
  addedWord: 'surface',
  removed: 'surface',
  removedWord: 'surface',
} as const;

type Role = keyof typeof ROLES;
const ROLE_NAMES = Object.keys(ROLES) as Role[];
export type SurfaceRole = {[Each in Role]: (typeof ROLES)[Each] extends 'surface' ? Each : never}[Role];
export type InkRole = Exclude<Role, SurfaceRole>;
export const SURFACES = ROLE_NAMES.filter((role): role is SurfaceRole => ROLES[role] === 'surface');
export const INKS = ROLE_NAMES.filter((role): role is InkRole => ROLES[role] !== 'surface');

/** The terminal's own colors in use, by chalk's names. */
export const ANSI_NAMES = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'gray'] as const;
export type AnsiName = (typeof ANSI_NAMES)[number];

/** A color, or one of the terminal's own; undefined for the default color. */
export type Ink = Hex | AnsiName | undefined;

/** A tint mixed into the real background; `indexed` is its fallback among 256 colors, if the nearest would be gray. */
interface Tint {
  readonly tint: Hex;
  readonly share: number;
  readonly indexed?: Readonly<Record<Shade, number>>;
}

export type Surface = Hex | Tint | undefined;

export type Colors = Readonly<Record<InkRole, Ink> & Record<SurfaceRole, Surface>>;

export interface Theme {
  readonly name: string;
  readonly description: string;
  /** By the shade of the background; a theme with only one shade uses it on any background. */
  readonly colors: Readonly<Partial<Record<Shade, Colors>>>;
}

const GREEN = '#2ea04f';
const RED = '#d03a44';
const BLUE = '#2f7de1';
const ORANGE = '#d97706';

type Diff = 'added' | 'addedWord' | 'removed' | 'removedWord';

const greenAndRed: Readonly<Record<Diff, Tint>> = {
  added: {tint: GREEN, share: 0.16, indexed: {dark: 22, light: 194}},
  addedWord: {tint: GREEN, share: 0.42, indexed: {dark: 28, light: 157}},
  removed: {tint: RED, share: 0.2, indexed: {dark: 52, light: 224}},
  removedWord: {tint: RED, share: 0.46, indexed: {dark: 88, light: 217}},
};

const blueAndOrange: Readonly<Record<Diff, Tint>> = {
  added: {tint: BLUE, share: 0.22, indexed: {dark: 17, light: 189}},
  addedWord: {tint: BLUE, share: 0.5, indexed: {dark: 19, light: 153}},
  removed: {tint: ORANGE, share: 0.2, indexed: {dark: 58, light: 223}},
  removedWord: {tint: ORANGE, share: 0.44, indexed: {dark: 94, light: 216}},
};

const dark: Colors = {
  text: '#d8dbe0',
  strong: '#ffffff',
  dim: '#8b939e',
  faint: '#656d78',
  line: '#3a404a',
  accent: '#8ab4f8',
  ok: '#7fbf7f',
  bad: '#e8747c',
  warn: '#e5c07b',
  inlineCode: '#d19a66',
  keyword: '#c98be0',
  string: '#98c379',
  number: '#d19a66',
  comment: '#8b939e',
  title: '#61afef',
  surface: {tint: '#ffffff', share: 0.06},
  selection: {tint: '#8ab4f8', share: 0.18},
  ...greenAndRed,
};

const light: Colors = {
  text: '#24292f',
  strong: '#000000',
  dim: '#5f6771',
  faint: '#818992',
  line: '#c9ced6',
  accent: '#1a5fd0',
  ok: '#1a7431',
  bad: '#b81d2c',
  warn: '#8a5a00',
  inlineCode: '#9a4a00',
  keyword: '#7b2fb5',
  string: '#1f6f32',
  number: '#9a4a00',
  comment: '#5f6771',
  title: '#1558b8',
  surface: {tint: '#000000', share: 0.06},
  selection: {tint: '#1a5fd0', share: 0.14},
  ...greenAndRed,
};

/** Contrast of at least 7. */
const contrastDark: Colors = {
  ...dark,
  text: '#ffffff',
  dim: '#c3c9d1',
  faint: '#a3abb5',
  line: '#8b939e',
  accent: '#9cc7ff',
  ok: '#8fe08f',
  bad: '#ff9aa0',
  warn: '#ffd580',
  inlineCode: '#ffc48a',
  keyword: '#e3b3f5',
  string: '#b5e08f',
  number: '#ffc48a',
  comment: '#c3c9d1',
  title: '#9cc7ff',
};

const contrastLight: Colors = {
  ...light,
  text: '#000000',
  dim: '#3a4048',
  faint: '#565e68',
  line: '#6b737d',
  accent: '#0b3d91',
  ok: '#0b4d1c',
  bad: '#8a0f1c',
  warn: '#5c3b00',
  inlineCode: '#6b3300',
  keyword: '#56188a',
  string: '#0d4a1c',
  number: '#6b3300',
  comment: '#3a4048',
  title: '#0b3d91',
};

/** Blue instead of green: about one man in twelve cannot distinguish red and green. */
const colorBlindDark: Colors = {
  ...dark,
  ok: '#6cb2ff',
  bad: '#ff9d4d',
  warn: '#f2d16b',
  string: '#9cc7ff',
  ...blueAndOrange,
};

const colorBlindLight: Colors = {
  ...light,
  ok: '#0d4fb0',
  bad: '#a34700',
  warn: '#7a5c00',
  string: '#0d4fb0',
  ...blueAndOrange,
};

const none: Colors = Object.fromEntries(Object.keys(ROLES).map((role) => [role, undefined])) as Colors;

/** Only the terminal's own colors, never as a background, because the actual colors are unknown. */
const ansi: Colors = {
  ...none,
  dim: 'gray',
  faint: 'gray',
  line: 'gray',
  accent: 'cyan',
  ok: 'green',
  bad: 'red',
  warn: 'yellow',
  inlineCode: 'cyan',
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  comment: 'gray',
  title: 'cyan',
};

/** Most terminals' cyan and yellow are hard to read on a light background, and their blue on a dark one. */
const ansiLight: Colors = {
  ...ansi,
  accent: 'blue',
  warn: 'magenta',
  inlineCode: 'blue',
  number: 'red',
  title: 'blue',
};

/** Dark or light, depending on the terminal's background. */
export const AUTO = 'auto';

export const themes: readonly Theme[] = [
  {name: AUTO, description: "Dark or light, by the terminal's background", colors: {dark, light}},
  {name: 'dark', description: 'For dark backgrounds', colors: {dark}},
  {name: 'light', description: 'For light backgrounds', colors: {light}},
  {
    name: 'high-contrast',
    description: 'Stronger contrast',
    colors: {dark: contrastDark, light: contrastLight},
  },
  {
    name: 'color-blind',
    description: 'Blue and orange instead of green and red',
    colors: {dark: colorBlindDark, light: colorBlindLight},
  },
  {
    name: 'ansi16',
    description: "Only the terminal's own 16 colors",
    colors: {dark: ansi, light: ansiLight},
  },
  {name: 'plain', description: 'No colors', colors: {dark: none, light: none}},
];

export const THEME_NAMES = themes.map(({name}) => name);

/** Returns the theme of that name, the user's own first; the default one if there is none. */
export function findTheme(name: string, own: readonly Theme[] = []): Theme {
  return [...own, ...themes].find((theme) => theme.name === name) ?? findTheme(AUTO);
}

/** Colors of agents, by a word in their names: they only tell agents apart. */
const HUES: Readonly<Record<string, Hex>> = {
  claude: '#e8a87c',
  codex: '#7fd1ae',
  gemini: '#b7a3f5',
  opencode: '#8fc7e8',
  copilot: '#d6a9ee',
  qwen: '#f0a8c0',
  demo: '#c9c27a',
};

const HUE_LIST = Object.values(HUES);

/** Colors by a word of an agent's name. */
export type AgentColors = Readonly<Record<string, Hex>>;

/** Returns an agent's color: the user's, a known agent's, or one derived from the name, so that it is the same in every window. */
export function agentHue(name: string, own: AgentColors = {}): Hex {
  const wanted = name.toLowerCase();
  const known = [...Object.entries(own), ...Object.entries(HUES)].find(([word]) =>
    wanted.includes(word.toLowerCase()),
  );
  const sum = Array.from(wanted).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return known?.[1] ?? HUE_LIST[sum % HUE_LIST.length] ?? '#8ab4f8';
}
