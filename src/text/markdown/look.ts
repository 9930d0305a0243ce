import {Chalk, type ChalkInstance, type ColorName} from 'chalk';
import type {MarkdownStyle, Style} from './style.ts';

/** A color as the terminal can show it: true color (`#…`), an index into 256 colors, one of its own by name, or the default. */
type ShownColor = number | string | undefined;

/** The role of a color in code. */
type CodeInk = 'keyword' | 'string' | 'number' | 'comment' | 'title';

/** How Markdown looks, as data: a thread can be given it, and draws with the styles made of it. */
export interface MarkdownLook {
  /** chalk's color level. */
  readonly level: 0 | 1 | 2 | 3;
  /** True if text can be bold, italic or underlined. */
  readonly emphasis: boolean;
  /** True if links are written as terminal hyperlinks (OSC 8). */
  readonly hyperlinks: boolean;
  readonly inks: Readonly<Record<'accent' | 'dim' | 'inlineCode' | CodeInk, ShownColor>>;
  /** The background of code blocks. */
  readonly surface: ShownColor;
}

const made = new Map<string, MarkdownStyle>();

/** Returns the styles of a look. */
export function markdownStyle(look: MarkdownLook): MarkdownStyle {
  const key = JSON.stringify(look);
  const style = made.get(key) ?? createStyle(look);
  made.set(key, style);
  return style;
}

function createStyle({level, emphasis, hyperlinks, inks, surface}: MarkdownLook): MarkdownStyle {
  const chalk = new Chalk({level});
  const ink = (role: keyof typeof inks) => foreground(chalk, inks[role]);
  const dim = inks.dim === undefined ? chalk.dim : ink('dim');
  return {
    // Without emphasis, headings keep their Markdown sign.
    heading: (text, depth) => (emphasis ? ink('accent').bold(text) : `${'#'.repeat(depth)} ${text}`),
    surface: surface === undefined ? undefined : onSurface(chalk, surface),
    label: dim,
    strong: chalk.bold,
    em: chalk.italic,
    del: chalk.strikethrough,
    code: ink('inlineCode'),
    codeBlock: codeStyle(ink, () => chalk),
    link: ink('accent').underline,
    quote: chalk.italic,
    quoteBar: dim,
    bullet: ink('accent'),
    hr: dim,
    html: dim,
    tableHead: chalk.bold,
    tableBorder: dim,
    hyperlinks,
  };
}

export function foreground(chalk: ChalkInstance, shown: ShownColor): ChalkInstance {
  if (shown === undefined) return chalk;
  if (typeof shown === 'number') return chalk.ansi256(shown);
  return shown.startsWith('#') ? chalk.hex(shown) : chalk[shown as ColorName];
}

export function onSurface(chalk: ChalkInstance, shown: ShownColor): ChalkInstance {
  if (typeof shown === 'number') return chalk.bgAnsi256(shown);
  return shown?.startsWith('#') ? chalk.bgHex(shown) : chalk;
}

/** Returns the style of a highlight.js class; `usual` applies to code without one. Computed on first use. */
export function codeStyle(look: (role: CodeInk) => Style, usual: () => Style): MarkdownStyle['codeBlock'] {
  const known = new Map<CodeInk | undefined, Style>();
  return (text, token) => {
    const role = CODE_ROLES.get(token?.split(' ')[0] ?? '');
    const style = known.get(role) ?? (role === undefined ? usual() : look(role));
    known.set(role, style);
    return style(text);
  };
}

/** The roles of highlight.js classes. */
const CODE_ROLES: ReadonlyMap<string, CodeInk> = new Map(
  (
    [
      ['keyword', ['keyword', 'built_in', 'literal', 'selector-tag', 'meta', 'tag', 'name', 'operator']],
      ['string', ['string', 'regexp', 'addition', 'attr', 'attribute', 'link', 'symbol', 'char']],
      ['number', ['number', 'variable', 'template-variable', 'params', 'selector-class', 'selector-id']],
      ['comment', ['comment', 'quote', 'doctag', 'deletion']],
      ['title', ['title', 'section', 'type', 'class', 'function', 'property']],
    ] as const
  ).flatMap(([role, classes]) => classes.map((token) => [token, role] as const)),
);
