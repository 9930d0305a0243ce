import {Chalk, type ChalkInstance} from 'chalk';
import {clusters} from '../../src/app/editor/graphemes.ts';
import type {Hex} from '../../src/text/color.ts';
import {paletteOf, type ColorLevel, type Palette} from '../../src/app/themes/theme-palette.ts';
import type {AgentColors, InkRole, SurfaceRole, Theme} from '../../src/app/themes/themes.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {TerminalRun, TerminalStyle} from '../../src/session/terminals/terminal-screen.ts';
import type {BlockStyle, PictureWay} from '../../src/text/pictures/cells.ts';
import {codeStyle, foreground, onSurface, type MarkdownLook} from '../../src/text/markdown/look.ts';
import type {MarkdownStyle, Style} from '../../src/text/markdown/style.ts';

/** Styles of each part of the screen: a theme as functions, for the colors that the terminal supports. */
export interface Paint {
  /** True if styles have colors. */
  readonly isColored: boolean;
  readonly accent: Style;
  readonly bold: Style;
  /** Styles an agent's name, or another text, in the agent's color. */
  readonly agent: (name: string, text?: string) => string;
  readonly dim: Style;
  readonly thought: Style;
  /** Frames. */
  readonly line: Style;
  /** The background of user messages and code; undefined if the theme has no color for it. */
  readonly surface: Style | undefined;
  readonly user: Style;
  readonly success: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly link: Style;
  readonly diff: {readonly [Kind in 'added' | 'removed' | 'context']: DiffPaint};
  /** Matched letters in a list. */
  readonly found: Style;
  /** A search match, and the current one. */
  readonly hit: Style;
  readonly currentHit: Style;
  /** The selected row. */
  readonly selected: Style;
  readonly markdown: MarkdownLook;
  /** How pictures are drawn; undefined if only their names are. */
  readonly pictures: PictureWay | undefined;
  /** Styles a half block of a picture. */
  readonly block: BlockStyle;
  /** Styles command output as in its terminal. */
  readonly run: (run: TerminalRun) => string;
}

/** Styles of a diff line. */
interface DiffPaint {
  /** Its sign. */
  readonly sign: Style;
  readonly number: Style;
  /** Text, by its highlight.js class. */
  readonly plain: CodeStyle;
  readonly changed: CodeStyle;
  /** The background of its row; undefined if the theme has no color for it. */
  readonly row: Style | undefined;
}

type CodeStyle = MarkdownStyle['codeBlock'];

interface PaintOptions {
  readonly level: ColorLevel;
  /** True if text can be bold, dim, underlined or inverse. */
  readonly emphasis: boolean;
  /** True if the terminal supports hyperlinks. */
  readonly hyperlinks: boolean;
  /** The terminal's background color, if known. */
  readonly background?: Hex | undefined;
  readonly agentColors?: AgentColors | undefined;
  /** How pictures are drawn; undefined if only their names are. */
  readonly pictures?: PictureWay | undefined;
}

/** Creates the style functions of a theme. */
export function createPaint(theme: Theme, options: PaintOptions): Paint {
  const {level, emphasis, hyperlinks, pictures} = options;
  const palette = paletteOf(theme, options);
  // chalk's level 0 also drops bold and dim, which are no colors.
  const chalk = new Chalk({level: level > 0 || !emphasis ? level : 1});
  const ink = (role: InkRole): ChalkInstance => foreground(chalk, palette.inks[role]);
  const on = (role: InkRole, surface: SurfaceRole): ChalkInstance =>
    onSurface(foreground(chalk, palette.on(role, surface)), palette.surfaces[surface]);
  const dim = palette.inks.dim === undefined ? chalk.dim : ink('dim');
  const {surface, selection} = palette.surfaces;
  return {
    isColored: palette.inks.ok !== undefined,
    accent: ink('accent'),
    bold: chalk.bold,
    agent: (name, text = name) => foreground(chalk, palette.hue(name))(text),
    dim,
    thought: dim.italic,
    line: palette.inks.line === undefined ? chalk.dim : ink('line'),
    surface: surface === undefined ? undefined : onSurface(chalk, surface),
    user: palette.inks.strong === undefined ? chalk.bold : ink('strong'),
    success: ink('ok'),
    warning: ink('warn'),
    error: ink('bad'),
    link: ink('accent').underline,
    diff: diffPaint(palette, chalk),
    found: chalk.underline,
    hit: chalk.inverse,
    currentHit: ink('accent').inverse.bold,
    selected: (selection === undefined ? ink('accent') : on('strong', 'selection')).bold,
    markdown: {level: chalk.level, emphasis, hyperlinks, inks: palette.inks, surface},
    run: ({text, style}) =>
      style === undefined ? text : emphasized(level > 0 ? colored(chalk, style) : chalk, style)(text),
    pictures,
    block: (cell, [red = 0, green = 0, blue = 0], below) =>
      chalk.rgb(red, green, blue).bgRgb(below[0] ?? 0, below[1] ?? 0, below[2] ?? 0)(cell),
  };
}

function diffPaint({inks, surfaces, on}: Palette, chalk: ChalkInstance): Paint['diff'] {
  const ink = (role: InkRole) => foreground(chalk, inks[role]);
  const faint = inks.faint === undefined ? chalk.dim : ink('faint');
  const changed = (surface: SurfaceRole, word: SurfaceRole, role: InkRole): DiffPaint => {
    const [row, below] = [surfaces[surface], surfaces[word]];
    // Without background colors, changed words are inverse, so that they are always visible.
    if (row === undefined || below === undefined) {
      const reversed = ink(role).inverse.bold;
      const plain = (text: string) => ink(role)(text);
      return {sign: plain, number: faint, plain, changed: (text) => reversed(text), row: undefined};
    }
    const look = (each: InkRole) => foreground(chalk, on(each, surface));
    const marked = (each: InkRole) => onSurface(foreground(chalk, on(each, word)), below).bold;
    return {
      sign: look(role),
      number: look('faint'),
      plain: codeStyle(look, () => look('text')),
      changed: codeStyle(marked, () => marked('text')),
      row: onSurface(chalk, row),
    };
  };
  const context = codeStyle(ink, () => chalk);
  return {
    added: changed('added', 'addedWord', 'ok'),
    removed: changed('removed', 'removedWord', 'bad'),
    context: {sign: chalk, number: faint, plain: context, changed: context, row: undefined},
  };
}

/** Styles the characters at some offsets (UTF-16 units) of a short plain text; grapheme clusters are not split. */
export function paintMarked(text: string, offsets: readonly number[], style: Style): string {
  if (offsets.length === 0) return text;
  const marked = new Set(offsets);
  let line = '';
  let run = '';
  const flush = () => {
    if (run !== '') line += style(run);
    run = '';
  };
  for (const {segment, index} of clusters(text)) {
    const isMarked = Array.from(segment, (_, at) => index + at).some((offset) => marked.has(offset));
    if (isMarked) run += segment;
    else {
      flush();
      line += segment;
    }
  }
  flush();
  return line;
}

const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strikethrough'] as const;

function emphasized(chalk: ChalkInstance, style: TerminalStyle): ChalkInstance {
  return ATTRIBUTES.reduce((look, attribute) => (style[attribute] ? look[attribute] : look), chalk);
}

function colored(chalk: ChalkInstance, {foreground, background}: TerminalStyle): ChalkInstance {
  let look = chalk;
  if (foreground !== undefined)
    look = typeof foreground === 'number' ? look.ansi256(foreground) : look.hex(foreground);
  if (background !== undefined)
    look = typeof background === 'number' ? look.bgAnsi256(background) : look.bgHex(background);
  return look;
}

/** Returns the paint without hyperlinks, for text that may be cut inside a link. */
export const withoutLinks = memoize((paint: Paint): Paint => ({
  ...paint,
  markdown: {...paint.markdown, hyperlinks: false},
}));
