import {Chalk, type ChalkInstance, type ForegroundColorName} from 'chalk';
import {withoutColours, type Colour, type Theme} from '../../src/app/themes.ts';
import type {TerminalRun} from '../../src/session/terminal-screen.ts';
import type {MarkdownStyle, Style} from '../../src/text/markdown/style.ts';
import {runPainter} from './terminal-rows.ts';

/** How each part of the screen looks: a theme, made into functions for what the terminal can show. */
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

export interface PaintOptions {
  readonly level: ColourLevel;
  /** Whether text can be bold, dim, underlined or reversed. */
  readonly emphasis: boolean;
  /** Whether the terminal shows hyperlinks. */
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
