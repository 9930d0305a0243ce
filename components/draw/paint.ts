import {Chalk, type ChalkInstance, type ForegroundColorName} from 'chalk';
import {clusters} from '../../src/app/editor/graphemes.ts';
import {withoutColours, type Colour, type Theme} from '../../src/app/themes.ts';
import type {TerminalRun, TerminalRow, TerminalStyle} from '../../src/session/terminals/terminal-screen.ts';
import type {MarkdownStyle, Style} from '../../src/text/markdown/style.ts';

/** Styles of each part of the screen: a theme as functions, for the colours that the terminal supports. */
export interface Paint {
  readonly accent: Style;
  readonly bold: Style;
  readonly dim: Style;
  readonly user: Style;
  readonly output: Style;
  readonly success: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly link: Style;
  readonly added: Style;
  readonly removed: Style;
  readonly addedWord: Style;
  readonly removedWord: Style;
  /** The letters that were typed to find it. */
  readonly found: Style;
  /** What was looked for, where it stands. */
  readonly hit: Style;
  /** The row that Enter takes. */
  readonly selected: Style;
  readonly markdown: MarkdownStyle;
  /** Text of a command, as its terminal shows it. */
  readonly run: (run: TerminalRun) => string;
}

/** 0 for no colours, 1 for sixteen, 2 for 256, 3 for all; as chalk counts. */
export type ColourLevel = 0 | 1 | 2 | 3;

interface PaintOptions {
  readonly level: ColourLevel;
  /** True if text can be bold, dim, underlined or reversed. */
  readonly emphasis: boolean;
  /** True if the terminal shows hyperlinks. */
  readonly hyperlinks: boolean;
}

/** Makes a theme's functions. */
export function createPaint(named: Theme, {level, emphasis, hyperlinks}: PaintOptions): Paint {
  const isColoured = level > 0;
  const theme = isColoured ? named : withoutColours;
  // Of what chalk leaves out at its level 0, emphasis is no colour.
  const chalk = new Chalk({level: isColoured || !emphasis ? level : 1});
  const colour = (name: Colour): ChalkInstance => foreground(chalk, name);
  return {
    accent: colour(theme.accent),
    bold: chalk.bold,
    dim: theme.muted === undefined ? chalk.dim : colour(theme.muted),
    user: colour(theme.user),
    output: colour(theme.output),
    success: colour(theme.success),
    warning: colour(theme.warning),
    error: colour(theme.error),
    link: colour(theme.link).underline,
    added: colour(theme.added),
    removed: colour(theme.removed),
    addedWord: background(chalk, theme.addedWord).bold,
    removedWord: background(chalk, theme.removedWord).bold,
    found: chalk.underline,
    hit: chalk.inverse,
    selected: colour(theme.selected).bold,
    markdown: markdownStyle(theme, chalk, {hyperlinks}),
    run: runPainter(chalk, {plain: colour(theme.output), isColoured}),
  };
}

function foreground(chalk: ChalkInstance, name: Colour): ChalkInstance {
  if (name === undefined) return chalk;
  return name.startsWith('#') ? chalk.hex(name) : chalk[name as ForegroundColorName];
}

function background(chalk: ChalkInstance, name: Colour): ChalkInstance {
  // Without a colour, reversed: the words that changed are to be seen at any rate.
  if (name === undefined) return chalk.inverse;
  return name.startsWith('#') ? chalk.bgHex(name) : foreground(chalk, name).inverse;
}

function markdownStyle(
  theme: Theme,
  chalk: ChalkInstance,
  {hyperlinks}: {hyperlinks: boolean},
): MarkdownStyle {
  const colour = (name: Colour) => foreground(chalk, name);
  const muted = theme.muted === undefined ? chalk.dim : colour(theme.muted);
  const tokens = tokenStyles(theme, chalk);
  return {
    heading: (text, depth) =>
      depth === 1 ? colour(theme.accent).bold.underline(text) : colour(theme.accent).bold(text),
    strong: chalk.bold,
    em: chalk.italic,
    del: chalk.strikethrough,
    code: colour(theme.code.inline),
    codeBlock: (text, token) => {
      const style = tokens.get(token?.split(' ')[0] ?? '');
      return style === undefined ? text : style(text);
    },
    link: colour(theme.link).underline,
    quote: chalk.italic,
    quoteBar: muted,
    bullet: colour(theme.accent),
    hr: muted,
    html: muted,
    tableHead: chalk.bold,
    tableBorder: muted,
    hyperlinks,
  };
}

/** The classes of highlight.js, each with the colour of the part of code that it is. */
function tokenStyles({code}: Theme, chalk: ChalkInstance): ReadonlyMap<string, Style> {
  const groups: readonly (readonly [Colour, readonly string[]])[] = [
    [code.keyword, ['keyword', 'built_in', 'literal', 'selector-tag', 'meta', 'tag', 'name', 'operator']],
    [code.string, ['string', 'regexp', 'addition', 'attr', 'attribute', 'link', 'symbol', 'char']],
    [code.number, ['number', 'variable', 'template-variable', 'params', 'selector-class', 'selector-id']],
    [code.comment, ['comment', 'quote', 'doctag', 'deletion']],
    [code.title, ['title', 'section', 'type', 'class', 'function', 'property']],
  ];
  return new Map(
    groups.flatMap(([name, classes]) => classes.map((token) => [token, foreground(chalk, name)] as const)),
  );
}

/** A short plain text with the characters at some offsets (UTF-16 units) painted; what is one character on the screen stays one. */
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

/** Makes the function that draws a terminal's text; `plain` is the look of what has no colour of its own. */
function runPainter(
  chalk: ChalkInstance,
  {plain, isColoured}: {readonly plain: Style; readonly isColoured: boolean},
): (run: TerminalRun) => string {
  return ({text, style}) => {
    if (style === undefined) return plain(text);
    const hasColour = isColoured && style.foreground !== undefined;
    const look = isColoured ? coloured(chalk, style) : chalk;
    return emphasized(look, style)(hasColour ? text : plain(text));
  };
}

const ATTRIBUTES = ['bold', 'dim', 'italic', 'underline', 'inverse', 'strikethrough'] as const;

function emphasized(chalk: ChalkInstance, style: TerminalStyle): ChalkInstance {
  return ATTRIBUTES.reduce((look, attribute) => (style[attribute] ? look[attribute] : look), chalk);
}

function coloured(chalk: ChalkInstance, {foreground, background}: TerminalStyle): ChalkInstance {
  let look = chalk;
  if (foreground !== undefined)
    look = typeof foreground === 'number' ? look.ansi256(foreground) : look.hex(foreground);
  if (background !== undefined)
    look = typeof background === 'number' ? look.bgAnsi256(background) : look.bgHex(background);
  return look;
}

/** A row in the sequences that we make ourselves. */
export function drawRow(row: TerminalRow, paint: {readonly run: (run: TerminalRun) => string}): string {
  return row.map(paint.run).join('');
}

const unlinked = new WeakMap<Paint, Paint>();

/** Returns the same paint with links that cannot be opened, for what may be cut before the end of a link. */
export function withoutLinks(paint: Paint): Paint {
  const made = unlinked.get(paint) ?? {...paint, markdown: {...paint.markdown, hyperlinks: false}};
  unlinked.set(paint, made);
  return made;
}
