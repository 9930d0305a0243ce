import {Chalk, supportsColor} from 'chalk';
import {plainStyle, type MarkdownStyle} from '../text/markdown/style.ts';

/** The output of a subcommand. */
export interface OutputPage {
  readonly write: (text: string) => void;
  /** The width of the terminal; undefined if there is none, so that nothing is cut. */
  readonly columns: number | undefined;
  readonly style: OutputStyle;
}

/** Text styles; identity functions without colors. */
export interface OutputStyle {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly found: (text: string) => string;
  readonly heading: (text: string) => string;
}

/** The terminal's own colors, or none. */
export function createOutputStyle({isTerminal}: {readonly isTerminal: boolean}): OutputStyle {
  const chalk = new Chalk({level: isTerminal && supportsColor !== false ? supportsColor.level : 0});
  return {
    dim: chalk.dim,
    bold: chalk.bold,
    found: chalk.bold.yellow,
    heading: chalk.bold.cyan,
  };
}

/** Returns the styles for Markdown. */
export function markdownStyle({bold, dim, heading}: OutputStyle): MarkdownStyle {
  return {
    ...plainStyle,
    heading,
    strong: bold,
    quote: dim,
    quoteBar: dim,
    link: bold,
    hr: dim,
    tableBorder: dim,
    bullet: dim,
  };
}
